import { spawn } from "node:child_process";
import { request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import type { CheckedAnswer } from "@/http/testing/contract";
import type { Container } from "@/http/env";
import type { Send } from "./judge";

const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 250;
const BIND = "127.0.0.1";
const MOST_BYTES = 8_000_000;

/** The built pages over the database of a container, for probes of them. */
export interface ServedPages {
  readonly send: Send;
  close(): Promise<void>;
}

/** @throws Error when the build does not answer in a minute */
export async function servePages(
  { config }: Container,
  secrets: { readonly secret: string; readonly encryptionKeys: string },
): Promise<ServedPages> {
  const port = await freePort();
  const args = ["node_modules/next/dist/bin/next", "start", "-p", String(port), "-H", BIND];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      SECRET: secrets.secret,
      ENCRYPTION_KEYS: secrets.encryptionKeys,
      SANDBOX_PORT: String(config.sandboxPort),
      LOG_LEVEL: "error",
    },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const close = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://${BIND}:${String(port)}/api/health/live`).catch(() => undefined);
    if (answer?.ok === true) break;
    if (Date.now() > until || child.exitCode !== null) {
      await close();
      throw new Error("The built pages did not answer: run npm run build first.");
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  return { close, send: ({ path, headers }) => get(port, path, headers) };
}

/** Node's own client: it follows nothing and sends cookies as they are. */
function get(port: number, path: string, headers: readonly (readonly [string, string])[]): Promise<CheckedAnswer> {
  return new Promise((resolve, reject) => {
    const lines = [["host", `${BIND}:${String(port)}`], ...headers].flat();
    const outgoing = request({ host: BIND, port, path, headers: lines, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_BYTES) outgoing.destroy(new Error(`${path} answers more than ${String(MOST_BYTES)} bytes`));
        chunks.push(chunk);
      });
      incoming.on("error", reject);
      incoming.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString("utf8");
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text, json: undefined });
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, BIND, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
