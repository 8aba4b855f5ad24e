import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, type ClientOptions, type OnceboardClient } from "./create-client";
import { OnceboardError } from "./errors";
import { createFakeClock, type FakeClock } from "./testing/fake-clock";
import {
  scriptedAnswer,
  cut,
  head,
  PAYMENT,
  startRawServer,
  type ServerScript,
  type RawServer,
} from "./testing/raw-server";

const JSON_TYPE = { "content-type": "application/json" };
const LIMIT = 64 * 1_024;

let server: RawServer;
let clock: FakeClock;
beforeEach(async () => {
  server = await startRawServer();
  clock = createFakeClock();
});
afterEach(() => server.close());

function client(options: Partial<ClientOptions> = {}): OnceboardClient {
  return createClient({ baseUrl: server.url, random: () => 0.5, clock, maxAnswerBytes: LIMIT, ...options });
}
const keys = (): Set<string | undefined> => new Set(server.seen.map(({ headers }) => headers["idempotency-key"]));

/** Sends as fast as it is read, until nobody reads any more. */
const endless: ServerScript = (socket) => {
  const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
  socket.write(head(201, { ...JSON_TYPE, "transfer-encoding": "chunked" }));
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
};

/** A byte a second: never silent, never done. */
const slowDrip: ServerScript = (socket) => {
  socket.write(head(201, { ...JSON_TYPE, "content-length": "10000" }));
  const drip = (): void => {
    if (socket.destroyed) return;
    socket.write(" ");
    clock.advance(1_000);
    setImmediate(drip);
  };
  drip();
};

const BROKEN = /^initial [A-Z_]+$/;
/** Node 24 has no code for it; those before have one. */
const NOT_HTTP = Number.parseInt(process.versions.node, 10) < 24 ? BROKEN : /^initial ([A-Z_]+|network error)$/;
const LOST: [string, ServerScript, RegExp | string][] = [
  ["a reset before the answer", cut, BROKEN],
  ["an end without an answer", (socket) => socket.end(), BROKEN],
  ["what is not HTTP", (socket) => socket.end("220 mail.example.com ESMTP\r\n"), NOT_HTTP],
  [
    "half an answer",
    (socket) => socket.end(`${head(201, { ...JSON_TYPE, "content-length": "100" })}{"paymentId":"p`),
    BROKEN,
  ],
  [
    "a reset after some bytes",
    (socket) =>
      socket.write(`${head(201, { ...JSON_TYPE, "content-length": "100" })}{"pay`, () => socket.resetAndDestroy()),
    BROKEN,
  ],
  [
    "chunks without an end",
    (socket) => socket.end(`${head(201, { ...JSON_TYPE, "transfer-encoding": "chunked" })}3\r\n{"p\r\n`),
    BROKEN,
  ],
  ["JSON that is none", scriptedAnswer(201, '{"paymentId":'), "initial unreadable answer"],
  [
    "the page of a captive portal",
    scriptedAnswer(200, "<html>Welcome", { "content-type": "text/html" }),
    "initial unreadable answer",
  ],
  ["JSON of another type", scriptedAnswer(200, "{}", { "content-type": "text/plain" }), "initial unreadable answer"],
  [
    "the answer of another key",
    scriptedAnswer(201, {}, { "idempotency-key": "somebody-else" }),
    "initial answer of another key",
  ],
  ["a body without end", endless, "initial answer too large"],
  ["a body that drips", slowDrip, "initial timeout"],
  ["silence", () => clock.advance(4_500), "initial timeout"],
];

describe("a server that misbehaves", () => {
  it.each(LOST)("CLIENT-3 after %s the same key is sent again", async (_what, behaviour, note) => {
    server.script = [behaviour];
    const { status, attempts } = await client().payments.create(PAYMENT);
    expect(status).toBe(201);
    expect(attempts.map(({ notes }) => notes)).toEqual([
      typeof note === "string" ? note : expect.stringMatching(note),
      "success",
    ]);
    expect(keys().size).toBe(1);
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
  });

  it.each(LOST)("CLIENT-5 after nothing but %s the outcome is unknown, never a success", async (_what, behaviour) => {
    server.script = Array.from({ length: 20 }, () => behaviour);
    const error: unknown = await client()
      .payments.create(PAYMENT)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "OutcomeUnknownError", pending: true });
    expect(error instanceof OnceboardError && error.key).toBe([...keys()][0]);
    expect(clock.elapsed()).toBeLessThanOrEqual(10_000);
    expect(server.seen.length).toBeGreaterThan(1);
    expect(server.seen.length).toBeLessThanOrEqual(12);
  });

  it("CLIENT-8 never follows a redirect: neither the command nor the API key goes elsewhere", async () => {
    const other = await startRawServer();
    for (const status of [301, 302, 303, 307, 308]) {
      server.script = [scriptedAnswer(status, "", { location: `${other.url}/api/v1/payments` })];
      await expect(client({ apiKey: "ob_key" }).payments.create(PAYMENT)).rejects.toMatchObject({
        name: "OutcomeUnknownError",
        reason: "redirected",
        pending: true,
        status,
      });
    }
    expect([other.seen.length, server.seen.length]).toEqual([0, 5]);
    await other.close();
  });

  it.each([["1000000000"], ["9".repeat(400)], ["Fri, 31 Dec 9999 23:59:59 GMT"]])(
    "does not wait for %s",
    async (retryAfter) => {
      server.script = [scriptedAnswer(503, "", { "retry-after": retryAfter })];
      const ended = await client()
        .payments.create(PAYMENT)
        .catch((error: unknown) => error);
      // What cannot be read as a number is no wish; all others are longer than the budget.
      expect(ended).toMatchObject(retryAfter.length > 100 ? { status: 201 } : { reason: "unavailable", pending: true });
      expect(clock.elapsed()).toBeLessThan(200);
    },
  );

  it("reads no more of an endless body than its limit, also behind a refusal", async () => {
    let sent = 0;
    server.script = [
      (socket, request) => {
        endless(socket, request);
        socket.once("close", () => (sent = socket.bytesWritten));
      },
    ];
    await client().payments.create(PAYMENT);
    // What fills the socket's own buffers leaves it too.
    await expect.poll(() => sent).toBeGreaterThan(LIMIT);
    server.script = [scriptedAnswer(402, JSON.stringify({ pad: "x".repeat(LIMIT) }))];
    await expect(client().payments.create(PAYMENT)).rejects.toMatchObject({ name: "RefusedError", status: 402 });
  });

  it("takes an empty success for a success", async () => {
    server.script = [scriptedAnswer(204, "")];
    expect(await client().payments.create(PAYMENT)).toMatchObject({ status: 204, body: undefined });
  });

  it("ends although a fetch does not listen to its signal", async () => {
    const deaf: typeof fetch = () => {
      setImmediate(() => clock.advance(4_500));
      return new Promise(() => undefined);
    };
    await expect(client({ fetch: deaf }).payments.create(PAYMENT)).rejects.toMatchObject({ reason: "timeout" });
    expect(clock.elapsed()).toBeLessThanOrEqual(10_000);
  });
});
