import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webhookSecret } from "@/tests/support/providers";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { footprint } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

const MINUTE_MS = 60_000;

describe.each(HOSTS)("events sent to %s", (name) => {
  let host: TestHost;
  let apiKey: string;
  beforeAll(async () => {
    host = await openHost(name);
    apiKey = await host.key(["events"]);
    await host.key(["events"], { tenant: host.otherTenant });
  });
  afterAll(() => host.close());

  interface Signed {
    readonly id?: string;
    readonly at?: Date;
    readonly secret?: string;
    readonly sent?: string;
    readonly tenant?: string;
    readonly source?: string;
  }
  const event = (fields: Readonly<Record<string, unknown>> = {}): string =>
    JSON.stringify({
      type: "charge.succeeded",
      timestamp: "2026-01-01T00:00:00Z",
      data: { id: "ch_1", metadata: { tenant: host.tenant }, ...fields },
    });
  const send = (
    body: string,
    { id = `evt_${randomUUID()}`, at = new Date(), secret, sent = body, tenant, source = "provider" }: Signed = {},
  ): Promise<CheckedAnswer> =>
    host.call({
      method: "POST",
      path: `/api/v1/events/${source}?tenant=${tenant ?? host.tenant}`,
      headers: [
        ["content-type", "application/json"],
        ["webhook-id", id],
        ["webhook-timestamp", String(Math.floor(at.getTime() / 1_000))],
        ["webhook-signature", new Webhook(secret ?? webhookSecret(host.secret, "provider")).sign(id, at, body)],
      ],
      body: sent,
    });

  it("INBOX-1 INBOX-2 records a signed event once; the second arrival is a duplicate", async () => {
    const id = `evt_${randomUUID()}`;
    const body = event();
    const first = await send(body, { id });
    const second = await send(body, { id });
    expect([first.status, first.json?.["status"], second.status, second.json?.["status"]]).toEqual([
      202,
      "recorded",
      200,
      "duplicate",
    ]);
    expect(second.json?.["inboxIds"]).toEqual(first.json?.["inboxIds"]);
    const rows = await host.rows<{ duplicates: number }>(
      "select duplicates from onceboard.inbox_messages where tenant_id = $1 and message_id = $2",
      host.tenant,
      id,
    );
    expect(rows.every(({ duplicates }) => duplicates === 1) && rows.length > 0).toBe(true);
  });

  it("INBOX-3 the same id with another payload is flagged and never handled", async () => {
    const id = `evt_${randomUUID()}`;
    await send(event(), { id });
    const answer = await send(event({ amount: "999" }), { id });
    expect(answer.json).toMatchObject({ status: 409, code: "inbox.payload_mismatch", messageId: id });
    expect(answer.headers["x-should-retry"]).toBe("false");
    const [row] = await host.rows<{ mismatches: number }>(
      "select mismatches from onceboard.inbox_messages where tenant_id = $1 and message_id = $2",
      host.tenant,
      id,
    );
    expect(row?.mismatches).toBe(1);
  });

  it.each<[string, (body: string) => Signed]>([
    ["another secret", () => ({ secret: Buffer.from("x".repeat(32)).toString("base64") })],
    ["another body than the signed one", (body) => ({ sent: body.replace("ch_1", "ch_2") })],
    ["a time six minutes ago", () => ({ at: new Date(Date.now() - 6 * MINUTE_MS) })],
    ["a time six minutes ahead", () => ({ at: new Date(Date.now() + 6 * MINUTE_MS) })],
    ["the name of another tenant", () => ({ tenant: host.otherTenant })],
    ["the name of no tenant", () => ({ tenant: "nobody" })],
    ["a source that nobody knows", () => ({ source: "unknown" })],
    ["the reserved name", () => ({ source: "sandbox", secret: webhookSecret(host.secret, "sandbox") })],
  ])("refuses %s and stores nothing", async (_what, signed) => {
    const before = await footprint(host);
    const body = event();
    expect((await send(body, signed(body))).json).toMatchObject({
      status: 401,
      code: "auth.signature_invalid",
      retryable: false,
    });
    expect(await footprint(host)).toEqual(before);
  });

  it("refuses an event without a signature, and one that is no JSON", async () => {
    const before = await footprint(host);
    const bare = await host.call({
      method: "POST",
      path: `/api/v1/events/provider?tenant=${host.tenant}`,
      headers: [["content-type", "application/json"]],
      body: event(),
    });
    expect(bare.json?.["code"]).toBe("auth.signature_invalid");
    expect((await send("not json")).json).toMatchObject({ status: 400, code: "validation.json" });
    expect((await send(event({ name: "a\u0000b" }))).json?.["code"]).toBe("validation.json");
    expect(await footprint(host)).toEqual(before);
  });

  const attributes = (id: string) => ({ specversion: "1.0", id, source: "/warehouse", type: "parcel.sent" });
  const cloud = (headers: readonly (readonly [string, string])[], body: string, key = apiKey): Promise<CheckedAnswer> =>
    host.call({
      method: "POST",
      path: "/api/v1/events/warehouse",
      headers: [["authorization", `Bearer ${key}`], ...headers],
      body,
    });
  const structured = (body: Readonly<Record<string, unknown>>, key?: string) =>
    cloud([["content-type", "application/cloudevents+json"]], JSON.stringify(body), key);

  it("takes a structured CloudEvent with an API key", async () => {
    const id = randomUUID();
    const body = { ...attributes(id), data: { parcel: 7 } };
    const answers = [
      await structured(body),
      await structured(body),
      await structured({ ...body, data: { parcel: 8 } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 200, 409]);
    const [row] = await host.rows<{ payload: unknown; type: string }>(
      "select payload, type from onceboard.inbox_messages where tenant_id = $1 and message_id = $2",
      host.tenant,
      id,
    );
    expect(row).toEqual({ payload: body, type: "parcel.sent" });
  });

  it("takes a binary CloudEvent, attributes in headers", async () => {
    const id = randomUUID();
    const headers = Object.entries(attributes(id)).map(([attribute, value]) => [`ce-${attribute}`, value] as const);
    const answer = await cloud([["content-type", "application/json"], ...headers], '{"parcel":7}');
    expect(answer.status).toBe(202);
    const [row] = await host.rows<{ payload: unknown }>(
      "select payload from onceboard.inbox_messages where tenant_id = $1 and message_id = $2",
      host.tenant,
      id,
    );
    expect(row?.payload).toEqual({ ...attributes(id), datacontenttype: "application/json", data: { parcel: 7 } });
  });

  const binary = (
    fields: Readonly<Record<string, unknown>>,
    body: string,
    type: string | null = "application/json",
  ): Promise<CheckedAnswer> =>
    cloud(
      [
        ...(type === null ? [] : [["content-type", type] as const]),
        ...Object.entries(fields).map(([field, value]) => [`ce-${field}`, encodeURIComponent(String(value))] as const),
      ],
      body,
    );
  const outcomes = (answers: readonly CheckedAnswer[]) => answers.map(({ json }) => json?.["status"]);

  it("INBOX-12 keeps every attribute of a binary CloudEvent and its content type", async () => {
    const id = randomUUID();
    const sent = { ...attributes(id), partitionkey: "k-7", traceparent: "00-1-2-01", subject: "parcels/\u00fc 7" };
    expect((await binary(sent, "{}", "application/vnd.parcel+json")).status).toBe(202);
    const [row] = await host.rows<{ payload: unknown; headers: Readonly<Record<string, string>> }>(
      "select payload, headers from onceboard.inbox_messages where tenant_id = $1 and message_id = $2",
      host.tenant,
      id,
    );
    expect(row?.payload).toEqual({ ...sent, datacontenttype: "application/vnd.parcel+json", data: {} });
    expect(row?.headers["content-type"]).toBe("application/vnd.parcel+json");
  });

  it("takes the same event in the other mode, or with its members in another order, for a duplicate", async () => {
    const id = randomUUID();
    const sent = { ...attributes(id), sequence: 7, final: true };
    const answers = [
      await binary(sent, '{"parcel":7,"to":{"city":"Graz","zip":"8010"}}'),
      await binary(sent, '{"to":{"zip":"8010","city":"Graz"},"parcel":7}', "application/json; charset=utf-8"),
      await structured({ data: { to: { zip: "8010", city: "Graz" }, parcel: 7 }, ...sent }),
      await structured({
        ...sent,
        datacontenttype: "application/json",
        data_base64: btoa('{"parcel":7,"to":{"city":"Graz","zip":"8010"}}'),
      }),
    ];
    expect(outcomes(answers)).toEqual(["recorded", "duplicate", "duplicate", "duplicate"]);
    const [row] = await host.rows<{ duplicates: number; mismatches: number }>(
      "select duplicates, mismatches from onceboard.inbox_messages where tenant_id = $1 and message_id = $2",
      host.tenant,
      id,
    );
    expect(row).toEqual({ duplicates: 3, mismatches: 0 });
  });

  it.each<[string, Readonly<Record<string, unknown>>, string, string]>([
    ["type", { type: "parcel.lost" }, "{}", "application/json"],
    ["extension", { partitionkey: "other" }, "{}", "application/json"],
    ["content type", {}, "{}", "application/vnd.parcel+json"],
    ["data", {}, '{"parcel":8}', "application/json"],
  ])("flags another %s under the same id", async (_what, changed, body, type) => {
    const sent = { ...attributes(randomUUID()), partitionkey: "k" };
    expect((await binary(sent, "{}")).status).toBe(202);
    expect((await binary({ ...sent, ...changed }, body, type)).json).toMatchObject({
      status: 409,
      code: "inbox.payload_mismatch",
    });
  });

  it("takes a signed event with its members in another order for a duplicate", async () => {
    const id = `evt_${randomUUID()}`;
    const metadata = `"metadata":{"tenant":"${host.tenant}"}`;
    const first = await send(`{"type":"charge.succeeded","data":{"id":"ch_1",${metadata}}}`, { id });
    const again = await send(`{"data":{${metadata},"id":"ch_1"},"type":"charge.succeeded"}`, { id });
    expect(outcomes([first, again])).toEqual(["recorded", "duplicate"]);
  });

  it("refuses a binary CloudEvent with an attribute that cannot be one, and stores nothing", async () => {
    const before = await footprint(host);
    for (const wrong of [{ part_key: "a" }, { data: "a" }, { subject: "a\0b" }, { note: "line\nbreak" }]) {
      const answer = await binary({ ...attributes(randomUUID()), ...wrong }, "{}");
      expect(answer.json, JSON.stringify(wrong)).toMatchObject({ status: 400, code: "validation.event" });
    }
    expect(await footprint(host)).toEqual(before);
  });

  it("INBOX-2 dedupes by source and id: two producers behind one route may use the same id", async () => {
    const id = randomUUID();
    const of = (source: string) => structured({ ...attributes(id), source, data: {} });
    const answers = [
      await of("/warehouse"),
      await of("urn:shop:north"),
      await of("urn:shop:north"),
      await of("/w".repeat(120)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 200, 202]);
    const rows = await host.rows<{ message_id: string }>(
      "select message_id from onceboard.inbox_messages where tenant_id = $1 and headers ->> 'ce-id' = $2 order by received_at",
      host.tenant,
      id,
    );
    expect(rows.map((row) => row.message_id)).toEqual([id, `urn:shop:north#${id}`, expect.stringMatching(/^sha256:/)]);
  });

  it("INBOX-9 a signature speaks for the bytes: a signed CloudEvent needs no API key, and headers beside it say nothing", async () => {
    const id = `evt_${randomUUID()}`;
    const at = new Date();
    const body = JSON.stringify({
      ...attributes(id),
      type: "charge.succeeded",
      data: { metadata: { tenant: host.tenant } },
    });
    const answer = await host.call({
      method: "POST",
      path: `/api/v1/events/provider?tenant=${host.tenant}`,
      headers: [
        ["content-type", "application/cloudevents+json"],
        ["ce-specversion", "1.0"],
        ["ce-id", "another"],
        ["ce-type", "another"],
        ["webhook-id", id],
        ["webhook-timestamp", String(Math.floor(at.getTime() / 1_000))],
        ["webhook-signature", new Webhook(webhookSecret(host.secret, "provider")).sign(id, at, body)],
      ],
      body,
    });
    expect([answer.status, answer.json?.["messageId"]]).toEqual([202, id]);
    const [row] = await host.rows<{ type: string }>(
      "select type from onceboard.inbox_messages where tenant_id = $1 and message_id = $2",
      host.tenant,
      id,
    );
    expect(row).toEqual({ type: "charge.succeeded" });
  });

  it("INBOX-10 a source of a tenant's own signs with a secret shown once; during a rotation both hold, and the old one ends", async () => {
    const admin = await host.key(["admin"]);
    const source = `desk-${randomUUID().slice(0, 8)}`;
    const add = (key = randomUUID(), bearer = admin, named = source) =>
      host.call({
        method: "POST",
        path: `/api/v1/admin/event-sources/${named}/secrets`,
        headers: [
          ["authorization", `Bearer ${bearer}`],
          ["content-type", "application/json"],
          ["idempotency-key", key],
        ],
        body: JSON.stringify({ reason: "a new desk" }),
      });
    const sent = async (secret: unknown) => (await send(event(), { source, secret: String(secret) })).status;
    expect(await sent("whsec_c2VjcmV0"), "unknown before its first secret").toBe(401);
    const key = randomUUID();
    const first = (await add(key)).json?.["secret"];
    expect(first).toMatch(/^whsec_/);
    expect((await add(key)).json, "a second click shows nothing").not.toHaveProperty("secret");
    const second = (await add()).json?.["secret"];
    expect(second).not.toBe(first);
    expect([await sent(first), await sent(second)]).toEqual([202, 202]);
    await host.rows(
      "update onceboard.event_sources set expires_at = clock_timestamp() - interval '1 second' where source = $1 and expires_at is not null",
      source,
    );
    expect([await sent(first), await sent(second)]).toEqual([401, 202]);
    expect((await add(randomUUID(), apiKey)).status, "needs the scope").toBe(403);
    expect((await add(randomUUID(), admin, "provider")).status, "ours for all tenants").toBe(404);
    expect((await add(randomUUID(), admin, "sandbox")).status, "reserved").toBe(404);
    const stored = await host.rows<{ secret: Buffer }>(
      "select secret from onceboard.event_sources where source = $1",
      source,
    );
    expect(stored.map((row) => row.secret.toString("latin1").includes(String(second).slice(6)))).toEqual([
      false,
      false,
    ]);
  });

  it("refuses CloudEvents without the key, the scope or an attribute, and stores nothing", async () => {
    const before = await footprint(host);
    const good = { ...attributes(randomUUID()), data: {} };
    expect((await structured(good, "none")).status).toBe(401);
    for (const scope of ["accounts", "payments", "admin"]) {
      const answer = await structured(good, await host.key([scope]));
      expect(answer.json, scope).toMatchObject({ status: 403, code: "auth.forbidden", requiredScopes: ["events"] });
    }
    for (const missing of ["specversion", "id", "source", "type"]) {
      const answer = await structured({ ...good, [missing]: undefined });
      expect(answer.json).toMatchObject({ status: 400, code: "validation.event" });
    }
    expect((await cloud([["content-type", "application/cloudevents-batch+json"]], "[]")).status).toBe(415);
    expect(await footprint(host)).toEqual(before);
  });
});
