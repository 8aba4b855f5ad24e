import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { createPlan } from "@/console/plans/create-plan";
import { startPlan } from "@/console/plans/decide-plan";
import { listApprovals } from "@/console/plans/list-approvals";
import type { PlanScope } from "@/console/plans/plan-kind";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import { attachedNowWords } from "@/presentation/plan/attached-now";
import { planAdvice, willAct } from "@/presentation/plan/plan-advice";
import { stepWords } from "@/presentation/plan/plan-dialog-claims";
import { createActWorld, type ActWorld } from "./act-world";

let world: ActWorld;
let attachment: string;
beforeAll(async () => {
  world = await createActWorld();
  attachment = await world.attach("orders-db");
});
afterAll(() => world.close());
beforeEach(() => world.rows("update onceboard.plans set state = 'aborted', started_at = null"));

const asked = (action: "plans.create" | "plans.start", id = "new") => ({
  ...{ action, idempotencyKey: randomUUID(), input: {}, subject: { type: "plan", id }, receivedAt: performance.now() },
  reason: "the consumer is back",
});
async function planOf(scope: PlanScope): Promise<string> {
  const made = await createPlan(world.actor.context(), asked("plans.create"), { kind: "requeue_attached", scope });
  return String(made.answer.after["planId"]);
}
const plan = (filter: { readonly type?: string; readonly group?: string; readonly rows?: readonly string[] }) =>
  planOf({ by: "attached", filter: { attachment, ...filter } });
async function read(id: string, ctx = world.actor.context()) {
  const view = await readPlan(ctx, { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
}
const start = (id: string) => startPlan(world.actor.context(), asked("plans.start", id), id);
async function turn(id: string): Promise<void> {
  await world.rows("update onceboard.plans set locked_until = null, owner = null where id = $1", id);
  await runPlan(world.actor.worker());
}

describe("ATTACH-6 the page of a plan over an attached database", () => {
  it("asks it again about the rows that are left, and a start says how many are", async () => {
    const rows = await Promise.all([5_000, 5_001, 5_002].map((id) => world.deadMessage(id, "orders.page")));
    const id = await plan({ type: "orders.page" });
    expect(attachedNowWords(await read(id))).toBe("Asked for this page: all 3 rows that are left are dead there.");
    // Their own worker, or somebody else, takes one of them.
    await world.foreign.run("select * from onceboard_attach.requeue($1)", [rows[0]]);
    const view = await read(id);
    expect(view.theirs).toEqual({ asked: true });
    expect(attachedNowWords(view)).toBe("Asked for this page: 2 of 3 that are left are dead there.");
    expect(willAct(view)).toBe(2);
    expect(stepWords.startSkipped(view)).toContain("1 more, settled since.");
    // What was frozen stays as it was frozen.
    expect(view.verdicts).toMatchObject([{ verdict: "dead_there", count: 3 }]);
  });

  it("says that it was not asked, and why, where it does not answer, and waits no longer than its limit", async () => {
    await world.deadMessage(5_010, "orders.away");
    const id = await plan({ type: "orders.away" });
    const release = await world.foreign.hold("lock table cap.published in access exclusive mode");
    const began = performance.now();
    const held = await read(id);
    expect(performance.now() - began).toBeLessThan(4_000);
    await release();
    expect(held.theirs).toEqual({ asked: false, because: "It did not answer within 1.5 s." });
    expect(attachedNowWords(held)).toBe(
      "Not asked for this page. It did not answer within 1.5 s. Verdicts are as they were frozen.",
    );
    expect(willAct(held)).toBe(1);
    const ctx = world.actor.context();
    const refused = await read(id, { ...ctx, config: { ...ctx.config, attachHosts: ["other-db"] } });
    expect(attachedNowWords(refused)).toMatch(
      /^Not asked for this page\. 127\.0\.0\.1:\d+ is not in ATTACH_HOSTS of this deployment\. Nothing was asked\. Verdicts are as they were frozen\.$/,
    );
    await closeAttachments();
  });

  it("the list of approvals asks no database of somebody else's", async () => {
    for (let n = 0; n < 100; n += 1) await world.deadMessage(5_100 + n, "orders.many");
    await plan({ type: "orders.many" });
    const release = await world.foreign.hold("lock table cap.published in access exclusive mode");
    const { waiting } = await listApprovals(world.actor.context("admin", "op-2"));
    await release();
    expect(waiting).toMatchObject([{ kind: "requeue_attached", acting: 100 }]);
    expect(waiting[0]?.rest).toBeUndefined();
  });

  it("a plan of the rest freezes only what is still dead there", async () => {
    const rows = await Promise.all([5_020, 5_021].map((id) => world.deadMessage(id, "orders.rest")));
    const id = await plan({ type: "orders.rest" });
    await world.rows("update onceboard.plans set state = 'aborted', ended_at = clock_timestamp() where id = $1", id);
    await world.foreign.run("select * from onceboard_attach.requeue($1)", [rows[0]]);
    expect(planAdvice(await read(id))).toContain("1 row would act now: plan it again.");
    const again = await read(await planOf({ by: "rerun", of: id }));
    expect(again.items.rows.map(({ label }) => label["row"])).toEqual([rows[1]]);
  });
});

describe("ATTACH-6 a plan of one error, as the list groups it", () => {
  it("freezes the rows whose error is in that group, and names it", async () => {
    const dead = async (id: number, error: string): Promise<string> => {
      const row = await world.deadMessage(id, "orders.errors");
      await world.foreign.run(`update cap.published set "Content" = $2 where "Id" = $1`, [
        id,
        JSON.stringify({ Headers: { "cap-exception": error } }),
      ]);
      return row;
    };
    const timeouts = [
      await dead(5_200, "TimeoutException-->the broker said nothing\n  at Send()"),
      await dead(5_201, "TimeoutException-->the broker said nothing\n  at Other()"),
    ];
    await dead(5_202, "TimeoutException-->another text");
    await dead(5_203, "BrokerException-->the broker said nothing");
    const group = "TimeoutException-->the broker said nothing";
    const view = await read(await plan({ group }));
    expect(view.items.rows.map(({ label }) => label["row"]).sort()).toEqual(timeouts);
    expect(view).toMatchObject({
      scope: `the newest dead rows: error ${group}`,
      chips: [{ name: "error", value: group }],
    });
    await expect(plan({ group, type: "orders.else" })).rejects.toMatchObject({ code: "plan.nothing" });
  });
});

describe("ATTACH-6 a row whose act a person settled as not done", () => {
  it("ends as failed with what was settled, and another plan acts on it once", async () => {
    const row = await world.deadMessage(5_300, "orders.settled");
    const id = await plan({ type: "orders.settled" });
    await start(id);
    world.tap.trap({ matches: (said) => said === "commit", at: "request", caught: (wire) => wire.cut() });
    await expect(turn(id)).rejects.toMatchObject({ code: "dependency.timeout" });
    const { operationId } = await world.newest();
    expect(await world.settleAs("failed", operationId)).toBe("FAILED_REPLAYABLE");
    await turn(id);
    const view = await read(id);
    expect(view).toMatchObject({ state: "done", counts: { failed: 1 }, acting: 1 });
    expect(view.items.rows[0]?.outcome).toBe(
      "attached.not_done: A person settled, with evidence, that it did nothing.",
    );
    expect(planAdvice(view)).toContain("1 row would act now: plan it again.");
    expect(await world.changes(row)).toBe(0);
    const again = await planOf({ by: "rerun", of: id });
    await start(again);
    await turn(again);
    expect(await read(again)).toMatchObject({ state: "done", counts: { done: 1 } });
    expect(await world.changes(row)).toBe(1);
  });

  it("ends as done where it was settled as done, also when nothing of what the function returned was kept", async () => {
    const row = await world.deadMessage(5_310, "orders.done");
    const id = await plan({ type: "orders.done" });
    await start(id);
    world.tap.trap({ matches: (said) => said === "commit", at: "reply", caught: (wire) => wire.cut() });
    await expect(turn(id)).rejects.toMatchObject({ code: "dependency.timeout" });
    const { operationId } = await world.newest();
    await world.rows(
      "update onceboard.attached_acts set changed = null, was = null, is_now = null where operation_id = $1",
      operationId,
    );
    expect(await world.settleAs("succeeded", operationId)).toBe("COMPLETED");
    await turn(id);
    const view = await read(id);
    expect(view).toMatchObject({ state: "done", counts: { done: 1 } });
    expect(view.items.rows[0]?.outcome).toBe("A person settled, with evidence, that it was done.");
    expect(await world.changes(row)).toBe(1);
  });
});
