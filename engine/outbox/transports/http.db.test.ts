import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpTransport, ownInbox } from "./http";
import { ensureEventSource, eventSecrets, OWN_SOURCE } from "@/engine/inbox/event-source";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";

let env: EngineTestEnvironment;
let server: Server;
let base: string;
const seen: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let answer: { readonly status: number; readonly body: string } | undefined = { status: 202, body: "{}" };
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      seen.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() });
      // No answer: the caller's timeout decides.
      if (answer !== undefined) response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await env.close();
});

const delivery = {
  id: "0198a6f2-7d11-7000-8000-0123456789ab",
  topic: "payments",
  type: "payment.succeeded",
  body: '{"type":"payment.succeeded"}',
  headers: {},
};
const send = (at = base, timeoutMs = 2_000) =>
  createHttpTransport({ destination: ownInbox(at) }).deliver(env.context(), delivery, {
    timeoutMs,
    destination: undefined,
  });

describe("delivery over HTTP", () => {
  it("is signed so that the receiver can check it, with the message's id", async () => {
    expect(await send()).toEqual({ kind: "acknowledged" });
    const request = seen.at(-1);
    expect(request?.path).toBe(`/api/v1/events/onceboard?tenant=${TENANT}`);
    expect(request?.headers["webhook-id"]).toBe(delivery.id);
    const [secret = ""] = await eventSecrets(env.db, env.base.keyring, TENANT, OWN_SOURCE);
    expect(() =>
      new Webhook(secret).verify(request?.body ?? "", request?.headers as Record<string, string>),
    ).not.toThrow();
  });

  it.each([
    [{ status: 200, body: "" }, { kind: "acknowledged" }],
    [
      { status: 503, body: "" },
      { kind: "failed", code: "delivery.http_503" },
    ],
    [
      { status: 409, body: '{"code":"idempotency.in_progress"}' },
      { kind: "failed", code: "delivery.http_409" },
    ],
    [
      { status: 409, body: '{"code":"inbox.payload_mismatch"}' },
      { kind: "rejected", code: "delivery.payload_mismatch" },
    ],
    [{ status: 301, body: "" }, { kind: "failed" }],
  ])("takes %o for what it means", async (result, expected) => {
    answer = result;
    expect(await send()).toMatchObject(expected);
  });

  it("says that nobody answered, or that nobody is there", async () => {
    answer = undefined;
    expect(await send(base, 50)).toMatchObject({ kind: "failed", code: "delivery.timeout" });
    expect(await send("http://127.0.0.1:1")).toMatchObject({ kind: "failed", code: "delivery.unreachable" });
  });

  it("WEBHOOK-5 never goes inside where an operator sent it, by name or by address, and its topic rests", async () => {
    const before = seen.length;
    const port = new URL(base).port;
    const to = (destination: string, allowPrivate = false) =>
      createHttpTransport({ destination: ownInbox(base), allowPrivate }).deliver(env.context(), delivery, {
        timeoutMs: 2_000,
        destination,
      });
    for (const destination of [
      base,
      `https://127.0.0.1:${port}/`,
      `https://[::1]:${port}/`,
      `https://localhost:${port}/`,
    ]) {
      expect(await to(destination), destination).toMatchObject({
        kind: "unavailable",
        code: "delivery.bad_destination",
      });
    }
    expect(seen).toHaveLength(before);
    answer = { status: 409, body: '{"code":"inbox.payload_mismatch"}' };
    expect(await to(`${base}/in`, true)).toMatchObject({ kind: "rejected", code: "delivery.payload_mismatch" });
    answer = { status: 204, body: "" };
    expect(await to(`${base}/in`, true)).toEqual({ kind: "acknowledged" });
    expect(seen.at(-1)?.path).toBe("/in");
  });

  it("two processes that make a source at once use one secret", async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => ensureEventSource(env.db, env.base.keyring, TENANT, "partner")),
    );
    expect(new Set(made).size).toBe(1);
    const [row] = await env.rows<{ secret: Buffer }>(
      "select secret from onceboard.event_sources where source = 'partner'",
    );
    expect(row?.secret.toString("latin1")).not.toContain("whsec_");
  });
});
