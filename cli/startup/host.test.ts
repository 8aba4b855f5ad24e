import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostRequests } from "./host";
import { listen } from "./listen";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** Says who answered, and what of. */
const answerAs = (who: string) => (request: IncomingMessage, response: ServerResponse) =>
  void response.end(`${who} ${request.method ?? ""} ${request.url ?? ""} ${request.headers.host ?? ""}`);

let server: Server;
beforeAll(async () => {
  server = hostRequests({ basePath: "/ops", api: answerAs("api"), pages: answerAs("pages") });
  await listen(server, 0);
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
