import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

/** A process of its own: what nobody catches would end it. */
const SIGNS_IN = `
import { ensureKafkaTopic } from "@/engine/outbox/transports/kafka-line";
await ensureKafkaTopic(process.env.URL_OF_BROKER).catch(() => process.stdout.write("refused"));
`;

async function brokerThat(answers: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answers(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

describe("a broker that hangs up while a client signs in", () => {
  it.each([
    ["resets the connection", (socket: Socket) => void socket.resetAndDestroy()],
    ["closes it", (socket: Socket) => void socket.end()],
  ])("%s: an error for the caller, and no end of the process", async (_, answers) => {
    const { server, port } = await brokerThat(answers);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", SIGNS_IN],
      { env: { ...process.env, URL_OF_BROKER: `kafka://me:secret@127.0.0.1:${String(port)}?sasl=plain` } },
    );
    server.close();
    expect(stdout).toBe("refused");
  });
});
