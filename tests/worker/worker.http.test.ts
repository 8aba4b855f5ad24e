import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHost, type TestHost } from "@/http/testing/host";
import { openTill, payment, type Till } from "@/http/testing/till";
import { startWorker, type Worker } from "@/worker/main";

const LOOPS = [
  "alerts",
  "attachments",
  "consume",
  "consume-alone",
  "invariants",
  "plan-look-ups",
  "plans",
  "recover",
  "relay",
  "retain",
  "roll-up",
  "statistics",
];
let host: TestHost;
let till: Till;
let workers: Worker[];
beforeAll(async () => {
  host = await openHost("hono");
  till = await openTill(host);
  await till.post("/accounts", { accountId: "acc_1", currency: "EUR" });
  workers = ["worker-a", "worker-b"].map(start);
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await host.close();
});

function start(instance: string): Worker {
  if (host.deps === undefined) throw new Error("in process only");
  const { engine, modules, config } = host.deps;
  return startWorker(
    { engine: { ...engine, instance }, modules, config: { ...config, workerIntervalMs: 20 } },
    { address: host.url },
  );
}

describe("two workers beside the API", () => {
  it("every payment is posted once, and nothing waits", async () => {
    const paid = await Promise.all(Array.from({ length: 12 }, () => till.post("/payments", payment())));
    expect(paid.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const posted = () =>
      host.rows<{ count: number }>(
        "select count(*)::int as count from payments.ledger_entries where tenant_id = $1",
        host.tenant,
      );
    await expect.poll(posted, { timeout: 15_000 }).toEqual([{ count: 12 }]);
    const waiting = () =>
      host.rows<{ count: number }>(
        `select (select count(*) from onceboard.outbox_messages where tenant_id = $1)::int
           + (select count(*) from onceboard.inbox_messages where tenant_id = $1 and state <> 'processed')::int as count`,
        host.tenant,
      );
    await expect.poll(waiting, { timeout: 15_000 }).toEqual([{ count: 0 }]);
    const twice = await host.rows(
      "select message_id from onceboard.inbox_messages group by tenant_id, consumer, message_id having count(*) > 1",
    );
    expect(twice).toEqual([]);
  });

  it("an outcome that nobody knows is settled by asking", async () => {
    await host.faults({ timeout_after_accept: 1 });
    const unknown = await till.post("/payments", payment());
    await host.faults({ timeout_after_accept: 0 });
    expect(unknown.status).toBe(504);
    const id = String(unknown.json?.["operationId"]);
    const state = async () =>
      (
        await host.rows<{ state: string }>(
          "select state from onceboard.idempotency_requests where operation_id = $1",
          id,
        )
      )[0]?.state;
    await expect.poll(state, { timeout: 20_000 }).toBe("COMPLETED");
  });

  it("each loop beats, and a worker that stops in order is not missed", async () => {
    const beats = async (instance: string) =>
      await host.rows<{ loop: string; error: string | null }>(
        "select loop, error from onceboard.worker_heartbeats where instance = $1 order by loop",
        instance,
      );
    await expect
      .poll(() => beats("worker-a"), { timeout: 15_000 })
      .toEqual(LOOPS.map((loop) => ({ loop, error: null })));
    await workers[0]?.stop();
    expect(await beats("worker-a")).toEqual([]);
    expect(await beats("worker-b")).toHaveLength(LOOPS.length);
  });

  it("a database that fails under a loop is told by its heartbeat, and the loop goes on", async () => {
    await host.rows("alter table payments.ledger_entries rename to ledger_entries_away");
    await host.rows("alter table onceboard.tenants rename to tenants_away");
    const error = async () =>
      (
        await host.rows<{ error: string | null }>(
          "select error from onceboard.worker_heartbeats where instance = 'worker-b' and loop = 'relay'",
        )
      )[0]?.error;
    await expect.poll(error, { timeout: 15_000 }).toContain("tenants");
    await host.rows("alter table onceboard.tenants_away rename to tenants");
    await host.rows("alter table payments.ledger_entries_away rename to ledger_entries");
    await expect.poll(error, { timeout: 15_000 }).toBeNull();
  });
});
