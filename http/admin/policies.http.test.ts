import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { openTill, payment, tillOf, type Till } from "../testing/till";

interface Policies {
  readonly operations: readonly {
    readonly operation: string;
    readonly version: number;
    readonly policy: Readonly<Record<string, unknown>>;
    readonly settings: readonly { readonly field: string; readonly from: string }[];
  }[];
}

const reason = "the partner follows the draft";

describe.each(HOSTS)("policies over HTTP on %s (POLICY-1)", (name) => {
  let host: TestHost;
  let till: Till;
  let admin: Till;
  let other: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
    other = await openTill(host, ["admin", "payments"], host.otherTenant);
  });
  afterAll(() => host.close());

  const read = async (by: Till = admin): Promise<Policies> =>
    (await by.get("/admin/policies")).json as unknown as Policies;
  const one = async (operation: string, by?: Till) =>
    (await read(by)).operations.find((view) => view.operation === operation);
  const decide = (operation: string, overrides: unknown, expectedVersion: number, key?: string | null) =>
    admin.post(
      `/admin/policies/${operation}`,
      { overrides, expectedVersion, reason },
      key === undefined ? {} : { key },
    );

  it("lists the operations that clients call, and no other", async () => {
    const { operations } = await read();
    expect(operations.map(({ operation }) => operation)).toEqual([
      "payments.create",
      "refunds.create",
      "payments.void",
      "accounts.create",
    ]);
    for (const { settings } of operations) expect(settings).toHaveLength(18);
  });

  it("CONFLICT-3 a changed mismatch status is what a conflicting retry gets, for this tenant alone; a second click is a replay", async () => {
    const paid = randomUUID();
    const body = payment();
    expect((await till.post("/payments", body, { key: paid })).status).toBe(201);
    const conflict = async () => till.post("/payments", { ...body, amount: "11.00" }, { key: paid });
    expect((await conflict()).status).toBe(409);
    const key = randomUUID();
    const first = await decide("payments.create", { mismatchStatus: 422 }, 0, key);
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({ action: "policies.write", changed: true, after: { version: 1 } });
    const second = await decide("payments.create", { mismatchStatus: 422 }, 0, key);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.text).toBe(first.text);
    await expect.poll(async () => (await conflict()).status).toBe(422);
    expect((await conflict()).json).toMatchObject({ code: "idempotency.payload_mismatch" });
    // The first answer of the key is untouched.
    expect((await till.post("/payments", body, { key: paid })).headers["idempotent-replayed"]).toBe("true");
    expect((await one("payments.create"))?.policy).toMatchObject({ mismatchStatus: 422 });
    expect((await one("payments.create", other))?.version).toBe(0);
    expect((await one("refunds.create"))?.policy).toMatchObject({ mismatchStatus: 409 });
    const entries = await host.rows(
      "select reason from onceboard.audit_entries where tenant_id = $1 and action = 'policies.write'",
      host.tenant,
    );
    expect(entries).toEqual([{ reason }]);
  });

  it("a key keeps the window it was claimed with", async () => {
    const expires = async (key: string) =>
      Date.parse(String((await till.post("/payments", payment(), { key })).headers["idempotency-expires"])) -
      Date.now();
    const before = randomUUID();
    expect(await expires(before)).toBeGreaterThan(23 * 3_600_000);
    const version = (await one("payments.create"))?.version ?? 0;
    expect((await decide("payments.create", { ttlHours: 1 }, version)).status).toBe(200);
    await expect.poll(() => expires(randomUUID())).toBeLessThanOrEqual(3_600_000);
    const rows = await host.rows(
      "select 1 from onceboard.idempotency_requests where tenant_id = $1 and key = $2 and expires_at > now() + interval '23 hours'",
      host.tenant,
      before,
    );
    expect(rows).toHaveLength(1);
  });

  it("says what is wrong at its field, and changes nothing", async () => {
    const version = (await one("refunds.create"))?.version ?? 0;
    const short = await decide("refunds.create", { leaseSeconds: 1 }, version);
    expect(short.json).toMatchObject({
      status: 422,
      code: "validation.policy",
      errors: [{ path: "leaseSeconds", message: "leaseSeconds must be longer than the provider timeout" }],
    });
    const unknown = await decide("refunds.create", { leaseSecs: 30 }, version);
    expect(unknown.json).toMatchObject({ status: 422, errors: [{ path: "leaseSecs" }] });
    expect((await decide("refunds.create", { ttlHours: 48 }, version + 1)).json).toMatchObject({
      status: 409,
      code: "policy.version_conflict",
    });
    expect((await decide("admin.policies.write", { ttlHours: 48 }, 0)).status).toBe(404);
    expect((await decide("refunds.create", [], version)).status).toBe(422);
    expect((await decide("refunds.create", {}, -1)).status).toBe(422);
    expect((await one("refunds.create"))?.version).toBe(version);
  });

  it("ONCE-1 allows one refund of a payment where this tenant decided so, and tells it in every profile", async () => {
    const refusing = await decide("payments.create", { newKey: "once" }, (await one("payments.create"))?.version ?? 0);
    expect(refusing.json).toMatchObject({
      code: "validation.policy",
      errors: [{ path: "newKey", message: "newKey cannot be decided here: this operation has no rule for it" }],
    });
    const version = (await one("refunds.create"))?.version ?? 0;
    const pay = async (by: Till) => String((await by.post("/payments", payment())).json?.["paymentId"]);
    const refund = (by: Till, paymentId: string) => by.post("/refunds", { paymentId, amount: "1.00" });
    expect((await decide("refunds.create", { newKey: "once" }, version)).status).toBe(200);
    const refused = async () => {
      const paymentId = await pay(till);
      await refund(till, paymentId);
      return (await refund(till, paymentId)).json?.["code"];
    };
    await expect.poll(refused).toBe("refund.only_once");
    const paymentId = await pay(till);
    const first = await refund(till, paymentId);
    const second = await refund(till, paymentId);
    const refundId = String(first.json?.["refundId"]);
    expect(second.json).toMatchObject({ status: 409, code: "refund.only_once", retryable: false, refundId });
    expect(second.headers["x-should-retry"]).toBe("false");
    const article = tillOf(host, await host.key(["payments"], { profile: "article", name: "shop" }));
    expect((await refund(article, paymentId)).json).toEqual({
      errorCode: "REFUND_ONLY_ONCE",
      message: expect.stringContaining(`The first refund is ${refundId}.`) as string,
    });
    const elsewhere = await pay(other);
    expect([(await refund(other, elsewhere)).status, (await refund(other, elsewhere)).status]).toEqual([201, 201]);
  });

  it("wants a key, a reason and the right to", async () => {
    const body = { overrides: { ttlHours: 48 }, expectedVersion: 0, reason };
    expect((await decide("payments.void", { ttlHours: 48 }, 0, null)).json).toMatchObject({
      code: "idempotency.key_missing",
    });
    expect((await admin.post("/admin/policies/payments.void", { ...body, reason: " " })).status).toBe(422);
    expect((await till.post("/admin/policies/payments.void", body)).status).toBe(403);
    expect((await till.get("/admin/policies")).status).toBe(403);
    expect((await one("payments.void"))?.version).toBe(0);
  });
});

describe.each(HOSTS)("deploys over HTTP on %s (RISK-3)", (name) => {
  let host: TestHost;
  let admin: Till;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
  });
  afterAll(() => host.close());

  const deploys = () =>
    host.rows<{ service: string; version: string; link: string | null; ago: number }>(
      `select service, version, link, round(extract(epoch from now() - at))::int as ago from onceboard.deploys where tenant_id = $1 order by reported_at`,
      host.tenant,
    );
  const report = (fields: Readonly<Record<string, unknown>>, key: string = randomUUID()) =>
    admin.post("/admin/deploys", { service: "api", version: "2.31.0", ...fields }, { key });

  it("marks a deploy once per key, with an entry in the audit", async () => {
    const key = randomUUID();
    const first = await report({ link: "https://ci.example/runs/7" }, key);
    expect(first.json).toMatchObject({
      action: "deploys.report",
      changed: true,
      message: "Deploy api 2.31.0 is marked.",
      after: { service: "api", version: "2.31.0", link: "https://ci.example/runs/7" },
    });
    const again = await report({ link: "https://ci.example/runs/7" }, key);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.json).toMatchObject({ auditId: first.json?.["auditId"] });
    expect(await deploys()).toEqual([{ service: "api", version: "2.31.0", link: "https://ci.example/runs/7", ago: 0 }]);
    const audit = await host.rows(
      "select subject_type, after ->> 'version' as version from onceboard.audit_entries where tenant_id = $1 and action = 'deploys.report'",
      host.tenant,
    );
    expect(audit).toEqual([{ subject_type: "deploy", version: "2.31.0" }]);
    expect(await report({ version: "2.32.0" }, key)).toMatchObject({
      status: 409,
      json: { code: "idempotency.payload_mismatch" },
    });
  });

  it("takes the time that the pipeline says, of any zone, as far back as marks are kept and hardly ahead", async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect((await report({ version: "b", at: at(-60).replace("Z", "+00:00") })).status).toBe(200);
    expect((await deploys()).at(-1)).toMatchObject({ version: "b", ago: 3_600 });
    for (const minutes of [10, -31 * 1_440])
      expect(await report({ at: at(minutes) })).toMatchObject({ status: 422, json: { code: "validation.deploy" } });
    expect(await deploys()).toHaveLength(2);
  });

  it.each([
    ["a name of nothing", { service: " " }],
    ["a version of 101 characters", { version: "v".repeat(101) }],
    ["a link that runs something", { link: "javascript:alert(1)" }],
    ["a time that is none", { at: "yesterday" }],
    ["a member that it does not know", { commit: "abc" }],
  ])("refuses %s", async (_what, fields) => {
    expect((await report(fields)).status).toBe(422);
    expect(await deploys()).toHaveLength(2);
  });

  it("is for who acts in the console, not for a till", async () => {
    expect((await till.post("/admin/deploys", { service: "api", version: "1" })).status).toBe(403);
  });
});
