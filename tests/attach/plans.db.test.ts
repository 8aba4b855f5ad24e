import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cap } from "@/attach/presets/cap";
import { NOBODY } from "@/console/attachments/act-operations";
import { createPlan } from "@/console/plans/create-plan";
import { decidePlan, startPlan } from "@/console/plans/decide-plan";
import type { AttachedScope } from "@/console/plans/plan-kind";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import type { AttachedKindName } from "@/domain/plans/plan";
import { createActWorld, type ActWorld } from "./act-world";

let world: ActWorld;
let attachment: string;
beforeAll(async () => {
  world = await createActWorld();
  attachment = await world.attach("orders-db");
});
afterAll(() => world.close());
beforeEach(() => world.rows("update onceboard.plans set state = 'aborted', started_at = null"));

const asked = (action: "plans.create" | "plans.start" | "plans.decide", id = "new") => ({
  ...{ action, idempotencyKey: randomUUID(), input: {}, subject: { type: "plan", id }, receivedAt: performance.now() },
  reason: "the consumer is back",
});
async function plan(kind: AttachedKindName, filter: Omit<AttachedScope, "attachment">): Promise<string> {
  const scope = { by: "attached", filter: { attachment, ...filter } } as const;
  const made = await createPlan(world.actor.context(), asked("plans.create"), { kind, scope });
  return String(made.answer.after["planId"]);
}
async function read(id: string) {
  const view = await readPlan(world.actor.context(), { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
}
const start = (id: string) => startPlan(world.actor.context(), asked("plans.start", id), id);
async function turn(id: string): Promise<void> {
  await world.rows("update onceboard.plans set locked_until = null, owner = null where id = $1", id);
  await runPlan(world.actor.worker());
}

describe("ATTACH-2 a plan over dead rows of an attached database", () => {
  it("freezes those of a type with a verdict each, and acts on each once", async () => {
    const rows = await Promise.all([3_000, 3_001, 3_002].map((id) => world.deadMessage(id, "orders.shipped")));
    const other = await world.deadMessage(3_009, "orders.billed");
    const id = await plan("requeue_attached", { type: "orders.shipped" });
    expect(await read(id)).toMatchObject({
      state: "ready",
      total: 3,
      acting: 3,
      verdicts: [{ verdict: "dead_there", acts: true, count: 3 }],
      chips: [{ name: "type", value: "orders.shipped" }],
      scope: "the newest dead rows: type orders.shipped",
    });
    await start(id);
    // Somebody else is first with one of them.
    await world.foreign.run("select * from onceboard_attach.requeue($1)", [rows[1]]);
    await turn(id);
    const view = await read(id);
    expect(view).toMatchObject({ counts: { done: 2, skipped: 1 } });
    expect(view.items.rows.map(({ outcome }) => outcome).sort()).toEqual([
      NOBODY,
      "Requeued: dead, now retrying.",
      "Requeued: dead, now retrying.",
    ]);
    for (const row of rows) expect(await world.changes(row)).toBe(1);
    expect(await world.changes(other)).toBe(0);
    const audit = await world.rows(
      "select 1 from onceboard.audit_entries where action = 'attached.requeue' and evidence ->> 'planId' = $1",
      id,
    );
    expect(audit).toHaveLength(3);
  });

  it("names what is not dead, and leaves it alone", async () => {
    const row = await world.deadMessage(3_010);
    const id = await plan("discard_attached", { rows: [row, "out:424242"] });
    expect(await read(id)).toMatchObject({
      total: 2,
      acting: 1,
      verdicts: [
        { verdict: "dead_there", acts: true, count: 1 },
        { verdict: "not_dead_there", acts: false, count: 1 },
      ],
    });
    const left = (await read(id)).items.rows.find(({ verdict }) => verdict === "not_dead_there");
    expect(left?.verdictReason).toBe("It is not among the newest 1,000 dead rows.");
  });

  it("a row whose connection is lost waits until its outcome is known, and is never done twice", async () => {
    const row = await world.deadMessage(3_020, "orders.lost");
    const id = await plan("requeue_attached", { type: "orders.lost" });
    await start(id);
    world.tap.trap({
      matches: (said) => said === "commit",
      at: "reply",
      caught: (wire) => wire.cut(),
    });
    await expect(turn(id)).rejects.toMatchObject({ code: "dependency.timeout" });
    await turn(id);
    expect(await read(id)).toMatchObject({ state: "running", counts: { waiting: 1 } });
    const { operationId } = await world.newest();
    expect(await world.recover(operationId)).toBe("COMPLETED");
    await turn(id);
    expect(await read(id)).toMatchObject({ counts: { done: 1 } });
    expect(await world.changes(row)).toBe(1);
  });

  it("is not made where the functions are not installed", async () => {
    await world.foreign.install(cap, { time_zone: "UTC" }, false);
    const readOnly = await world.attach("read-only");
    const scope = { by: "attached", filter: { attachment: readOnly } } as const;
    await expect(
      createPlan(world.actor.context(), asked("plans.create"), { kind: "requeue_attached", scope }),
    ).rejects.toMatchObject({
      code: "plan.nothing",
      message: "The functions that change rows are not installed. No plan was made.",
    });
    await world.foreign.install(cap, { time_zone: "UTC" });
  });

  it("asks a second person from 25 discards", async () => {
    for (let n = 0; n < 25; n += 1) await world.deadMessage(3_100 + n, "orders.many");
    const id = await plan("discard_attached", { type: "orders.many" });
    expect(await read(id)).toMatchObject({ state: "awaiting_approval" });
    const decision = { decision: "approve", start: true } as const;
    const decide = (person: string) =>
      decidePlan(world.actor.context("admin", person), asked("plans.decide", id), id, decision);
    await expect(decide("op-1")).rejects.toMatchObject({ code: "plan.own_request" });
  });
});
