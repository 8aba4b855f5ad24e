import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { createHttpApp } from "@/http/app";
import { openHost, type TestHost } from "@/http/testing/host";
import { requireInProcess } from "@/http/testing/in-process";
import { signedIn } from "@/http/testing/signed-in";
import { hostRequests } from "./startup/host";
import { freePort, listen } from "./startup/listen";

const BIND = "127.0.0.1";
const OVER_HEADERS = "x".repeat(17 * 1_024);

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Record<string, unknown>;
}

/** What comes back until the server ends the connection. */
async function raw(port: number, bytes: string): Promise<Raw> {
  const socket = connect(port, BIND);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.write(Buffer.from(bytes, "latin1"));
  await once(socket, "close");
  const [head = "", body = ""] = Buffer.concat(chunks).toString().split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const pairs = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 2),
  ]);
  const headers = Object.fromEntries(pairs) as Record<string, string>;
  return { status: Number(first.split(" ")[1]), headers, json: JSON.parse(body || "{}") as Record<string, unknown> };
}

const post = (header: string) => `POST /api/v1/payments HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`;
const CASES: readonly (readonly [string, string, number, string])[] = [
  ["a line that is none", "hello\r\n\r\n", 400, "validation.request"],
  ["another protocol", "\x16\x03\x01\x02\x00\x01\x00", 400, "validation.request"],
  ["a control byte in a header", post("idempotency-key: a\x00b"), 400, "validation.request"],
  ["a line break in a header", post("idempotency-key: a\rb"), 400, "validation.request"],
  ["a header without a name", post(": a"), 400, "validation.request"],
  ["two lengths", post("content-length: 1\r\ncontent-length: 2"), 400, "validation.request"],
  ["more than 16 kB of headers", post(`x-note: ${OVER_HEADERS}`), 431, "validation.headers"],
];

function answersAsOurs(portOf: () => number): void {
  it.each(CASES)("answers %s with a problem document", async (_what, bytes, status, code) => {
    const answer = await raw(portOf(), bytes);
    expect(answer.json).toMatchObject({ status, code, retryable: false });
    expect(answer.json["instance"]).toBe(`urn:onceboard:request:${String(answer.headers["request-id"])}`);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-should-retry": "false",
      connection: "close",
    });
  });
}

describe("HTTP-6 what Node's parser refuses, on a server as cli/serve and cli/api listen", () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer({ headersTimeout: 60, connectionsCheckingInterval: 20 }, (request, response) => {
      response.writeHead(200).write("half");
      request.resume();
    });
    await listen(server, { port: 0 });
    server.headersTimeout = 60;
    server.requestTimeout = 60;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = () => (server.address() as AddressInfo).port;
  answersAsOurs(port);

  it("answers headers that do not end in time with 408, which a retry can heal", async () => {
    const answer = await raw(port(), "POST /api/v1/payments HTTP/1.1\r\nhost: x\r\n");
    expect(answer.json).toMatchObject({ status: 408, code: "transient.request_timeout", retryable: true });
    expect([answer.status, answer.headers["retry-after"], answer.headers["connection"]]).toEqual([408, "1", "close"]);
  });

  it("answers what was asked in full before what cannot be read, and nothing after it", async () => {
    const slow = createServer(
      (_request, response) => void setImmediate(() => setImmediate(() => response.end("done"))),
    );
    await listen(slow, { port: 0 });
    const socket = connect((slow.address() as AddressInfo).port, BIND);
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("error", () => undefined);
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}\0garbage\r\n\r\n");
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1.1 200 [^]*done$/);
    slow.close();
  });

  it("says nothing into an answer that is under way", async () => {
    const socket = connect(port(), BIND);
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      if (text === "") socket.write("zz\r\nnot a chunk");
      text += chunk.toString();
    });
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1.1 200/);
    expect(text).not.toContain("problem+json");
  });
});

describe("what Node's parser refuses, on cli/api", () => {
  let test: TestDatabase;
  let child: ChildProcess;
  let port = 0;
  beforeAll(async () => {
    test = await createTestDatabase();
    port = await freePort();
    child = spawn(process.execPath, ["--import", "tsx", "cli/api.ts"], {
      cwd: `${import.meta.dirname}/..`,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        DATABASE_URL: test.url,
        PORT: String(port),
        SECRET: randomBytes(32).toString("base64url"),
        ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
      },
    });
    if (child.stdout === null) throw new Error("the process has no output");
    // Its one line says that it listens.
    await once(child.stdout, "data");
  });
  afterAll(async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    await test.drop();
  });
  answersAsOurs(() => port);
});

describe("HTTP-6 a body that breaks off in the middle of a chunk", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openHost("hono");
  });
  afterAll(() => host.close());

  it("is no request without a body, which some actions take", async () => {
    await host.key(["payments"]);
    const cookie = await signedIn(host, "admin", host.tenant);
    const server = hostRequests({
      basePath: "",
      api: getRequestListener(createHttpApp(requireInProcess(host).deps).fetch),
    });
    await listen(server, { port: 0, host: BIND });
    const { port } = server.address() as AddressInfo;
    const ask = async (key: string, body: string, before = ""): Promise<void> => {
      const who = `cookie: ${cookie}\r\norigin: http://x\r\nidempotency-key: ${key}\r\ncontent-type: application/json`;
      const socket = connect(port, BIND);
      socket.on("error", () => undefined);
      socket.resume();
      socket.write(
        `${before}POST /api/v1/admin/invariants/check HTTP/1.1\r\nhost: x\r\n${who}\r\nconnection: close\r\n`,
      );
      if (body === "") socket.write("content-length: 0\r\n\r\n");
      else socket.end(`transfer-encoding: chunked\r\n\r\n${body}`);
      await once(socket, "close");
    };
    for (let round = 0; round < 10; round += 1) await ask(`cut-${String(round)}`, '37\r\n{"rea');
    // Behind requests whose answers come first, what is broken off waits in a queue.
    const before = "GET /api/health/live HTTP/1.1\r\nhost: x\r\n\r\n".repeat(3);
    for (let round = 0; round < 5; round += 1) await ask(`queued-${String(round)}`, "+5\r\n{}\r\n0\r\n\r\n", before);
    await ask("whole", "");
    const used = async () => {
      await requireInProcess(host).deps.answers.flush();
      const rows = await host.rows<{ key: string }>(
        "select key from onceboard.idempotency_requests where tenant_id = $1",
        host.tenant,
      );
      return rows.map(({ key }) => key.split(":").at(-1));
    };
    await vi.waitFor(async () => expect(await used()).toContain("whole"), { timeout: 10_000 });
    expect(await used()).toEqual(["whole"]);
    server.closeAllConnections();
    server.close();
  });
});
