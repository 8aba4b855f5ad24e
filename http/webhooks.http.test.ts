import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { openTill, tillOf, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

describe.each(HOSTS.filter((name) => name !== "next"))("webhook endpoints over %s", (name) => {
  let host: TestHost;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost(name, { env: { WEBHOOK_ALLOW_PRIVATE: "true" } });
    admin = tillOf(host, await host.key(["admin"]));
  });
  afterAll(() => host.close());

  const create = (fields: Readonly<Record<string, unknown>> = {}, key: string = randomUUID()): Promise<CheckedAnswer> =>
    admin.post("/admin/webhook-endpoints", { url: `http://127.0.0.1:9/${randomUUID()}`, ...fields }, { key });
  const act = (id: unknown, what: string, body: Readonly<Record<string, unknown>> = { reason: "a test" }) =>
    admin.post(`/admin/webhook-endpoints/${String(id)}/${what}`, body);
  const list = async () =>
    (await admin.get("/admin/webhook-endpoints")).json?.["endpoints"] as readonly Readonly<Record<string, unknown>>[];
  const idOf = ({ json }: CheckedAnswer) => (json?.["after"] as { id: string }).id;

  it("a click makes one endpoint, and its secret is in that answer alone", async () => {
    const key = randomUUID();
    const url = "http://127.0.0.1:9/one";
    const first = await create({ url, types: ["refund.succeeded", "payment.succeeded"], description: "Shop" }, key);
    expect(first.status).toBe(200);
    expect(first.json?.["secret"]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await create({ url, types: ["payment.succeeded", "refund.succeeded"], description: "Shop" }, key);
    expect(again.status).toBe(200);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.text).not.toContain("whsec_");
    const listed = await admin.get("/admin/webhook-endpoints");
    expect(listed.text).not.toContain("whsec_");
    expect((await list()).filter((row) => row["url"] === url)).toMatchObject([
      { id: idOf(first), types: ["payment.succeeded", "refund.succeeded"], description: "Shop", waiting: 0, dead: 0 },
    ]);
    expect((await create({ url })).json).toMatchObject({ code: "webhook_endpoint.exists", status: 409 });
    // Its history: one entry, about the endpoint that was made, without a secret.
    const audit = await host.rows<{ action: string; text: string }>(
      "select action, a::text as text from onceboard.audit_entries a where tenant_id = $1 and subject_id = $2",
      host.tenant,
      idOf(first),
    );
    expect(audit.map(({ action }) => action)).toEqual(["webhook_endpoints.create"]);
    expect(audit[0]?.text).not.toContain("whsec_");
  });

  it.each([
    ["no URL", { url: "shop" }, 422],
    ["a file", { url: "file:///etc/passwd" }, 422],
    ["a password", { url: "https://user:secret@shop.example/" }, 422],
    ["a type that we do not know", { types: ["payment.exploded"] }, 422],
    ["a member that we do not know", { secret: "whsec_mine" }, 422],
  ])("refuses %s and makes nothing", async (_name, fields, status) => {
    const before = (await list()).length;
    expect((await create(fields)).status).toBe(status);
    expect(await list()).toHaveLength(before);
  });

  it("changes, rotates, disables, enables and deletes, each with its reason in the audit", async () => {
    const id = idOf(await create());
    const shown = async () => (await list()).find((row) => row["id"] === id);
    expect((await act(id, "change", { types: ["payment.voided"], description: "Voids", reason: "less" })).status).toBe(
      200,
    );
    expect(await shown()).toMatchObject({ types: ["payment.voided"], description: "Voids" });
    const rotated = await act(id, "rotate-secret");
    expect(rotated.json?.["secret"]).toMatch(/^whsec_/);
    expect((await shown())?.["secrets"]).toHaveLength(2);
    expect((await act(id, "disable", { reason: "maintenance" })).json).toMatchObject({ changed: true });
    expect((await act(id, "disable")).json).toMatchObject({ changed: false });
    expect(await shown()).toMatchObject({ disabled: { reason: "maintenance" } });
    expect((await act(id, "enable")).json).toMatchObject({ changed: true });
    expect((await shown())?.["disabled"]).toBeUndefined();
    expect((await act(id, "disable", {})).status).toBe(422);
    expect((await act(id, "delete")).json).toMatchObject({ changed: true });
    expect(await shown()).toBeUndefined();
    expect((await act(id, "delete")).json).toMatchObject({ code: "webhook_endpoint.not_found", status: 404 });
    const actions = await host.rows<{ action: string }>(
      "select action from onceboard.audit_entries where tenant_id = $1 and subject_id = $2 and (after ->> 'changed')::boolean order by sequence",
      host.tenant,
      id,
    );
    expect(actions.map(({ action }) => action.replace("webhook_endpoints.", ""))).toEqual([
      "create",
      "change",
      "rotate_secret",
      "disable",
      "enable",
      "delete",
    ]);
  });

  it("WEBHOOK-6 one that is down says since when and when it is tried next; a person may ask for that now; enabling it tries at once", async () => {
    const id = idOf(await create());
    const shown = async () => (await list()).find((row) => row["id"] === id);
    expect((await shown())?.["down"]).toBeUndefined();
    const fail = () =>
      host.rows(
        "select * from onceboard.fail_circuit($1, $2, 2, 30000, 900000, 0.5, 'webhook.http_503', 'The endpoint answered 503')",
        host.tenant,
        `webhook:${id}`,
      );
    await fail();
    expect((await shown())?.["down"]).toBeUndefined();
    await fail();
    const down = (await shown())?.["down"] as { readonly since: string; readonly nextTryAt: string };
    expect(down).toMatchObject({ failures: 2, error: "The endpoint answered 503" });
    const waits = Date.parse(down.nextTryAt) - Date.parse(down.since);
    expect(waits).toBe(22_500);
    expect((await act(id, "test")).json).toMatchObject({
      changed: false,
      message: "Nothing changed. No message can be sent there now.",
    });
    await host.rows(
      `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, state, next_attempt_at)
       values ($1, gen_random_uuid(), 'payment', 'pay_1', $2, 'payment.succeeded', '{}', now(), 'pending', now() + interval '5 hours')`,
      ...[host.tenant, `webhook:${id}`],
    );
    const key = randomUUID();
    const asked = await admin.post(`/admin/webhook-endpoints/${id}/test`, { reason: "it is back" }, { key });
    expect(asked.json).toMatchObject({
      changed: true,
      message: "The relay sends one message there at its next turn.",
    });
    const due = (await shown())?.["down"] as { readonly nextTryAt: string };
    expect(Date.parse(due.nextTryAt)).toBeLessThan(Date.parse(down.nextTryAt));
    const again = await admin.post(`/admin/webhook-endpoints/${id}/test`, { reason: "it is back" }, { key });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const audit = await host.rows(
      "select reason, after ->> 'due' as due from onceboard.audit_entries where subject_id = $1 and action = 'webhook_endpoints.test' order by sequence",
      id,
    );
    expect(audit).toEqual([
      { reason: expect.any(String) as string, due: null },
      { reason: "it is back", due: "true" },
    ]);
    await act(id, "disable");
    await act(id, "enable");
    expect((await shown())?.["down"]).toBeUndefined();
  });

  it("belong to one tenant, and to nobody without the scope", async () => {
    const id = idOf(await create());
    const other = tillOf(host, await host.key(["admin"], { tenant: host.otherTenant }));
    expect((await other.get("/admin/webhook-endpoints")).json).toMatchObject({ endpoints: [] });
    expect((await other.post(`/admin/webhook-endpoints/${id}/delete`, { reason: "mine" })).status).toBe(404);
    const till = await openTill(host);
    expect((await till.get("/admin/webhook-endpoints")).status).toBe(403);
    expect((await till.post("/admin/webhook-endpoints", { url: "https://shop.example/" })).status).toBe(403);
  });

  it("without a key nothing is made", async () => {
    const before = (await list()).length;
    expect((await admin.post("/admin/webhook-endpoints", { url: "http://127.0.0.1:9/k" }, { key: null })).status).toBe(
      400,
    );
    expect(await list()).toHaveLength(before);
  });
});

describe("a deployment as it comes", () => {
  let host: TestHost;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost("hono");
    admin = tillOf(host, await host.key(["admin"]));
  });
  afterAll(() => host.close());

  it.each([
    "http://shop.example/",
    "https://127.0.0.1/",
    "https://169.254.169.254/",
    "https://[::1]/",
    "https://localhost/",
  ])("has no webhook go to %s", async (url) => {
    expect((await admin.post("/admin/webhook-endpoints", { url })).json).toMatchObject({
      code: "validation.webhook_url",
      status: 422,
      detail: expect.stringMatching(/^[A-Z].+\. Nothing was made\.$/) as string,
    });
  });

  it("PAYMENT-7 an account with an address answers as one without, and its address is in no answer", async () => {
    const till = await openTill(host);
    const id = randomUUID();
    const plain = await till.post("/accounts", { accountId: `a-${id}`, currency: "EUR" });
    const key = randomUUID();
    const body = { accountId: `b-${id}`, currency: "EUR", email: "holder@example.org" };
    const mailed = await till.post("/accounts", body, { key });
    expect([plain.status, mailed.status]).toEqual([201, 201]);
    expect(Object.keys(mailed.json ?? {})).toEqual(Object.keys(plain.json ?? {}));
    const read = await till.get(`/accounts/b-${id}`);
    const operation = await admin.get(`/admin/operations/${String(mailed.headers["operation-id"])}`);
    expect(operation.status).toBe(200);
    for (const answer of [mailed, read, operation]) expect(answer.text).not.toContain("holder@");
    expect((await till.post("/accounts", body, { key })).headers["idempotent-replayed"]).toBe("true");
    const other = await till.post("/accounts", { ...body, email: "other@example.org" }, { key });
    expect(other.json).toMatchObject({ code: "idempotency.payload_mismatch", differingFields: ["email"] });
    expect(other.text).not.toContain("@example.org");
    for (const email of ["nobody", "a@b", "a b@example.org", "a@example.org\r\nBcc: b@example.org"]) {
      expect((await till.post("/accounts", { ...body, accountId: randomUUID(), email })).status).toBe(422);
    }
  });
});
