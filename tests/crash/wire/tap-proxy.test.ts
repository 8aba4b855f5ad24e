import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { httpReader } from "@/demo/faults/http-reader";
import { postgresReader } from "./postgres-reader";
import { startTapProxy, type HeldWire, type TapProxy, type WireReader } from "@/demo/faults/tap-proxy";

let server: Server | undefined;
let proxy: TapProxy | undefined;
let received = "";

/** A server that says `done` to each chunk, behind a proxy. */
async function open(reader: WireReader): Promise<Socket> {
  received = "";
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      received += chunk.toString();
      socket.write("done");
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  proxy = await startTapProxy({ port: (server.address() as AddressInfo).port, reader });
  const client = connect(proxy.port, "127.0.0.1");
  client.on("error", () => undefined);
  await once(client, "connect");
  return client;
}
/** `once` would fail on the reset that comes first. */
function closed(client: Socket): Promise<void> {
  return new Promise((resolve) => client.once("close", () => resolve()));
}
afterEach(async () => {
  await proxy?.close();
  server?.close();
});

const words: WireReader = () => ({ sent: (chunk) => [chunk.toString()], answered: () => undefined });

describe("the tap proxy", () => {
  it("passes what no trap waits for", async () => {
    const client = await open(words);
    client.write("hello");
    expect(String(await once(client, "data"))).toBe("done");
  });

  it("holds a request before it goes on, and lets it arrive late or never", async () => {
    const client = await open(words);
    const held = new Promise<HeldWire>((resolve) => {
      proxy?.trap({ at: "request", matches: (label) => label === "b", caught: resolve });
    });
    client.write("b");
    const wire = await held;
    expect(received).toBe("");
    wire.forward();
    expect(String(await once(client, "data"))).toBe("done");
    expect(received).toBe("b");
  });

  it("cuts after the server has answered: done there, unknown here", async () => {
    const client = await open(words);
    const got: string[] = [];
    client.on("data", (chunk) => got.push(chunk.toString()));
    proxy?.trap({
      at: "reply",
      matches: (label, earlier) => label === "c" && earlier.at(-1) === "a",
      caught: (wire) => wire.cut(),
    });
    client.write("a");
    await once(client, "data");
    client.write("c");
    await closed(client);
    expect(received).toBe("ac");
    expect(got).toEqual(["done"]);
  });

  it("gives the client a share of an answer", async () => {
    const client = await open(words);
    proxy?.trap({ at: "reply", matches: () => true, caught: (wire) => wire.cut({ share: 0.5 }) });
    client.write("x");
    expect(String(await once(client, "data"))).toBe("do");
    await closed(client);
  });
});

describe("readers", () => {
  const message = (type: string, body: string): Buffer => {
    const text = Buffer.from(body);
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(text.length + 4, 1);
    return Buffer.concat([head, text]);
  };
  it("names prepared statements and simple queries, whatever the chunks", () => {
    const startUp = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
    const bytes = Buffer.concat([
      startUp,
      message("P", "claim\0select 1\0\0\0"),
      message("B", "\0claim\0\0\0\0\0\0\0"),
      message("S", ""),
      message("Q", "commit\0"),
    ]);
    for (const size of [1, 3, 7, bytes.length]) {
      const reader = postgresReader();
      const labels: string[] = [];
      for (let at = 0; at < bytes.length; at += size) labels.push(...reader.sent(bytes.subarray(at, at + size)));
      expect(labels).toEqual(["claim", "commit"]);
    }
  });
  it("names each request once, not its later chunks", () => {
    const reader = httpReader();
    expect(reader.sent(Buffer.from("POST /v1/charges HTTP/1.1\r\nhost: x\r\n"))).toEqual(["POST /v1/charges"]);
    expect(reader.sent(Buffer.from("\r\nGET /no HTTP/1.1\r\n"))).toEqual([]);
    reader.answered();
    expect(reader.sent(Buffer.from("GET /v1/objects/by-key/k HTTP/1.1\r\n\r\n"))).toEqual(["GET /v1/objects/by-key/k"]);
  });
});
