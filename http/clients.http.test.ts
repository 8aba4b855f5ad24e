import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forgetApiKey } from "@/auth/api-keys/api-keys";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { requireInProcess } from "./testing/in-process";
import { payment, tillOf, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

const API_KEY = /^ob_[0-9a-f]{20}_[A-Za-z0-9_-]{43}$/;

describe.each(HOSTS.filter((name) => name !== "next"))("ACCESS-8 clients and keys over %s", (name) => {
  let host: TestHost;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost(name);
    admin = tillOf(host, await host.key(["admin"], { name: "console" }));
  });
  afterAll(() => host.close());

  const reason = "a test";
  const path = (client: string, rest = "") => `/admin/clients/${encodeURIComponent(client)}${rest}`;
  async function newClient(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const client = `shop ${randomUUID()}`;
    const made = await admin.post("/admin/clients", { name: client, scopes: ["payments", "accounts"], ...fields });
    expect(made.status).toBe(200);
    return client;
  }
  const keyIn = (answer: CheckedAnswer): string => {
    expect(answer.status).toBe(200);
    const { key } = answer.json ?? {};
    expect(key).toMatch(API_KEY);
    return key as string;
  };
  const newKey = async (client: string): Promise<string> => keyIn(await admin.post(path(client, "/keys"), { reason }));
  const idOf = (key: string): string => key.split("_")[1] ?? "";
  const pay = (key: string) => tillOf(host, key).post("/payments", payment());
  const detail = async (client: string) => (await admin.get(path(client))).json ?? {};
  const keysOf = async (client: string) =>
    (await detail(client))["keys"] as readonly Readonly<Record<string, unknown>>[];
  /** Nothing that is kept may open anything. */
  async function expectNowhere(...keys: readonly string[]): Promise<void> {
    const kept = await host.rows<{ text: string }>(
      `select a::text as text from onceboard.audit_entries a union all select r::text from onceboard.idempotency_requests r
       union all select e::text from onceboard.idempotency_events e union all select k::text from onceboard.api_keys k`,
    );
    for (const key of keys) {
      const secret = key.slice(-43);
      expect(kept.filter(({ text }) => text.includes(secret))).toEqual([]);
    }
  }

  it("a client is made once, with its contact, and its first key opens what it may", async () => {
    const click = randomUUID();
    const client = `till ${randomUUID()}`;
    const body = { name: client, contact: "pay@shop.example", scopes: ["payments"], profile: "fault" };
    const first = await admin.post("/admin/clients", body, { key: click });
    const again = await admin.post("/admin/clients", body, { key: click });
    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([200, 200, "true"]);
    expect(first.json?.["href"]).toBe(`/clients/${encodeURIComponent(client)}`);
    expect((await admin.post("/admin/clients", body)).json).toMatchObject({ code: "api_client.exists", status: 409 });
    expect(await keysOf(client)).toEqual([]);
    const key = await newKey(client);
    expect((await pay(key)).status).toBe(201);
    expect((await tillOf(host, key).get("/admin/clients")).status).toBe(403);
    expect(await detail(client)).toMatchObject({ client: { contact: "pay@shop.example", profile: "fault" } });
  });

  it("a changed client changes what keys made from now on open, not those that exist, also when they are rotated", async () => {
    const client = await newClient();
    const old = await newKey(client);
    const fields = { contact: "risk@shop.example", scopes: ["events"], profile: "fault", reason };
    expect((await admin.post(path(client, "/change"), fields)).json).toMatchObject({ changed: true });
    expect(await detail(client)).toMatchObject({ client: { contact: "risk@shop.example", scopes: ["events"] } });
    const rotated = keyIn(await admin.post(path(client, `/keys/${idOf(old)}/rotate`), { reason }));
    const made = await newKey(client);
    const keys = await keysOf(client);
    const opens = [made, rotated, old].map((key) => keys.find(({ id }) => id === idOf(key)));
    expect(opens.map((key) => [key?.["scopes"], key?.["profile"]])).toEqual([
      [["events"], "fault"],
      [["payments", "accounts"], "problem"],
      [["payments", "accounts"], "problem"],
    ]);
    expect([(await pay(made)).status, (await pay(rotated)).status, (await pay(old)).status]).toEqual([403, 201, 201]);
  });

  it("a name that no client can have is of nobody", async () => {
    for (const [client, code] of [
      ["\u0000", "route.not_found"],
      ["a\u0000b", "route.not_found"],
      ["x".repeat(301), "api_client.not_found"],
    ] as const) {
      expect((await admin.get(path(client))).json).toMatchObject({ status: 404, code });
      for (const rest of ["/keys", "/keys/x/revoke", "/keys/x/rotate"]) {
        expect((await admin.post(path(client, rest), { reason })).json, rest).toMatchObject({ status: 404, code });
      }
    }
    const client = await newClient();
    expect((await admin.post(path(client, `/keys/${"x".repeat(301)}/revoke`), { reason })).json).toMatchObject({
      status: 404,
      code: "api_key.not_found",
    });
  });

  it("a secret that is given is part of the command: another one under the same key is refused", async () => {
    const click = randomUUID();
    const give = (fill: number) =>
      admin.post(
        "/admin/event-sources",
        { source: "given-twice", secret: `whsec_${Buffer.alloc(32, fill).toString("base64")}`, reason },
        { key: click },
      );
    expect((await give(1)).status).toBe(200);
    expect((await give(1)).headers["idempotent-replayed"]).toBe("true");
    expect((await give(2)).json).toMatchObject({ status: 409, code: "idempotency.payload_mismatch" });
  });

  it("a key is in the answer that made it and in no other place", async () => {
    const client = await newClient();
    const click = randomUUID();
    const first = await admin.post(path(client, "/keys"), { reason }, { key: click });
    const again = await admin.post(path(client, "/keys"), { reason }, { key: click });
    const key = keyIn(first);
    expect(first.headers["cache-control"]).toContain("no-store");
    expect(again.status).toBe(200);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.json?.["message"]).toBe("The key is created. It was shown once and is not shown again.");
    expect(again.text).not.toContain(key.slice(-43));
    expect(await keysOf(client)).toHaveLength(1);
    expect((await admin.get(path(client))).text).not.toContain(key.slice(-43));
    await expectNowhere(key);
    const [audit] = await host.rows<{ after: Record<string, unknown>; reason: string }>(
      "select after, reason from onceboard.audit_entries where action = 'clients.manage' and subject_id = $1 order by at desc limit 1",
      client,
    );
    expect(audit).toMatchObject({ reason, after: { did: "key made", keyId: idOf(key) } });
  });

  it("a rotation leaves both keys open for the overlap, and none after it", async () => {
    const client = await newClient();
    const old = await newKey(client);
    const click = randomUUID();
    const rotate = () =>
      admin.post(path(client, `/keys/${idOf(old)}/rotate`), { reason, overlapHours: "72" }, { key: click });
    const told = () =>
      host.rows(
        "select id::text from onceboard.outbox_messages union all select id::text from onceboard.notifications",
      );
    const before = await told();
    const fresh = keyIn(await rotate());
    expect(await told()).toEqual(before);
    const again = await rotate();
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.text).not.toContain(fresh.slice(-43));
    expect([(await pay(old)).status, (await pay(fresh)).status]).toEqual([201, 201]);
    const keys = await keysOf(client);
    expect(keys.map(({ id, state }) => [id, state])).toEqual([
      [idOf(fresh), "live"],
      [idOf(old), "ending"],
    ]);
    const hours = (Date.parse(String(keys[1]?.["expiresAt"])) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(71.9);
    expect(hours).toBeLessThan(72.1);
    await host.rows("update onceboard.api_keys set expires_at = now() - interval '1 second' where id = $1", idOf(old));
    forgetApiKey(requireInProcess(host).deps.db, idOf(old));
    expect([(await pay(old)).status, (await pay(fresh)).status]).toEqual([401, 201]);
    expect((await admin.post(path(client, `/keys/${idOf(old)}/rotate`), { reason })).json).toMatchObject({
      code: "api_key.ended",
      status: 409,
    });
    await expectNowhere(old, fresh);
  });

  it("a rotation may end the old key at once, and the default is a day", async () => {
    const client = await newClient();
    const one = await newKey(client);
    const two = keyIn(await admin.post(path(client, `/keys/${idOf(one)}/rotate`), { reason, overlapHours: 0 }));
    expect([(await pay(one)).status, (await pay(two)).status]).toEqual([401, 201]);
    await admin.post(path(client, `/keys/${idOf(two)}/rotate`), { reason });
    const ends = (await keysOf(client)).find(({ id }) => id === idOf(two))?.["expiresAt"];
    expect(Math.round((Date.parse(String(ends)) - Date.now()) / 3_600_000)).toBe(24);
  });

  it("a revoked key is refused at its next request, says by whom, and a second click changes nothing", async () => {
    const client = await newClient();
    const key = await newKey(client);
    const paid = await pay(key);
    expect(paid.status).toBe(201);
    const click = randomUUID();
    const revoke = (under: string) => admin.post(path(client, `/keys/${idOf(key)}/revoke`), { reason }, { key: under });
    expect((await revoke(click)).json).toMatchObject({ changed: true, message: "Revoked." });
    expect((await pay(key)).status).toBe(401);
    expect((await revoke(click)).headers["idempotent-replayed"]).toBe("true");
    expect((await revoke(randomUUID())).json).toMatchObject({ changed: false, affected: 0 });
    expect((await keysOf(client))[0]).toMatchObject({ state: "revoked", revokedBy: "console" });
    expect((await admin.get(`/admin/operations/${String(paid.headers["operation-id"])}`)).json).toMatchObject({
      client,
    });
    expect((await admin.post(path(client, `/keys/${idOf(key)}/rotate`), { reason })).json?.["code"]).toBe(
      "api_key.ended",
    );
    expect((await pay(key)).status).toBe(401);
  });

  it("a key of another client or tenant is not touched", async () => {
    const [mine, other] = [await newClient(), await newClient()];
    const key = await newKey(other);
    const stranger = tillOf(host, await host.key(["admin"], { tenant: host.otherTenant, name: "stranger" }));
    const act = (who: Till, client: string) => who.post(path(client, `/keys/${idOf(key)}/revoke`), { reason });
    expect((await act(admin, mine)).json).toMatchObject({ code: "api_key.not_found", status: 404 });
    expect((await act(stranger, other)).json).toMatchObject({ code: "api_client.not_found", status: 404 });
    expect((await pay(key)).status).toBe(201);
  });

  it.each([
    [{ name: "" }, 422],
    [{ name: "a\nb" }, 422],
    [{ scopes: [] }, 422],
    [{ scopes: ["payments", "root"] }, 422],
    [{ profile: "fancy" }, 422],
    [{ secret: "x" }, 422],
  ])("a client is not made from %j", async (change, status) => {
    const body = { name: `c ${randomUUID()}`, scopes: ["payments"], ...change };
    expect((await admin.post("/admin/clients", body)).status).toBe(status);
  });

  it("a client has a bounded number of open keys", async () => {
    const client = await newClient();
    for (let made = 0; made < 10; made += 1) await newKey(client);
    expect((await admin.post(path(client, "/keys"), { reason })).json).toMatchObject({
      code: "api_key.limit",
      status: 409,
    });
  });

  it("REPORT-2 what is turned away at the door is on the client's report card, and its key says when it was used", async () => {
    const client = await newClient();
    const key = await newKey(client);
    const till = tillOf(host, key);
    expect((await till.post("/payments", payment(), { key: null })).status).toBe(400);
    expect((await till.post("/payments", payment(), { key: "a, b" })).status).toBe(400);
    expect((await till.post("/payments", { amount: "x" })).status).toBe(422);
    expect((await till.get("/payments/none")).status).toBe(404);
    const { deps } = requireInProcess(host);
    await deps.engine.refusals.flush();
    const report = (await detail(client))["report"];
    expect(report).toMatchObject({ noKey: 1, badKey: 1, invalid: 1, requests: 3, executed: 0 });
    const used = async () => (await keysOf(client))[0]?.["lastUsedAt"];
    await expect.poll(used, { timeout: 5_000 }).toMatch(/:00\.000000Z$/);
  });
});

describe("event sources over the admin API", () => {
  let host: TestHost;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost("hono");
    admin = tillOf(host, await host.key(["admin"]));
  });
  afterAll(() => host.close());
  const reason = "a test";
  const listed = async () =>
    (await admin.get("/admin/event-sources")).json?.["secrets"] as readonly Readonly<Record<string, unknown>>[];

  it("INBOX-10 a secret is made and shown once, or given and never shown; an old one is ended by hand", async () => {
    const made = await admin.post("/admin/event-sources", { source: "bank", reason });
    expect(made.json?.["secret"]).toMatch(/^whsec_/);
    const given = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const taken = await admin.post("/admin/event-sources", { source: "bank", secret: given, reason });
    expect(taken.status).toBe(200);
    expect(taken.text).not.toContain(given);
    expect((await admin.get("/admin/event-sources")).text).not.toContain("whsec_");
    const [newest, oldest] = await listed();
    expect([newest?.["ended"], oldest?.["ended"], typeof oldest?.["expiresAt"]]).toEqual([false, false, "string"]);
    const end = (id: unknown) => admin.post(`/admin/event-sources/bank/secrets/${String(id)}/expire`, { reason });
    expect((await end(oldest?.["secretId"])).json).toMatchObject({ changed: true });
    expect((await listed()).map(({ ended, last }) => [ended, last])).toEqual([
      [false, true],
      [true, false],
    ]);
    expect((await end(oldest?.["secretId"])).status).toBe(404);
    const audit = await host.rows<{ text: string }>("select a::text as text from onceboard.audit_entries a");
    expect(audit.some(({ text }) => text.includes("event_sources.expire_secret"))).toBe(true);
    expect(audit.some(({ text }) => text.includes(given) || text.includes(String(made.json?.["secret"])))).toBe(false);
  });

  it.each([
    "",
    "   ",
    "whsec_",
    "whsec_short",
    "plain",
    `whsec_${"A".repeat(100)}`,
    "A".repeat(400),
    `whsec_${"-".repeat(32)}`,
    `WHSEC_${Buffer.alloc(32, 7).toString("base64")}`,
    Buffer.alloc(23, 7).toString("base64"),
  ])("does not take %j as a secret", async (secret) => {
    for (const [path, body] of [
      ["/admin/event-sources", { source: "bank", secret, reason }],
      ["/admin/event-sources/bank/secrets", { secret, reason }],
    ] as const) {
      const answer = await admin.post(path, body);
      expect([answer.status, answer.json?.["code"]], path).toEqual([422, "validation.event_secret"]);
    }
  });

  it("takes a secret without whsec_ before it, as the library does, and checks signatures with it", async () => {
    const secret = Buffer.alloc(32, 9).toString("base64");
    const taken = await admin.post("/admin/event-sources/bare/secrets", { secret, reason });
    expect([taken.status, taken.json?.["secret"]]).toEqual([200, undefined]);
    const [id, at, body] = [`evt_${randomUUID()}`, new Date(), '{"type":"parcel.sent"}'];
    const sent = await host.call({
      method: "POST",
      path: `/api/v1/events/bare?tenant=${host.tenant}`,
      headers: [
        ["content-type", "application/json"],
        ["webhook-id", id],
        ["webhook-timestamp", String(Math.floor(at.getTime() / 1_000))],
        ["webhook-signature", new Webhook(secret).sign(id, at, body)],
      ],
      body,
    });
    expect(sent.status).toBe(202);
  });

  it("an event that was accepted stays accepted when its secret ends, and the next one is refused", async () => {
    const secret = Buffer.alloc(32, 11).toString("base64");
    await admin.post("/admin/event-sources/parcels/secrets", { secret, reason });
    const send = (id: string) => {
      const [at, body] = [new Date(), '{"type":"parcel.sent"}'];
      const headers = [
        ["content-type", "application/json"],
        ["webhook-id", id],
        ["webhook-timestamp", String(Math.floor(at.getTime() / 1_000))],
        ["webhook-signature", new Webhook(secret).sign(id, at, body)],
      ] as const;
      return host.call({ method: "POST", path: `/api/v1/events/parcels?tenant=${host.tenant}`, headers, body });
    };
    const id = `evt_${randomUUID()}`;
    const kept = () => host.rows("select state, payload from onceboard.inbox_messages where message_id = $1", id);
    expect((await send(id)).status).toBe(202);
    const accepted = await kept();
    expect(accepted.length).toBeGreaterThan(0);
    const [{ secretId } = {}] = (await listed()).filter(({ source }) => source === "parcels");
    await admin.post(`/admin/event-sources/parcels/secrets/${String(secretId)}/expire`, { reason });
    expect((await send(`evt_${randomUUID()}`)).status).toBe(401);
    expect(await kept()).toEqual(accepted);
  });

  it("keeps the last secret that our own messages are signed with", async () => {
    await admin.post("/admin/event-sources", { source: "onceboard", reason });
    const own = (await listed()).filter(({ source, ended }) => source === "onceboard" && ended === false);
    const [one] = own;
    expect(own).toHaveLength(1);
    const end = await admin.post(`/admin/event-sources/onceboard/secrets/${String(one?.["secretId"])}/expire`, {
      reason,
    });
    expect(end.json).toMatchObject({ code: "event_source.last_secret", status: 409 });
  });

  it("a long past of one source hides no valid secret of another, so the last one is the last one", async () => {
    await host.rows(
      `insert into onceboard.event_sources (tenant_id, source, secret_id, secret, created_at, expires_at)
       select $1, 'aged', 'old-' || n, '', now() - interval '2 days', now() - interval '1 day' from generate_series(1, 200) n`,
      host.tenant,
    );
    await admin.post("/admin/event-sources", { source: "zeta", reason });
    await admin.post("/admin/event-sources", { source: "zeta", reason });
    const zeta = (await listed()).filter(({ source }) => source === "zeta");
    expect(zeta.map(({ ended, last }) => [ended, last])).toEqual([
      [false, false],
      [false, false],
    ]);
  });
});
