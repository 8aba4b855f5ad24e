import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SERVICE_ROLE } from "../guard";
import { registerKind } from "../kinds/operation-kinds";
import { databaseErrorCode } from "../errors";
import { callFunction } from "../testing/call-function";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { requestRecovery, selectOperatorRequests, withdrawRequest } from "./operator-requests";

/** What an operator asks of a service: recorded, taken by one, settled or withdrawn (docs/SQL-CONTRACT.md, "What an operator asks"). */

const OPERATION = "invoices.issue";
const SERVICE = "invoices-py";
type Row = Record<string, unknown>;

let test: TestDatabase;
/** Three sessions of services, which may call functions and read no table. */
let services: pg.PoolClient[];
beforeAll(async () => {
  test = await createTestDatabase({ max: 8 });
  await registerKind(test.db.pool, {
    name: OPERATION,
    owner: SERVICE,
    runsIn: "service",
    label: "Invoice",
    path: "provider",
    provider: { name: "mailhouse", dedupesForHours: Infinity, queryable: true },
    actions: ["reconcile", "resolve", "release"],
    expects: {},
    version: "1",
  });
  services = await Promise.all([1, 2, 3].map(() => test.db.pool.connect()));
  for (const each of services) await each.query(`set role ${SERVICE_ROLE}`);
});
afterAll(async () => {
  for (const each of services) {
    await each.query("reset role");
    each.release();
  }
  await test.drop();
});

let tenant: string;
let operationId: string;
beforeEach(() => {
  tenant = `t-${randomUUID()}`;
  operationId = randomUUID();
});

const owner = async (text: string, ...values: unknown[]): Promise<Row[]> =>
  (await test.db.pool.query<Row>({ text, values })).rows;
const call = (name: string, args: Readonly<Row>, n = 0) =>
  callFunction(services[n] as unknown as Parameters<typeof callFunction>[0], name, { tenant, ...args });
const fenced = (fence: unknown) => ({ operation_id: operationId, fence });
const take = (n = 0, more: Readonly<Row> = {}) =>
  call("claim_recovery", { owner: `billing-${String(n + 1)}`, operations: [OPERATION], lease_ms: 30_000, ...more }, n);
const complete = (fence: unknown, more: Readonly<Row> = {}) =>
  call("complete", { ...fenced(fence), state: "COMPLETED", status: 201, replay: "none", ...more });
const ask = (more: Partial<Parameters<typeof requestRecovery>[1]> = {}) =>
  requestRecovery(test.db.pool, {
    tenantId: tenant,
    id: randomUUID(),
    operationId,
    action: "reconcile",
    askedBy: "operator:op-1",
    person: "Mira",
    outcome: undefined,
    providerReference: undefined,
    evidence: [],
    reason: "the customer called",
    ...more,
  });
const resolve = (outcome: "succeeded" | "failed") =>
  ask({ action: "resolve", outcome, evidence: ["mail house's list"], providerReference: "letter_7" });
const requests = () => selectOperatorRequests(test.db.pool, tenant, operationId);
const leaseOver = () =>
  owner(
    "update onceboard.idempotency_open set locked_until = clock_timestamp() - interval '1 minute' where tenant_id = $1 and locked_until is not null",
    tenant,
  );

async function claimed(operation = OPERATION): Promise<void> {
  const about = { principal: "billing", fingerprint: Buffer.from("f"), owner: "billing-0" };
  await call("claim", { operation, key: "k", operation_id: operationId, ...about });
}
async function sent(): Promise<void> {
  await claimed();
  const request = randomUUID();
  const provider = { provider_key: "mail_1", provider: "mailhouse", kind: "send" };
  await call("prepare_provider", { ...fenced(1), id: request, ...provider });
  await call("mark_sent", { ...fenced(1), request });
}
async function unknown(): Promise<void> {
  await sent();
  await call("mark_unknown", { ...fenced(1), error_code: "dependency.timeout", next_check_ms: null });
}

describe("SQL-4 what an operator asks of a service", () => {
  it("is recorded once: a second one is refused while the first is open", async () => {
    await unknown();
    expect(await ask()).toEqual({ answer: "recorded", service: SERVICE });
    expect(await ask()).toEqual({ answer: "requested", service: SERVICE });
    expect(await requests()).toMatchObject([{ service: SERVICE, action: "reconcile", person: "Mira", inHand: false }]);
  });

  it("is recorded once by two people at the same moment", async () => {
    await unknown();
    const answers = await Promise.all([ask(), resolve("failed"), ask({ person: "Ada" })]);
    expect(answers.map((each) => each.answer).sort()).toEqual(["recorded", "requested", "requested"]);
  });

  it.each([
    ["an operation that is not there", async () => undefined, "reconcile", "not_found"],
    ["a live lease", claimed, "reconcile", "held"],
    ["a release of what was sent", unknown, "release", "sent"],
    ["a kind that nobody registered", async () => claimed("invoices.other"), "reconcile", "not_offered"],
  ] as const)("is refused for %s", async (_what, begin, action, answer) => {
    await begin();
    expect((await ask({ action })).answer).toBe(answer);
    expect(await requests()).toEqual([]);
  });

  it("is refused for a decision about what was never sent, and once it is settled", async () => {
    await claimed();
    await leaseOver();
    expect((await resolve("failed")).answer).toBe("unsent");
    await call("fail_retryable", { ...fenced(1), error_code: "transient.owner_lost" });
    expect((await ask()).answer).toBe("settled");
  });
});

describe("claim_recovery", () => {
  it("gives one request to one of the services that race for it, with what was asked", async () => {
    await unknown();
    await resolve("succeeded");
    const [one] = (await Promise.all([take(0), take(1), take(2)])).flat();
    expect(one).toMatchObject({
      operation_id: operationId,
      fence: 2,
      state: "UNKNOWN_REQUIRES_RECOVERY",
      provider_key: "mail_1",
      action: "resolve",
      outcome: "succeeded",
      provider_reference: "letter_7",
      evidence: ["mail house's list"],
      reason: "the customer called",
      person: "Mira",
    });
    expect(await take(1)).toEqual([]);
    expect(await requests()).toMatchObject([{ inHand: true, takenBy: expect.stringMatching(/^billing-/) as string }]);
  });

  it("takes the oldest request of the operations that it names, and nothing without one", async () => {
    await unknown();
    expect(await take()).toEqual([]);
    await ask();
    expect(await take(0, { operations: ["invoices.other"] })).toEqual([]);
    await expect(take(0, { operations: null })).rejects.toSatisfy((error) => databaseErrorCode(error) === "22023");
    expect(await take()).toHaveLength(1);
  });

  it("gives it out again when the lease is over, and fences who had it", async () => {
    await unknown();
    await ask();
    await take(0);
    await leaseOver();
    expect(await requests()).toMatchObject([{ inHand: false }]);
    expect(await take(1)).toMatchObject([{ fence: 3, previous_owner: "billing-1" }]);
    await expect(complete(2)).rejects.toSatisfy((error) => databaseErrorCode(error) === "OB001");
    await complete(3);
    expect(await requests()).toMatchObject([{ ended: "settled", takenBy: "billing-2", result: "COMPLETED" }]);
  });

  it("is the service's alone: who takes over without naming the operation never gets it", async () => {
    await unknown();
    await owner(
      "update onceboard.idempotency_open set next_check_at = now() - interval '1 hour' where tenant_id = $1",
      tenant,
    );
    await ask();
    const worker = { owner: "worker-1", lease_ms: 30_000, limit: 5 };
    expect(await call("take_over", worker)).toEqual([]);
    expect(await call("take_over", { ...worker, operation_id: operationId, now_please: true })).toEqual([]);
    await withdrawRequest(test.db.pool, tenant, operationId, "Mira");
    expect(await call("take_over", worker)).toHaveLength(1);
  });
});

describe("the end of a request", () => {
  const settled = () =>
    owner(
      "select type, actor, fence, detail from onceboard.idempotency_events where tenant_id = $1 and type in ('resolved', 'reconciled')",
      tenant,
    );
  const audited = () =>
    owner(
      "select actor_kind, actor_id, actor_name, action, reason, before, after from onceboard.audit_entries where tenant_id = $1",
      tenant,
    );

  it("comes with the settlement, and event and audit name the person and the service", async () => {
    await unknown();
    await resolve("succeeded");
    const [{ fence } = {}] = await take();
    await complete(fence);
    expect(await requests()).toMatchObject([{ ended: "settled", result: "COMPLETED", takenBy: "billing-1" }]);
    expect(await settled()).toEqual([
      {
        type: "resolved",
        actor: "Mira",
        fence: 2,
        detail: expect.objectContaining({
          from: "UNKNOWN_REQUIRES_RECOVERY",
          to: "COMPLETED",
          decision: "succeeded",
          evidence: ["mail house's list"],
          service: SERVICE,
        }) as unknown,
      },
    ]);
    expect(await audited()).toMatchObject([
      {
        actor_kind: "service",
        actor_id: "billing-1",
        actor_name: SERVICE,
        action: "operations.resolve",
        reason: "the customer called",
        after: { state: "COMPLETED", request: "settled", person: "Mira" },
      },
    ]);
  });

  it.each([
    ["fail_retryable", { error_code: "dependency.unavailable" }, "FAILED_RETRYABLE", null],
    [
      "mark_unknown",
      { finding: "the mail house does not know it" },
      "UNKNOWN_REQUIRES_RECOVERY",
      "the mail house does not know it",
    ],
  ] as const)("comes with %s as well, by whom it was looked up", async (name, args, state, finding) => {
    await unknown();
    await resolve("failed");
    const [{ fence } = {}] = await take();
    await call(name, { ...fenced(fence), ...args });
    expect(await requests()).toMatchObject([{ ended: "settled", result: state, ...(finding !== null && { finding }) }]);
    expect(await settled()).toMatchObject([{ type: "reconciled", actor: "billing-1", detail: { to: state, finding } }]);
    expect(await ask()).toMatchObject({ answer: state === "FAILED_RETRYABLE" ? "settled" : "recorded" });
  });

  it("is undone with the transaction that settles", async () => {
    await unknown();
    await ask();
    const [{ fence } = {}] = await take();
    await services[0]?.query("begin");
    await complete(fence);
    await services[0]?.query("rollback");
    expect(await requests()).toMatchObject([{ inHand: true }]);
    expect([await settled(), await audited()]).toEqual([[], []]);
  });

  it("is overtaken by a settlement of somebody who had not taken it, and not by one that settles nothing", async () => {
    await sent();
    await leaseOver();
    await ask();
    await call("mark_unknown", fenced(1));
    expect(await requests()).toMatchObject([{ inHand: false }]);
    expect((await requests())[0]?.ended).toBeUndefined();
    await complete(1);
    expect(await requests()).toMatchObject([{ ended: "overtaken", result: "COMPLETED" }]);
    expect(await settled()).toEqual([]);
    expect(await audited()).toMatchObject([{ after: { request: "overtaken" } }]);
  });
});

describe("withdraw_request", () => {
  it("takes an open request back, once", async () => {
    await unknown();
    await ask();
    expect(await withdrawRequest(test.db.pool, tenant, operationId, "Ada")).toMatchObject({
      action: "reconcile",
      person: "Mira",
    });
    expect(await withdrawRequest(test.db.pool, tenant, operationId, "Ada")).toBeUndefined();
    expect(await take()).toEqual([]);
    expect(await requests()).toMatchObject([{ ended: "withdrawn", withdrawnBy: "Ada" }]);
    expect((await ask()).answer).toBe("recorded");
  });

  it("fences the service that has it in hand, and leaves the operation as it was", async () => {
    await unknown();
    await resolve("failed");
    const [{ fence } = {}] = await take();
    await withdrawRequest(test.db.pool, tenant, operationId, "Mira");
    await expect(complete(fence, { state: "FAILED_REPLAYABLE", status: 402 })).rejects.toSatisfy(
      (error) => databaseErrorCode(error) === "OB001",
    );
    expect(await call("extend_lease", fenced(fence))).toEqual([{ extend_lease: false }]);
    expect(await owner("select state, fence from onceboard.idempotency_requests where tenant_id = $1", tenant)).toEqual(
      [{ state: "UNKNOWN_REQUIRES_RECOVERY", fence: 3 }],
    );
    expect(
      await owner(
        "select fence, owner, locked_until, request_id from onceboard.idempotency_open where tenant_id = $1",
        tenant,
      ),
    ).toEqual([{ fence: 3, owner: null, locked_until: null, request_id: null }]);
  });

  it("of a stale operation in hand gives it to whoever takes over what has no owner", async () => {
    await sent();
    await leaseOver();
    await ask();
    await take();
    await withdrawRequest(test.db.pool, tenant, operationId, "Mira");
    expect(await call("take_over", { owner: "worker-1", lease_ms: 1_000, limit: 5 })).toMatchObject([
      { fence: 4, state: "IN_PROGRESS" },
    ]);
  });

  it("and a settlement at the same moment: one of the two holds", async () => {
    await unknown();
    await ask();
    const [{ fence } = {}] = await take();
    const [withdrawn, done] = await Promise.all([
      withdrawRequest(test.db.pool, tenant, operationId, "Mira"),
      complete(fence).then(
        () => true,
        () => false,
      ),
    ]);
    expect(withdrawn === undefined).toBe(done);
    expect(await requests()).toMatchObject([{ ended: done ? "settled" : "withdrawn" }]);
  });
});

describe("extend_lease", () => {
  const until = async () =>
    (await owner("select locked_until from onceboard.idempotency_open where tenant_id = $1", tenant))[0]?.[
      "locked_until"
    ] as Date;

  it("gives its owner more time, and never less", async () => {
    await claimed();
    const before = await until();
    expect(await call("extend_lease", { ...fenced(1), lease_ms: 600_000 })).toEqual([{ extend_lease: true }]);
    const after = await until();
    expect(after.getTime() - before.getTime()).toBeGreaterThan(500_000);
    expect(await call("extend_lease", { ...fenced(1), lease_ms: 1 })).toEqual([{ extend_lease: true }]);
    expect(await until()).toEqual(after);
  });

  it("is false for another fence, when the lease is over, and when it is settled", async () => {
    await claimed();
    expect(await call("extend_lease", fenced(2))).toEqual([{ extend_lease: false }]);
    await leaseOver();
    const before = await until();
    expect(await call("extend_lease", fenced(1))).toEqual([{ extend_lease: false }]);
    expect(await until()).toEqual(before);
    await complete(1);
    expect(await call("extend_lease", fenced(1))).toEqual([{ extend_lease: false }]);
  });

  it("refuses a lease of no time", async () => {
    await expect(call("extend_lease", { ...fenced(1), lease_ms: 0 })).rejects.toSatisfy(
      (error) => databaseErrorCode(error) === "22023",
    );
  });
});

describe("operation_policy", () => {
  it("gives what the tenant decided in the units of claim, and null elsewhere", async () => {
    const undecided = (await call("operation_policy", { operation: OPERATION }))[0] ?? {};
    const { version, ...values } = undecided;
    expect([version, [...new Set(Object.values(values))]]).toEqual([0, [null]]);
    const overrides = {
      ttlHours: 2,
      leaseSeconds: 5,
      metadataTtlDays: 7,
      expired: "execute",
      maxAttempts: 3,
      scope: "principal",
      key: "optional",
      newKey: "once",
    };
    await owner(
      "select onceboard.set_operation_policy($1, $2, $3, 0, 'Mira')",
      tenant,
      OPERATION,
      JSON.stringify(overrides),
    );
    expect(await call("operation_policy", { operation: OPERATION })).toMatchObject([
      {
        version: 1,
        ttl_seconds: 7_200,
        lease_ms: 5_000,
        metadata_days: 7,
        expired: "execute",
        max_attempts: 3,
        scope: "principal",
        key: "optional",
        new_key: "once",
        replay: null,
      },
    ]);
  });
});
