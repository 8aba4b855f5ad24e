import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/domain/errors";
import { DEFAULT_POLICY, type OperationPolicy } from "@/domain/idempotency/policy";
import type { Role } from "@/domain/idempotency/states";
import { deploymentPolicy, layersOf, type PolicyOwner } from "@/engine/policies/policies";
import { readOperation } from "@/console/read/operations/read-operation";
import { readPolicies } from "@/console/read/deployment/read-policies";
import { previewRetention } from "@/console/read/deployment/read-retention";
import { setPolicy } from "./set-policy";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";

const OWNERS: readonly PolicyOwner[] = [
  { name: "payments.create", policy: {} },
  { name: "refunds.create", policy: { maxAttempts: 7 } },
];

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment({ bodyTtlHours: 48, providerTimeoutMs: 10_000 });
  await env.rows("insert into onceboard.tenants (id, name) values ('globex', 'Globex')");
});
afterEach(async () => {
  await env.rows("delete from onceboard.operation_policies");
  for (const tenant of [TENANT, "globex"]) env.base.policies.forget(tenant);
});
afterAll(() => env.close());

const ctx = (role: Role = "admin", id = "op-1") => env.context({ actor: operator(role, id) });
const request = (key = uuidv7()) => ({
  idempotencyKey: key,
  receivedAt: performance.now(),
  reason: "a client follows the draft",
});
const decide = (overrides: unknown, expectedVersion = 0, more: { operation?: string; key?: string; by?: Role } = {}) =>
  setPolicy(ctx(more.by), OWNERS, request(more.key), {
    operation: more.operation ?? "payments.create",
    overrides,
    expectedVersion,
  });
const stored = () =>
  env.rows<{ operation: string; overrides: unknown; version: number; updated_by: string }>(
    "select operation, overrides, version, updated_by from onceboard.operation_policies order by operation",
  );
const audits = () =>
  env.rows<{ subject_id: string; reason: string; before: unknown; after: Record<string, unknown> }>(
    "select subject_id, reason, before, after from onceboard.audit_entries where action = 'policies.write' order by sequence",
  );
async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw new Error("it was not refused", { cause: error });
}

describe("changing a policy (POLICY-4)", () => {
  it("keeps what differs, its version, who and why, and is in force in this process at once", async () => {
    const before = (await audits()).length;
    // Read and remembered before the change.
    expect(await env.base.policies.of(TENANT, { name: "payments.create", policy: {} })).toMatchObject({
      ttlHours: 24,
    });
    const result = await decide({ mismatchStatus: 422, ttlHours: 48 });
    expect(result).toMatchObject({
      replayed: false,
      answer: {
        action: "policies.write",
        changed: true,
        affected: 1,
        before: { version: 0, overrides: {} },
        after: { version: 1, overrides: { ttlHours: 48, mismatchStatus: 422 } },
      },
    });
    expect(await stored()).toEqual([
      {
        operation: "payments.create",
        overrides: { ttlHours: 48, mismatchStatus: 422 },
        version: 1,
        updated_by: "Mira (op-1)",
      },
    ]);
    const entries = (await audits()).slice(before);
    expect(entries).toMatchObject([
      {
        subject_id: "payments.create",
        reason: "a client follows the draft",
        before: { version: 0, overrides: {} },
        after: { version: 1, overrides: { ttlHours: 48, mismatchStatus: 422 }, changed: true },
      },
    ]);
    const policy = await env.base.policies.of(TENANT, { name: "payments.create", policy: {} });
    expect(policy).toMatchObject({ mismatchStatus: 422, ttlHours: 48 });
    // Neither the other operation nor the other tenant decided anything.
    expect(await env.base.policies.of(TENANT, { name: "refunds.create", policy: {} })).toMatchObject({
      mismatchStatus: 409,
    });
    expect(await env.base.policies.of("globex", { name: "payments.create", policy: {} })).toMatchObject({
      mismatchStatus: 409,
      ttlHours: 24,
    });
  });

  it("clicked twice is one change; clicked ten times at once too", async () => {
    const key = uuidv7();
    const first = await decide({ maxAttempts: 3 }, 0, { key });
    expect(await decide({ maxAttempts: 3 }, 0, { key })).toEqual({ ...first, replayed: true });
    const before = (await audits()).length;
    const other = uuidv7();
    const clicks = await Promise.allSettled(
      Array.from({ length: 10 }, () => decide({ maxAttempts: 4 }, 1, { key: other })),
    );
    expect(clicks.filter((one) => one.status === "fulfilled" && !one.value.replayed)).toHaveLength(1);
    expect((await stored())[0]).toMatchObject({ version: 2, overrides: { maxAttempts: 4 } });
    expect((await audits()).length - before).toBe(1);
  });

  it("two people at once: one is first, the other is told and changes nothing", async () => {
    const clicks = await Promise.allSettled([decide({ waitMs: 500 }), decide({ waitMs: 900 })]);
    const [refused] = clicks.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(clicks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(refused).toMatchObject({ code: "policy.version_conflict", status: 409, retryable: false });
    expect((await stored())[0]).toMatchObject({ version: 1 });
  });

  it("against an older version is refused, and leaves no trace under its key", async () => {
    await decide({ ttlHours: 48 });
    const before = (await audits()).length;
    const key = uuidv7();
    const late = await refusal(decide({ ttlHours: 30 }, 0, { key }));
    expect(late).toMatchObject({ code: "policy.version_conflict", status: 409, extensions: { version: 1 } });
    expect(late.message).toContain("Mira (op-1) made version 1");
    expect((await audits()).length).toBe(before);
    await decide({ ttlHours: 30 }, 1, { key });
    expect((await stored())[0]).toMatchObject({ version: 2, overrides: { ttlHours: 30 } });
  });

  it("with nothing left in it takes everything back, and the versions go on", async () => {
    await decide({ ttlHours: 48 });
    const result = await decide({}, 1);
    expect(result.answer).toMatchObject({
      before: { overrides: { ttlHours: 48 } },
      after: { version: 2, overrides: {} },
    });
    expect(await env.base.policies.of(TENANT, { name: "payments.create", policy: {} })).toEqual({
      ...DEFAULT_POLICY,
      ...deploymentPolicy(env.base.config),
    });
    expect((await decide({ ttlHours: 48 }, 2)).answer).toMatchObject({ after: { version: 3 } });
  });

  it("into what it is already changes nothing and says so", async () => {
    await decide({ ttlHours: 48 });
    const same = await decide({ ttlHours: 48 }, 1);
    expect(same.answer).toMatchObject({
      changed: false,
      affected: 0,
      skipped: [{ why: "It is set like that already." }],
    });
    expect((await stored())[0]).toMatchObject({ version: 1 });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ leaseSeconds: 10 }, "leaseSeconds"],
    [{ leaseSeconds: 9 }, "leaseSeconds"],
    [{ leaseSeconds: 0 }, "leaseSeconds"],
    [{ bodyTtlHours: 23 }, "bodyTtlHours"],
    [{ ttlHours: 49 }, "bodyTtlHours"],
    [{ metadataTtlDays: 1 }, "bodyTtlHours"],
    [{ failures: "strict", refusals: "not_binding" }, "refusals"],
    [{ mismatchStatus: 400 }, "mismatchStatus"],
    [{ inFlight: "425" }, "inFlight"],
    [{ waitMs: 10_001 }, "waitMs"],
    [{ maxAttempts: "3" }, "maxAttempts"],
    [{ keepForever: true }, "keepForever"],
  ])("%j is refused at its field, judged over the environment's values", async (overrides, field) => {
    const before = (await audits()).length;
    const error = await refusal(decide(overrides));
    expect(error).toMatchObject({ code: "validation.policy", status: 422, certainty: "definite" });
    expect(error.message).toContain("Nothing was changed. ");
    for (const { path, message } of error.extensions["errors"] as readonly { path: string; message: string }[])
      expect(error.message).toContain(message.includes(path) ? message : `${path} ${message}`);
    expect(error.extensions["errors"]).toEqual(expect.arrayContaining([expect.objectContaining({ path: field })]));
    expect(await stored()).toEqual([]);
    expect((await audits()).length).toBe(before);
  });

  it("a lease longer than the provider timeout by one second is fine", async () => {
    expect((await decide({ leaseSeconds: 11 })).answer.changed).toBe(true);
  });

  it.each(["viewer", "operator"] as const)("is not for a person of role %s", async (by) => {
    expect(await refusal(decide({ ttlHours: 48 }, 0, { by }))).toMatchObject({ code: "auth.forbidden", status: 403 });
    expect(await stored()).toEqual([]);
  });

  it.each(["admin.policies.write", "payments.void", "", "payments.create "])(
    "there is no policy of %j",
    async (operation) => {
      expect(await refusal(decide({ ttlHours: 48 }, 0, { operation }))).toMatchObject({
        code: "policy.not_found",
        status: 404,
      });
    },
  );
});

describe("reading policies", () => {
  it("names the layer of each value, and who decided it when, each by its own change", async () => {
    await decide({ mismatchStatus: 422 });
    await setPolicy(ctx("admin", "op-2"), OWNERS, request(), {
      operation: "payments.create",
      overrides: { mismatchStatus: 422, waitMs: 700 },
      expectedVersion: 1,
    });
    const view = await readPolicies(ctx("viewer"), OWNERS);
    const [payments, refunds] = view.operations;
    const setting = (field: keyof OperationPolicy, of = payments) => of?.settings.find((each) => each.field === field);
    expect(payments).toMatchObject({ kind: "Payment", version: 2, changedBy: "Mira (op-2)", findings: [] });
    expect(setting("mismatchStatus")).toMatchObject({
      value: 422,
      from: "tenant",
      inheritedFrom: "default",
      by: "Mira (op-1)",
    });
    expect(setting("waitMs")).toMatchObject({ value: 700, from: "tenant", by: "Mira (op-2)" });
    expect(setting("bodyTtlHours")).toMatchObject({ value: 48, from: "environment" });
    expect(setting("replay")).toEqual({
      field: "replay",
      value: "stored",
      from: "default",
      inheritedFrom: "default",
      since: undefined,
      by: undefined,
    });
    expect(setting("maxAttempts", refunds)).toMatchObject({ value: 7, from: "operation" });
    expect(view.change).toEqual({
      allowed: false,
      whyNot: "You can look, not act. Changing a policy needs the role admin.",
    });
    expect((await readPolicies(ctx(), OWNERS)).change.allowed).toBe(true);
  });

  it("shows a contradiction that the environment made below a tenant's decision", async () => {
    await env.rows(
      `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ($1, 'payments.create', '{"leaseSeconds": 5, "gone": 1}', 'x')`,
      TENANT,
    );
    const [payments] = (await readPolicies(ctx(), OWNERS)).operations;
    expect(payments?.findings.map(({ path }) => path)).toEqual(["leaseSeconds"]);
    expect(payments?.overrides).toEqual({ leaseSeconds: 5 });
  });

  it("other pages go by it: what retention keeps otherwise, and the facts of one operation", async () => {
    const id = await env.operation();
    await decide({ ttlHours: 30, mismatchStatus: 422, replay: "reference" });
    expect((await previewRetention(ctx("viewer"))).otherwise).toEqual([
      { operation: "payments.create", kind: "Payment", ttlHours: 30, bodyTtlHours: 48, metadataTtlDays: 30 },
    ]);
    const facts = async () => (await readOperation(ctx("viewer"), { operationId: id }))?.policy;
    expect(await facts()).toContainEqual({ label: "Another command", value: "422, nothing runs" });
    // It settled before: its answer is kept as it was then.
    await env.rows("update onceboard.idempotency_requests set completed_at = now() where operation_id = $1", id);
    expect(await facts()).toContainEqual({ label: "Replay", value: "stored response" });
    await decide({ waitMs: 700 }, 1);
    expect((await previewRetention(ctx("viewer"))).otherwise).toEqual([]);
  });

  it("merges as the engine does", async () => {
    const tenant = { leaseSeconds: 60, replay: "reference" } as const;
    const owner: PolicyOwner = { name: "payments.create", policy: { leaseSeconds: 45, maxAttempts: 3 } };
    await decide(tenant);
    expect(layersOf(env.base.config, owner, tenant).policy).toEqual(await env.base.policies.of(TENANT, owner));
  });
});
