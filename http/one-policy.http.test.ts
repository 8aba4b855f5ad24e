import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { PolicySource } from "@/engine/policies/policies";
import { openHost, type TestHost } from "./testing/host";
import { meshTill } from "./testing/mesh-till";
import { openTill, payment, type Till } from "./testing/till";
import type { CheckedAnswer } from "@/http/testing/contract";

const FIRST: Partial<OperationPolicy> = { unknownFields: "ignore", refusals: "binding", mismatchStatus: 422 };
const CHANGED: Partial<OperationPolicy> = { unknownFields: "reject", refusals: "not_binding", mismatchStatus: 409 };

/** A policy that somebody changes as soon as a request has read it. */
function changingPolicies(source: PolicySource): { readonly source: PolicySource; start(): void; lookups(): number } {
  let lookups = 0;
  return {
    source: {
      ...source,
      async of(tenantId, owner) {
        lookups += 1;
        return { ...(await source.of(tenantId, owner)), ...(lookups === 1 ? FIRST : CHANGED) };
      },
    },
    start: () => void (lookups = 0),
    lookups: () => lookups,
  };
}

describe("the policy of one request", () => {
  let host: TestHost;
  let till: Till;
  let policies: ReturnType<typeof changingPolicies>;
  beforeAll(async () => {
    host = await openHost("hono");
    if (host.deps === undefined) throw new Error("this host is in process");
    policies = changingPolicies(host.deps.engine.policies);
    Object.assign(host.deps.engine, { policies: policies.source });
    till = await openTill(host);
  });
  afterAll(() => host.close());

  async function onePolicy(work: () => Promise<CheckedAnswer>): Promise<CheckedAnswer> {
    policies.start();
    const answer = await work();
    expect(policies.lookups()).toBe(1);
    return answer;
  }
  const paid = async (): Promise<string> =>
    String((await onePolicy(() => till.post("/payments", payment()))).json?.["paymentId"]);
  const isLeft = (key: string, change: string) =>
    host.rows(
      `update onceboard.idempotency_open o set ${change} from onceboard.idempotency_requests r
       where r.key = $1 and o.tenant_id = r.tenant_id and o.operation_id = r.operation_id`,
      key,
    );

  it("is read once for every kind of command", async () => {
    const [refunded, voided] = [await paid(), await paid()];
    const refund = { paymentId: refunded, amount: "1.00" };
    expect((await onePolicy(() => till.post("/refunds", refund))).status).toBe(201);
    expect((await onePolicy(() => till.post(`/payments/${voided}/void`, {}))).status).toBe(200);
    const account = { accountId: `acc-${randomUUID()}`, currency: "EUR" };
    expect((await onePolicy(() => till.post("/accounts", account))).status).toBe(201);
    const { merchantReference } = payment();
    const args = { customer_id: "acc_1", amount: "10.00", currency: "EUR", merchantReference };
    const mesh = meshTill(host, till.apiKey);
    const charged = await onePolicy(() => mesh.call("payments.charge", args, { key: randomUUID() }));
    expect(charged.json).toMatchObject({ result: { status: "succeeded" } });
  });

  it("also decides how its members are read, how it settles and how it is answered, though it changed meanwhile", async () => {
    const key = randomUUID();
    const body = { ...payment({ amount: "10.51" }), unknown: "left out by the first policy" };
    const declined = await onePolicy(() => till.post("/payments", body, { key }));
    expect(declined.json).toMatchObject({ status: 402, retryable: false });
    const again = await onePolicy(() => till.post("/payments", body, { key }));
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([402, "true"]);
    const other = await onePolicy(() => till.post("/payments", { ...body, amount: "11.51" }, { key }));
    expect(other.status).toBe(422);
    await host.deps?.answers.flush();
    const [conflict] = await host.rows<{ status: number }>(
      "select e.status from onceboard.idempotency_events e where e.tenant_id = $1 and e.outcome = 'conflict'",
      host.tenant,
    );
    expect(conflict?.status).toBe(422);
  });

  it("also settles what the request recovers before it is answered", async () => {
    const key = randomUUID();
    const body = payment({ amount: "10.51" });
    await host.faults({ timeout_after_accept: 1 });
    await onePolicy(() => till.post("/payments", body, { key }));
    await host.faults({ timeout_after_accept: 0 });
    await host.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where key = $1", key);
    await isLeft(key, "owner = 'gone', locked_until = clock_timestamp() - interval '1 second'");
    const recovered = await onePolicy(() => till.post("/payments", body, { key }));
    expect(recovered.json).toMatchObject({ status: 402, retryable: false });
    const again = await onePolicy(() => till.post("/payments", body, { key }));
    expect([again.status, again.text]).toEqual([402, recovered.text]);
  });
});
