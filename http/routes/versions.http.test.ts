import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { meshTill } from "../testing/mesh-till";
import { footprint, openTill, payment, type Till } from "../testing/till";

/** Two versions of one contract at the same time, in the example business. */
const OLDER = "2026-11-01";
const NEWER = "2026-11-15";
const asking = (version: string) => ({ headers: [["api-version", version]] as const });

describe.each(HOSTS)("versions of the contract on %s", (name) => {
  let host: TestHost;
  let till: Till;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
    admin = await openTill(host, ["admin"]);
  });
  afterAll(() => host.close());

  const read = (path: string, version: string) =>
    host.call({
      path: `/api/v1${path}`,
      headers: [
        ["authorization", `Bearer ${till.apiKey}`],
        ["api-version", version],
      ],
    });

  it("VERSION-1 answers who asks for none, and who asks for the older one, as before; the newer one in its own shape", async () => {
    const plain = await till.post("/payments", payment());
    const older = await till.post("/payments", payment(), asking(OLDER));
    const newer = await till.post("/payments", payment(), asking(NEWER));
    expect([plain, older, newer].map(({ status, headers }) => [status, headers["response-schema-version"]])).toEqual([
      [201, "v1"],
      [201, "v1"],
      [201, "v2"],
    ]);
    expect(plain.json).toMatchObject({ status: "succeeded", amount: "10.00", currency: "EUR" });
    expect(Object.keys(older.json ?? {})).toEqual(Object.keys(plain.json ?? {}));
    expect(newer.json).toMatchObject({ state: "succeeded", amount: { value: "10.00", currency: "EUR" } });
    expect(newer.json).not.toHaveProperty("status");
    const record = await till.get(`/operations/${String(newer.headers["operation-id"])}`);
    expect(record.json).toMatchObject({ responseSchemaVersion: "v2" });
    const rows = await host.rows<{ api_version: string }>(
      "select api_version from onceboard.idempotency_requests where operation_id = $1",
      newer.headers["operation-id"],
    );
    expect(rows).toEqual([{ api_version: NEWER }]);
  });

  it.each([
    [OLDER, NEWER, "v1"],
    [NEWER, OLDER, "v2"],
    [NEWER, undefined, "v2"],
  ])(
    "VERSION-2 replays an answer of %s byte for byte, also to a retry that asks for %s",
    async (first, later, schema) => {
      const body = payment();
      const key = randomUUID();
      const made = await till.post("/payments", body, { key, ...asking(first) });
      const same = await till.post("/payments", body, { key, ...asking(first) });
      const other = await till.post("/payments", body, { key, ...(later && asking(later)) });
      for (const replay of [same, other]) {
        expect([replay.status, replay.headers["idempotent-replayed"]]).toEqual([201, "true"]);
        expect(replay.headers["response-schema-version"]).toBe(schema);
        expect(replay.bytes).toEqual(made.bytes);
      }
      const conflict = await till.post("/payments", { ...body, amount: "11.00" }, { key, ...(later && asking(later)) });
      expect(conflict.json).toMatchObject({ code: "idempotency.payload_mismatch", differingFields: ["amount"] });
    },
  );

  it("VERSION-2 makes one payment of two requests at once that ask for different versions", async () => {
    const body = payment();
    const key = randomUUID();
    const answers = await Promise.all(
      [OLDER, NEWER, OLDER, NEWER].map((version) => till.post("/payments", body, { key, ...asking(version) })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const replays = await Promise.all(
      [OLDER, NEWER].map((version) => till.post("/payments", body, { key, ...asking(version) })),
    );
    for (const { bytes } of [...made, ...replays]) expect(bytes).toEqual(made[0]?.bytes);
    const rows = await host.rows(
      "select 1 from payments.payments where merchant_reference = $1",
      body["merchantReference"],
    );
    expect(rows).toHaveLength(1);
  });

  it("VERSION-3 refuses a version that there is not, and records nothing", async () => {
    const before = await footprint(host);
    const refused = await till.post("/payments", payment(), asking("2020-01-01"));
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ code: "validation.parameters", errors: [{ path: "API-Version" }] });
    expect(JSON.stringify(refused.json?.["errors"])).toContain(NEWER);
    expect(await footprint(host)).toEqual(before);
    expect((await read(`/payments/${randomUUID()}`, "2020-01-01")).status).toBe(400);
  });

  it("VERSION-1 has refunds, voids and reads in the version that is asked for", async () => {
    const { json } = await till.post("/payments", payment());
    const paymentId = String(json?.["paymentId"]);
    const refund = await till.post("/refunds", { paymentId, amount: "4.00" }, asking(NEWER));
    expect(refund.json).toMatchObject({ state: "succeeded", amount: { value: "4.00", currency: "EUR" } });
    expect((await read(`/refunds/${String(refund.json?.["refundId"])}`, NEWER)).json).toEqual(refund.json);
    expect((await read(`/payments/${paymentId}`, OLDER)).json).toEqual(json);
    expect((await read(`/payments/${paymentId}`, NEWER)).json).toMatchObject({ amount: { value: "10.00" } });
    const other = await till.post("/payments", payment(), asking(NEWER));
    const voided = await till.post(`/payments/${String(other.json?.["paymentId"])}/void`, {}, asking(NEWER));
    expect(voided.json).toMatchObject({
      state: "voided",
      amount: { value: "10.00" },
      voidId: expect.any(String) as string,
    });
    const account = await till.post("/accounts", { accountId: `acc-${randomUUID()}`, currency: "EUR" }, asking(NEWER));
    expect([account.status, account.headers["response-schema-version"]]).toEqual([201, "v1"]);
  });

  it("VERSION-4 settles a lost answer in the version of its first request, whoever settles it", async () => {
    const body = payment();
    const key = randomUUID();
    await host.faults({ timeout_after_accept: 1 });
    const lost = await till.post("/payments", body, { key, ...asking(NEWER) });
    await host.faults({ timeout_after_accept: 0 });
    expect(lost.status).toBe(504);
    const reconciled = await admin.post(`/admin/operations/${String(lost.headers["operation-id"])}/reconcile`, {
      reason: "a test",
    });
    expect(reconciled.status).toBe(200);
    const answer = await till.post("/payments", body, { key });
    expect([answer.status, answer.headers["response-schema-version"]]).toEqual([201, "v2"]);
    expect(answer.json).toMatchObject({ state: "succeeded", amount: { value: "10.00", currency: "EUR" } });
  });

  it("VERSION-4 replays by reference in the version of the first request", async () => {
    const policy = "/admin/policies/payments.create";
    const decide = (overrides: object, expectedVersion: number) =>
      admin.post(policy, { overrides, expectedVersion, reason: "a test" });
    expect((await decide({ replay: "reference" }, 0)).status).toBe(200);
    const key = randomUUID();
    const body = payment();
    await till.post("/payments", body, { key, ...asking(NEWER) });
    const again = await till.post("/payments", body, { key });
    expect((await decide({}, 1)).status).toBe(200);
    expect(again.headers["idempotency-replay"]).toBe("reference");
    expect(again.headers["response-schema-version"]).toBe("v2");
    expect(again.json).toMatchObject({ state: "succeeded", amount: { value: "10.00" } });
  });

  it("VERSION-5 has one shape of its events, and the mesh's names, whatever version was asked for", async () => {
    const body = payment();
    const key = randomUUID();
    const made = await till.post("/payments", body, { key, ...asking(NEWER) });
    const [event] = await host.rows<{ payload: { data: object } }>(
      "select payload from onceboard.outbox_messages where tenant_id = $1 and operation_id = $2",
      host.tenant,
      made.headers["operation-id"],
    );
    expect(event?.payload.data).toMatchObject({ status: "succeeded", amount: "10.00", currency: "EUR" });
    const cached = await meshTill(host, till.apiKey).call("payments.charge", body, { key });
    expect(cached.json).toMatchObject({
      result: { charge_id: made.json?.["paymentId"], paymentId: made.json?.["paymentId"] },
    });
  });
});
