import { spawn } from "node:child_process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { complete } from "@/db/statements/complete";
import { markSent } from "@/db/statements/mark-sent";
import { takeOver } from "@/db/statements/take-over";
import type { Answer } from "@/engine/answer";
import { execute } from "@/engine/execute";
import { recoverDue } from "@/engine/recover-due";
import { reconcileOperation } from "@/engine/reconcile";
import { resolveOperation } from "@/engine/resolve";
import { openHouse, type House } from "./testing/house";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());
beforeEach(() =>
  house.faults({
    slow_ms: 0,
    timeout_after_accept: 0,
    timeout_before: 0,
    error_after_accept: 0,
    lookup_down: 0,
    processing: 0,
    garbage: 0,
  }),
);

function pay(key: string, instance = "test-1"): Promise<Answer> {
  const command = {
    accountId: "acc_1",
    amountMinor: 4200n,
    currency: "EUR",
    merchantReference: `ref-${key}`,
    channel: "web",
  };
  return execute(house.context({ instance }), house.operations.createPayment, { key, command, receivedAt: 0 });
}
interface Row {
  readonly operation_id: string;
  readonly state: string;
  readonly fence: number;
}
async function operation(key: string): Promise<Row> {
  const [row] = await house.rows<Row>(
    "select operation_id, state, fence from onceboard.idempotency_requests where key = $1",
    key,
  );
  if (row === undefined) throw new Error(`no operation ${key}`);
  return row;
}
async function stale(key: string): Promise<void> {
  await house.rows(
    "update onceboard.idempotency_open set locked_until = clock_timestamp() - interval '1 second' where key = $1",
    key,
  );
}
async function due(key: string): Promise<void> {
  await house.rows("update onceboard.idempotency_open set next_check_at = clock_timestamp() where key = $1", key);
}
async function accepted(key: string): Promise<number> {
  const [payment] = await house.rows<{ provider_key: string }>(
    "select provider_key from onceboard.payments where merchant_reference = $1",
    `ref-${key}`,
  );
  return (await house.ledger()).filter((row) => row.providerKey === payment?.provider_key).length;
}
const worker = () => house.context({ instance: "worker-1" });

/** Leaves an operation as an owner that died at a stage would. */
async function abandoned(
  key: string,
  stage: "RECEIVED" | "LOCAL_PAYMENT_CREATED" | "PROVIDER_REQUEST_SENT",
): Promise<Row> {
  await house.faults(stage === "PROVIDER_REQUEST_SENT" ? { timeout_after_accept: 1 } : { timeout_before: 1 });
  await pay(key);
  await house.faults({ timeout_after_accept: 0, timeout_before: 0 });
  await house.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where key = $1", key);
  await house.rows(
    `update onceboard.idempotency_open set stage = $2, unknown_since = null, next_check_at = null, owner = 'dead-1',
       locked_until = clock_timestamp() - interval '1 second' where key = $1`,
    key,
    stage,
  );
  return operation(key);
}

describe("a lost answer", () => {
  it("S4.18 C9 is unknown, never failed; recovery settles it with the same provider key and one charge", async () => {
    await house.faults({ timeout_after_accept: 1 });
    const first = await pay("lost");
    expect(first).toMatchObject({ outcome: "refused", error: { code: "dependency.timeout", certainty: "indefinite" } });
    expect((await operation("lost")).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await pay("lost")).toMatchObject({ outcome: "unknown" });
    await house.faults({ timeout_after_accept: 0 });
    await due("lost");
    expect(await recoverDue(worker(), house.registry, { limit: 5 })).toMatchObject({ taken: 1, settled: 1 });
    expect(await pay("lost")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await accepted("lost")).toBe(1);
  });

  it.each(["error_after_accept", "garbage"])("S4.18 an answer of kind %s is indefinite too", async (fault) => {
    await house.faults({ [fault]: 1 });
    await pay(`lost-${fault}`);
    await house.faults({ [fault]: 0 });
    expect((await operation(`lost-${fault}`)).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    await due(`lost-${fault}`);
    await recoverDue(worker(), house.registry, { limit: 5 });
    expect(await accepted(`lost-${fault}`)).toBe(1);
    expect((await operation(`lost-${fault}`)).state).toBe("COMPLETED");
  });

  it("S4.6 a request that never arrived is sent again under the same provider key", async () => {
    await house.faults({ timeout_before: 1 });
    await pay("never");
    await house.faults({ timeout_before: 0 });
    await due("never");
    expect(await recoverDue(worker(), house.registry, { limit: 5 })).toMatchObject({ settled: 1 });
    expect(await accepted("never")).toBe(1);
  });

  it("S4.6 a provider that cannot be asked leaves it unknown, with the next look-up planned", async () => {
    await house.faults({ timeout_after_accept: 1 });
    await pay("deaf");
    await house.faults({ timeout_after_accept: 0, lookup_down: 1 });
    await due("deaf");
    expect(await recoverDue(worker(), house.registry, { limit: 5 })).toMatchObject({ taken: 1, unknown: 1 });
    const [open] = await house.rows<{ checks: number; waits: boolean }>(
      "select checks, next_check_at > clock_timestamp() as waits from onceboard.idempotency_open where key = 'deaf'",
    );
    expect(open).toEqual({ checks: 1, waits: true });
    await house.faults({ lookup_down: 0 });
    await due("deaf");
    expect(await recoverDue(worker(), house.registry, { limit: 5 })).toMatchObject({ settled: 1 });
  });
});

describe("a dead owner", () => {
  it.each(["RECEIVED", "LOCAL_PAYMENT_CREATED"] as const)(
    "S4.6 at %s had no effect: the key may run again, once",
    async (stage) => {
      const key = `dead-${stage}`;
      await abandoned(key, stage);
      expect(await recoverDue(worker(), house.registry, { limit: 5 })).toMatchObject({ released: 1 });
      expect((await operation(key)).state).toBe("FAILED_RETRYABLE");
      expect((await pay(key)).outcome).toBe("executed");
      expect(await accepted(key)).toBe(1);
    },
  );

  it("S4.6 is recovered by the retry that finds its lease stale", async () => {
    await abandoned("stale", "PROVIDER_REQUEST_SENT");
    expect(await pay("stale")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await accepted("stale")).toBe(1);
  });

  it("C9 killed with -9 after the provider accepted: recovery settles with the same provider key, one charge", async () => {
    await house.faults({ timeout_after_accept: 1 });
    const child = spawn(
      process.execPath,
      [
        "--import",
        "tsx",
        "payments/testing/pay-once.ts",
        house.url,
        house.sandboxUrl,
        house.encryptionKeys,
        "killed",
        "ref-killed",
      ],
      {
        stdio: "ignore",
      },
    );
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.once("exit", (_code, signal) => resolve(signal)),
    );
    await expect.poll(() => accepted("killed"), { timeout: 20_000 }).toBe(1);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    await house.faults({ timeout_after_accept: 0 });
    expect((await operation("killed")).state).toBe("IN_PROGRESS");
    expect((await pay("killed")).outcome).toBe("in_progress");
    await stale("killed");
    expect(await recoverDue(worker(), house.registry, { limit: 5 })).toMatchObject({ taken: 1, settled: 1 });
    expect(await pay("killed")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await accepted("killed")).toBe(1);
  });
});

describe("ownership", () => {
  it("C7 a take-over raced by 16 workers gives each row to one of them, with one more fence", async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `race-${String(index)}`);
    await house.faults({ timeout_after_accept: 1 });
    await Promise.all(keys.map((key) => pay(key)));
    await house.faults({ timeout_after_accept: 0 });
    await house.rows("update onceboard.idempotency_open set next_check_at = clock_timestamp() where key like 'race-%'");
    const race = async (index: number) => {
      const mine: string[] = [];
      for (;;) {
        const taken = await takeOver(house.db.pool, {
          tenantId: "acme",
          owner: `worker-${String(index)}`,
          leaseMs: 30_000,
          limit: 3,
        });
        if (taken.length === 0) return mine;
        mine.push(...taken.map((row) => row.key));
      }
    };
    const taken = (await Promise.all(Array.from({ length: 16 }, (_, index) => race(index))))
      .flat()
      .filter((key) => key.startsWith("race-"));
    expect(taken.toSorted()).toEqual(keys.toSorted());
    expect(
      await house.rows("select distinct fence from onceboard.idempotency_requests where key like 'race-%'"),
    ).toEqual([{ fence: 2 }]);
    await house.rows("delete from onceboard.idempotency_open where key like 'race-%'");
  });

  it("C8 a zombie's completion and its send change nothing after a take-over", async () => {
    const row = await abandoned("zombie", "PROVIDER_REQUEST_SENT");
    const [taken] = await takeOver(house.db.pool, {
      tenantId: "acme",
      owner: "worker-1",
      leaseMs: 30_000,
      limit: 1,
      operationId: row.operation_id,
    });
    expect(taken?.fence).toBe(row.fence + 1);
    const late = await complete(house.db.pool, {
      tenantId: "acme",
      operationId: row.operation_id,
      fence: row.fence,
      state: "COMPLETED",
      status: 201,
      schemaVersion: "v1",
      resourceType: undefined,
      resourceId: undefined,
      errorCode: undefined,
      replay: "stored",
      headers: {},
      bodySealed: Buffer.from("x"),
    });
    expect(late).toBe(false);
    expect(
      await markSent(house.db.pool, "acme", row.operation_id, row.fence, "00000000-0000-7000-8000-000000000000"),
    ).toBe(false);
    expect((await operation("zombie")).state).toBe("IN_PROGRESS");
    expect(
      await house.rows(
        "select 1 from onceboard.idempotency_bodies where operation_id = $1 and kind = 'response'",
        row.operation_id,
      ),
    ).toEqual([]);
    await stale("zombie");
    await recoverDue(worker(), house.registry, { limit: 5 });
    expect(await accepted("zombie")).toBe(1);
  });

  it("C8 a paused owner that wakes after recovery is fenced, recorded, and the first result stands", async () => {
    await house.faults({ slow_ms: 300 });
    const slow = pay("paused", "paused-1");
    await expect
      .poll(
        async () =>
          (
            await house.rows(
              "select 1 from onceboard.idempotency_open where key = 'paused' and stage = 'PROVIDER_REQUEST_SENT'",
            )
          ).length,
      )
      .toBe(1);
    await stale("paused");
    const { operation_id: operationId } = await operation("paused");
    await house.faults({ slow_ms: 0 });
    await expect.poll(() => accepted("paused")).toBe(1);
    await recoverDue(worker(), house.registry, { limit: 5 });
    expect((await slow).outcome).toBe("in_progress");
    expect((await operation("paused")).state).toBe("COMPLETED");
    expect(
      await house.rows(
        "select fence from onceboard.idempotency_events where type = 'fenced' and operation_id = $1",
        operationId,
      ),
    ).toEqual([{ fence: 1 }]);
    expect(await accepted("paused")).toBe(1);
  });
});

describe("a person", () => {
  it("C.4 reconciles now, though the next look-up is not due", async () => {
    await house.faults({ timeout_after_accept: 1 });
    await pay("by-hand");
    await house.faults({ timeout_after_accept: 0 });
    const { operation_id: operationId } = await operation("by-hand");
    expect(await reconcileOperation(house.context(), house.registry, { operationId })).toMatchObject({
      before: "UNKNOWN_REQUIRES_RECOVERY",
      after: "COMPLETED",
      finding: "succeeded",
      changed: true,
    });
    await expect(reconcileOperation(house.context(), house.registry, { operationId })).rejects.toMatchObject({
      code: "operation.not_open",
    });
  });

  it("C.4 resolves with evidence; nothing is sent; retries get that answer", async () => {
    await house.faults({ timeout_after_accept: 1 });
    await pay("resolved");
    await house.faults({ timeout_after_accept: 0 });
    const { operation_id: operationId } = await operation("resolved");
    const input = {
      operationId,
      decision: "succeeded",
      reason: "The provider's support confirmed it.",
      evidence: ["ticket 4711"],
    } as const;
    await expect(resolveOperation(house.context(), house.registry, { ...input, evidence: [] })).rejects.toMatchObject({
      code: "validation.evidence",
    });
    expect(await resolveOperation(house.context(), house.registry, input)).toMatchObject({
      after: "COMPLETED",
      changed: true,
    });
    expect(await pay("resolved")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await accepted("resolved")).toBe(1);
  });
});
