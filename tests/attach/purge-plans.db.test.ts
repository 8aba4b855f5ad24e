import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { actOnAttached } from "@/console/attachments/act-on-attached";
import { createPlan } from "@/console/plans/create-plan";
import { decidePlan, startPlan } from "@/console/plans/decide-plan";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import { MAX_PURGE_BATCHES } from "@/domain/attachments/acts";
import { planAdvice } from "@/presentation/plan/plan-advice";
import { attachedNowWords } from "@/presentation/plan/attached-now";
import { createActWorld, type ActWorld } from "./act-world";

let world: ActWorld;
let attachment: string;
beforeAll(async () => {
  world = await createActWorld();
  attachment = await world.attach("orders-db");
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.rows("update onceboard.plans set state = 'aborted', started_at = null");
  await world.rows("delete from onceboard.single_acts");
  await world.foreign.run("delete from cap.published where \"Name\" = 'old'; delete from cap.changes");
});

const asked = (action: "plans.create" | "plans.start" | "plans.decide", id = "new") => ({
  ...{ action, idempotencyKey: randomUUID(), input: {}, subject: { type: "plan", id }, receivedAt: performance.now() },
  reason: "the table is long",
});
const BEFORE = "2026-11-01T00:00:00.000Z";
let next = 100_000;
/** Messages that were sent long ago and that CAP itself would delete. */
async function finished(count: number): Promise<void> {
  await world.foreign.run(
    `insert into cap.published select n, 'v1', 'old', '{}', 0, timestamp '2020-01-01', timestamp '2020-01-16', 'Succeeded' from generate_series(${String(next)}, ${String(next + count - 1)}) n`,
  );
  next += count;
}
async function left(): Promise<number> {
  const [row] = await world.foreign.run<{ n: number }>(
    "select count(*)::int as n from cap.published where \"Name\" = 'old'",
  );
  return row?.n ?? -1;
}
/** Deletions that were committed, counted by a trigger of theirs. */
async function deleted(): Promise<number> {
  const [row] = await world.foreign.run<{ n: number }>("select count(*)::int as n from cap.changes");
  return row?.n ?? -1;
}
async function plan(before = BEFORE): Promise<string> {
  const scope = { by: "attached", filter: { attachment, before } } as const;
  const made = await createPlan(world.actor.context(), asked("plans.create"), { kind: "purge_attached", scope });
  return String(made.answer.after["planId"]);
}
async function read(id: string) {
  const view = await readPlan(world.actor.context(), { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
}
const outcomes = async (id: string) => (await read(id)).items.rows.map(({ outcome }) => outcome);
const start = (id: string) => startPlan(world.actor.context(), asked("plans.start", id), id);
async function turn(id: string): Promise<void> {
  await world.rows("update onceboard.plans set locked_until = null, owner = null where id = $1", id);
  await runPlan(world.actor.worker());
}

describe("ATTACH-5 a plan that purges an attached database", () => {
  it("counts what would go in batches and deletes nothing, then deletes each batch once", async () => {
    await finished(1_037);
    const id = await plan();
    expect(await left()).toBe(1_037);
    expect(await deleted()).toBe(0);
    expect(await read(id)).toMatchObject({
      state: "awaiting_approval",
      approvalNeeded: "1,037 rows would act: 1,013 more than the 24 that one person may let act alone.",
      total: 3,
      acting: 3,
      scope: "1,037 finished rows from before 1 Nov 2026, 00:00 UTC",
      chips: [
        { name: "from before", value: "1 Nov 2026, 00:00 UTC" },
        { name: "rows", value: "1,037" },
      ],
      verdicts: [{ verdict: "due_there", acts: true, count: 3 }],
      theirs: { asked: false },
    });
    const [first] = (await read(id)).items.rows;
    expect(first?.verdictReason).toBe(
      "The function would delete 500 rows from before 1 Nov 2026, 00:00 UTC. It decides again when the batch runs, and takes no more than that.",
    );
    expect(attachedNowWords(await read(id))).toBe(
      "Not counted again for this page: the function decides when a batch runs.",
    );
    await decidePlan(world.actor.context("admin", "op-2"), asked("plans.decide", id), id, {
      ...{ decision: "approve", start: true },
    });
    await turn(id);
    expect(await outcomes(id)).toEqual([
      "The function deleted 500 rows.",
      "The function deleted 500 rows.",
      "The function deleted 37 rows.",
    ]);
    expect(await read(id)).toMatchObject({ state: "done", counts: { done: 3 } });
    expect({ left: await left(), deleted: await deleted() }).toEqual({ left: 0, deleted: 1_037 });
    const audit = await world.rows<{ changed: number }>(
      `select (after ->> 'changed')::int as changed from onceboard.audit_entries
       where action = 'attached.purge' and after ? 'changed' order by sequence desc limit 3`,
    );
    expect(audit.map(({ changed }) => changed).sort((a, b) => a - b)).toEqual([37, 500, 500]);
  });

  it("never deletes more than it froze, and says where fewer were left", async () => {
    await finished(12);
    const id = await plan();
    expect(await read(id)).toMatchObject({ state: "ready", total: 1 });
    await finished(30);
    await start(id);
    await turn(id);
    expect(await outcomes(id)).toEqual(["The function deleted 12 rows."]);
    expect(await left()).toBe(30);
    await world.foreign.run(`delete from cap.published where "Name" = 'old' and "Id" >= ${String(next - 20)}`);
    const fewer = await plan();
    await world.foreign.run(`delete from cap.published where "Name" = 'old' and "Id" >= ${String(next - 29)}`);
    await decideOrStart(fewer);
    await turn(fewer);
    expect(await outcomes(fewer)).toEqual(["The function deleted 1 row of 10: the function found no more."]);
  });

  it("0 rows are an answer, and what is left is counted by another plan", async () => {
    await finished(3);
    const id = await plan();
    await world.foreign.run("delete from cap.published where \"Name\" = 'old'; delete from cap.changes");
    await start(id);
    await turn(id);
    expect(await outcomes(id)).toEqual(["Settled meanwhile: the function found no row to delete any more."]);
    const view = await read(id);
    expect(view).toMatchObject({ state: "done", counts: { skipped: 1 }, results: { settled: 1 } });
    expect(planAdvice(view)).toBe("Its rows are counted anew by a new plan, from the page of retention of its source.");
    await expect(
      createPlan(world.actor.context(), asked("plans.create"), {
        kind: "purge_attached",
        scope: { by: "rerun", of: id },
      }),
    ).rejects.toMatchObject({ code: "plan.state", message: expect.stringContaining("counted anew") as string });
    await expect(plan()).rejects.toMatchObject({ code: "plan.nothing" });
  });

  it.each([
    ["before the commit arrived: nothing, and the batch is run again", "request", "FAILED_RETRYABLE", 7],
    ["after it: deleted, and not a second time", "reply", "COMPLETED", 0],
  ] as const)("a connection that is lost %s", async (_when, at, state, rowsLeft) => {
    await finished(7);
    const id = await plan();
    await start(id);
    world.tap.trap({ matches: (said) => said === "commit", at, caught: (wire) => wire.cut() });
    await expect(turn(id)).rejects.toMatchObject({ code: "dependency.timeout" });
    await turn(id);
    expect(await read(id)).toMatchObject({ state: "running", counts: { waiting: 1 } });
    const { operationId } = await world.newest();
    expect(await world.recover(operationId)).toBe(state);
    expect(await left()).toBe(rowsLeft);
    // What became due meanwhile is not of this plan.
    await finished(5);
    await turn(id);
    expect(await outcomes(id)).toEqual(["The function deleted 7 rows."]);
    expect({ left: await left(), deleted: await deleted() }).toEqual({ left: 5, deleted: 7 });
  });

  it("in pieces it still needs a second person, as a plan and row by row", async () => {
    await finished(15);
    const first = await plan();
    expect(await read(first)).toMatchObject({ state: "ready" });
    await start(first);
    await turn(first);
    await finished(15);
    expect(await read(await plan())).toMatchObject({
      state: "awaiting_approval",
      approvalNeeded: expect.stringMatching(/^15 rows here and 15 in 1 more plan that the same person/) as string,
    });
    const purge = (most: number) =>
      actOnAttached(world.actor.context(), { ...asked("plans.create"), idempotencyKey: randomUUID() }, attachment, {
        ...{ act: "purge", before: new Date(BEFORE), most },
      });
    await expect(purge(25)).rejects.toMatchObject({ code: "plan.needed", certainty: "definite" });
    expect((await purge(9)).answer).toMatchObject({ affected: 9 });
    await expect(purge(1)).rejects.toMatchObject({ code: "plan.needed" });
    expect(await left()).toBe(6);
  });

  it("counts no further than its limits, says so, and holds no lock afterwards", { timeout: 60_000 }, async () => {
    await finished((MAX_PURGE_BATCHES + 1) * 500);
    const view = await read(await plan());
    expect(view.total).toBeLessThanOrEqual(MAX_PURGE_BATCHES);
    expect(view.scope).toMatch(/^the first [\d,]+ finished rows from before 1 Nov 2026, 00:00 UTC; there may be more$/);
    expect(view.chips).toContainEqual({
      name: "rows",
      value: `${(view.total * 500).toLocaleString("en")}, and there may be more`,
    });
    const free = await world.foreign.run(
      'select 1 from cap.published where "Name" = \'old\' order by "Id" limit 600 for update nowait',
    );
    expect(free).toHaveLength(600);
    expect(await deleted()).toBe(0);
  });
});

/** By a second person where one is asked for. */
async function decideOrStart(id: string): Promise<void> {
  if ((await read(id)).state !== "awaiting_approval") {
    await start(id);
    return;
  }
  await decidePlan(world.actor.context("admin", "op-2"), asked("plans.decide", id), id, {
    ...{ decision: "approve", start: true },
  });
}
