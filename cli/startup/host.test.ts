import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SHARES } from "@/http/guard/share";
import { hostRequests } from "./host";
import { ensurePortFree, listen } from "./listen";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** Says who answered, and what of. */
const answerAs = (who: string) => (request: IncomingMessage, response: ServerResponse) =>
  void response.end(`${who} ${request.method ?? ""} ${request.url ?? ""} ${request.headers.host ?? ""}`);

let server: Server;
beforeAll(async () => {
  server = hostRequests({ basePath: "/ops", api: answerAs("api"), pages: answerAs("pages") });
  await listen(server, { port: 0, host: "127.0.0.1" });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Answer {
  readonly line: string;
  readonly headers: string;
  readonly body: string;
}

/** @param lines of one request without its end; the answer is read to the end of the connection */
async function ask(...lines: readonly string[]): Promise<Answer> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.write([...lines, "", ""].join("\r\n"));
  await once(socket, "close");
  const [head = "", body = ""] = Buffer.concat(chunks).toString().split("\r\n\r\n");
  const [line = "", ...headers] = head.split("\r\n");
  return { line, headers: headers.join("\n").toLowerCase(), body };
}

const HOST = "host: ops.example.com";
const CLOSE = "connection: close";

describe("HTTP-9 what a request line may ask for", () => {
  it.each(["/ops/api/v1/payments", "/ops/overview", "/elsewhere"])(
    "answers an upgrade of %s as any request",
    async (path) => {
      const { line, headers } = await ask(
        `GET ${path} HTTP/1.1`,
        HOST,
        "connection: close, Upgrade",
        "upgrade: websocket",
      );
      expect([line, headers.includes("upgrade")]).toEqual(["HTTP/1.1 200 OK", false]);
    },
  );

  it("answers curl --http2, which offers another version of HTTP with an ordinary request", async () => {
    const offer = ["connection: close, Upgrade, HTTP2-Settings", "upgrade: h2c", "http2-settings: AAMAAABkAAQ"];
    const { body } = await ask("POST /ops/api/v1/payments HTTP/1.1", HOST, ...offer, "content-length: 0");
    expect(body).toBe("api POST /ops/api/v1/payments ops.example.com");
  });

  it("takes an address in full for its path, and its authority for Host", async () => {
    const { body } = await ask(
      "GET https://ops.example.com:8443/ops/api/v1/docs?a=1 HTTP/1.1",
      "host: other.example",
      CLOSE,
    );
    expect(body).toBe("api GET /ops/api/v1/docs?a=1 ops.example.com:8443");
    expect((await ask("GET http://x/ops/overview HTTP/1.1", HOST, CLOSE)).body).toBe("pages GET /ops/overview x");
  });

  it.each([
    ["GET ftp://ops.example.com/x HTTP/1.1", HOST],
    ["GET http://ops.example.com:99999/x HTTP/1.1", HOST],
    ["GET http://me:secret@ops.example.com/x HTTP/1.1", HOST],
    ["GET overview HTTP/1.1", HOST],
    ["GET * HTTP/1.1", HOST],
    ["GET /ops/overview HTTP/1.1", "host: a/b?c"],
    ["GET /ops/api/v1/docs HTTP/1.1", "host: a b"],
  ])("refuses %s with %s", async (line, host) => {
    const answer = await ask(line, host);
    expect([answer.line, JSON.parse(answer.body)]).toMatchObject([
      "HTTP/1.1 400 Bad Request",
      { code: "validation.request", status: 400 },
    ]);
  });

  it("refuses a request with two hosts: a proxy before it may have looked at the other one (RFC 9112, 3.2)", async () => {
    const { line } = await ask("POST /ops/api/v1/payments HTTP/1.1", HOST, "Host: other.example", CLOSE);
    expect(line).toBe("HTTP/1.1 400 Bad Request");
  });

  it("says what the server takes to OPTIONS *, and what a page takes to OPTIONS of it", async () => {
    const whole = await ask("OPTIONS * HTTP/1.1", HOST, CLOSE);
    expect([whole.line, whole.headers, whole.body]).toEqual([
      "HTTP/1.1 204 No Content",
      expect.stringContaining(`allow: ${METHODS.toLowerCase()}`),
      "",
    ]);
    const page = await ask("OPTIONS /ops/overview HTTP/1.1", HOST, CLOSE);
    expect([page.line, page.headers]).toEqual([
      "HTTP/1.1 204 No Content",
      expect.stringContaining("allow: get, head, options"),
    ]);
    // Routes know themselves what they take.
    expect((await ask("OPTIONS /ops/api/v1/docs HTTP/1.1", HOST, CLOSE)).body).toContain("api OPTIONS");
  });

  it.each([
    ["TRACE /ops/api/v1/payments HTTP/1.1", METHODS],
    ["TRACE /ops/overview HTTP/1.1", METHODS],
    ["TRACE * HTTP/1.1", "OPTIONS"],
    ["CONNECT example.com:443 HTTP/1.1", METHODS],
    ["POST /ops/overview HTTP/1.1", "GET, HEAD, OPTIONS"],
    ["DELETE /ops/overview HTTP/1.1", "GET, HEAD, OPTIONS"],
  ])("refuses %s, says what is taken, and echoes nothing", async (line, allow) => {
    const answer = await ask(line, HOST, "cookie: session_token=secret");
    expect([answer.line, answer.headers]).toEqual([
      "HTTP/1.1 405 Method Not Allowed",
      expect.stringContaining(`allow: ${allow.toLowerCase()}`),
    ]);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "validation.method", status: 405 });
    expect(answer.body).not.toContain("secret");
  });
});

/** Of a wait for what is on its way. */
const PATIENCE_MS = 15_000;

describe("SHARE-1 pages beside the API", () => {
  it("renders so many at once, answers the API meanwhile, and refuses what is too much with 503", async () => {
    const open: ServerResponse[] = [];
    const one = hostRequests({
      basePath: "",
      api: answerAs("api"),
      pages: (_request, response) => void open.push(response),
    });
    let arrived = 0;
    one.on("request", () => void (arrived += 1));
    await listen(one, { port: 0, host: "127.0.0.1" });
    const url = `http://127.0.0.1:${String((one.address() as AddressInfo).port)}`;
    const { atOnce, waiting } = SHARES.pages;
    const pages = Array.from({ length: atOnce + waiting }, () => fetch(`${url}/overview`).then(({ status }) => status));
    // A connection each: they arrive in any order, and one more would take the place of the last.
    await vi.waitFor(() => expect(arrived).toBe(atOnce + waiting), PATIENCE_MS);
    expect(open).toHaveLength(atOnce);
    // Files of the build and the API go past them.
    expect((await fetch(`${url}/api/v1/payments`)).status).toBe(200);
    void fetch(`${url}/_next/static/a.css`).then(({ status }) => pages.push(Promise.resolve(status)));
    await vi.waitFor(() => expect(open).toHaveLength(atOnce + 1), PATIENCE_MS);
    expect((await fetch(`${url}/overview`)).status).toBe(503);
    for (let done = 0; done < atOnce + waiting + 1; done += 1) {
      await vi.waitFor(() => expect(open[done]).toBeDefined(), PATIENCE_MS);
      open[done]?.end("page");
    }
    expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
    one.closeAllConnections();
    one.close();
  });
});

describe("RUN-6 a server listens where it is told to", () => {
  // On Linux each address of 127.0.0.0/8 is this machine: who listens on all of them answers on this one too.
  const OTHER = "127.0.0.2";
  const reached = (port: number, address: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, address);
      socket.on("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });

  it.skipIf(process.platform !== "linux").each([
    [undefined, true],
    ["127.0.0.1", false],
  ])("LISTEN_HOST %s: reached by other addresses %s", async (host, others) => {
    const one = hostRequests({ basePath: "", api: answerAs("api") });
    await listen(one, { port: 0, host });
    const { port } = one.address() as AddressInfo;
    expect([await reached(port, "127.0.0.1"), await reached(port, OTHER)]).toEqual([true, others]);
    one.close();
  });

  it.each(["192.0.2.1", "no-such-host.invalid"])("says that %s is no address of this machine", async (host) => {
    const said = /^This machine has no address .*: set LISTEN_HOST to one that it has, or leave it out\.$/;
    await expect(listen(hostRequests({ basePath: "", api: answerAs("api") }), { port: 0, host })).rejects.toThrow(said);
    await expect(ensurePortFree({ port: 0, host })).rejects.toThrow(said);
  });
});
