import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CANARY_FROM, PLAN_CANARY_BY } from "@/domain/plans/canary";
import type { ActionRequest } from "@/engine/actions/action-answer";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { canaryWords } from "@/presentation/plan/plan-canary";
import { planSummary } from "@/presentation/plan/plan-summary";
import type { PlanView } from "@/presentation/views/plans";
import { createPlan } from "./create-plan";
import { startPlan } from "./decide-plan";
import { readPlan } from "./read-plan";
import { runPlan } from "./run-plan";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(() => env.rows("update onceboard.plans set state = 'aborted', started_at = null"));

const mira = () => env.context({ actor: operator("operator", "op-mira") });
const worker = (instance = "worker-1") =>
  env.context({ instance, actor: { kind: "system", id: "plans", name: "plans" } });
const asked = (action: ActionRequest["action"], id = "new"): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type: "plan", id },
  reason: "the receiver is back",
  receivedAt: performance.now(),
});

async function deadInbox(count: number, place: string): Promise<void> {
  await env.rows(
    `with messages as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at,
         attempts_started, attempts_finished, last_error_code)
       select $1, gen_random_uuid(), $2, 's', gen_random_uuid()::text, 'payment.succeeded', '{}', '\\x00', 'dead', now(), 5, 5, 'code'
       from generate_series(1, $3::int) returning id)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select $1, gen_random_uuid(), 'inbox', m.id, $2, 'payment.succeeded', 'code:1', 'code', 'it broke', 5, clock_timestamp() from messages m`,
    TENANT,
    place,
    count,
  );
}

/** A plan that runs over every dead letter of these places. */
async function started(...places: readonly string[]): Promise<string> {
  const rows = await env.rows<{ id: string }>("select id from onceboard.dead_letters where place = any ($1)", places);
  const scope = { by: "ids", ids: rows.map(({ id }) => id) } as const;
  const made = await createPlan(mira(), asked("plans.create"), { kind: "requeue_dead_letters", scope });
  const id = String(made.answer.after["planId"]);
  await startPlan(mira(), asked("plans.start", id), id);
  return id;
}
async function turn(id: string, times = 1): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
    await runPlan(worker());
  }
}
async function read(id: string): Promise<PlanView> {
  const view = await readPlan(mira(), { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
}
const words = async (id: string) =>
  planSummary(await read(id))
    .map(({ text }) => text)
    .join(" ");
/** What becomes of every message that was requeued and has no end yet, as its consumer would end it. */
async function become(place: string, state: "processed" | "dead"): Promise<void> {
  await env.rows(
    `update onceboard.inbox_messages set state = $2, processed_at = case when $2 = 'processed' then now() end, last_error_code = 'handler.broke'
     where consumer = $1 and state = 'recorded'`,
    place,
    state,
  );
  await env.rows("delete from onceboard.inbox_open where consumer = $1", place);
}
/** The oracle: how many messages of these places were let go again. */
async function requeued(...places: readonly string[]): Promise<number> {
  const [row] = await env.rows<{ count: number }>(
    "select count(*)::int as count from onceboard.dead_letters where place = any ($1) and settlement = 'requeued'",
    places,
  );
  return row?.count ?? 0;
}

describe("PLAN-11 a canary of a requeue", () => {
  it("goes first, and the rest goes on by itself once it came through", async () => {
    await deadInbox(8, "through");
    const id = await started("through");
    await turn(id);
    expect(await requeued("through")).toBe(1);
    expect(await words(id)).toBe("1 of 8 has ended. The canary has no answer yet. It can be stopped after any row.");
    const [waits] = (await read(id)).canary?.rows ?? [];
    expect(waits && canaryWords(waits)).toMatch(/^Still waiting since \d\d:\d\d:\d\d UTC\.$/);
    await turn(id, 2);
    expect(await requeued("through")).toBe(1);
    await become("through", "processed");
    await turn(id);
    expect(await requeued("through")).toBe(8);
    expect(await words(id)).toBe("The canary came through. All 8 were requeued.");
    const [row] = (await read(id)).canary?.rows ?? [];
    expect(row && canaryWords(row)).toBe("Handled.");
  });

  it("died again: nothing else ran, the plan stops with its reason, and the rest can be planned again", async () => {
    await deadInbox(6, "broken");
    const id = await started("broken");
    await turn(id);
    await become("broken", "dead");
    await turn(id, 2);
    expect(await requeued("broken")).toBe(1);
    const view = await read(id);
    expect(view).toMatchObject({
      state: "aborted",
      endedBy: "the worker, because the canary failed",
      counts: { done: 1, waiting: 5 },
      canary: { state: "failed", rows: [{ answer: "died", detail: "handler.broke" }] },
    });
    expect(await words(id)).toBe(
      "Aborted after 1 of 6 rows. The canary failed, nothing else ran. 5 rows stay untouched.",
    );
    const entries = await env.rows<{ reason: string; actor_name: string }>(
      "select reason, actor_name from onceboard.audit_entries where subject_id = $1 and action = 'plans.abort'",
      id,
    );
    expect(entries).toEqual([{ reason: "The canary failed.", actor_name: "plans" }]);
    expect(
      await env.rows("select 1 from onceboard.plans where id = $1 and ended_by = $2", id, PLAN_CANARY_BY),
    ).toHaveLength(1);
    expect(view.actions.rerun.allowed).toBe(true);
  });

  it("one goes first for each destination, and one that fails stops them all", async () => {
    await deadInbox(4, "one");
    await deadInbox(4, "two");
    const id = await started("one", "two");
    await turn(id);
    expect(await requeued("one", "two")).toBe(2);
    expect(await words(id)).toContain("Both canaries have no answer yet.");
    await become("one", "processed");
    await turn(id);
    expect(await requeued("one", "two")).toBe(2);
    expect(await words(id)).toContain("1 of 2 canaries has no answer yet.");
    await become("two", "dead");
    await turn(id);
    expect(await words(id)).toContain("1 of 2 canaries failed, nothing else ran.");
    expect(await requeued("one", "two")).toBe(2);
  });

  it("one that gives no answer in time stops the plan", async () => {
    await deadInbox(5, "silent");
    const id = await started("silent");
    await turn(id);
    await env.rows(
      "update onceboard.plan_items set canary_at = canary_at - interval '16 minutes' where plan_id = $1",
      id,
    );
    await turn(id);
    const [row] = (await read(id)).canary?.rows ?? [];
    expect(row && canaryWords(row)).toBe("Did not come through: no answer within 15 minutes, it was not tried.");
    expect(await read(id)).toMatchObject({ state: "aborted", canary: { state: "failed" } });
  });

  it("another worker goes on after one that died with the canary out, and sends no second one", async () => {
    await deadInbox(5, "taken");
    const id = await started("taken");
    await turn(id);
    // Died with the plan in its hand: its lease runs out.
    await env.rows(
      "update onceboard.plans set owner = 'gone', locked_until = now() - interval '1 second' where id = $1",
      id,
    );
    await runPlan(worker("worker-2"));
    expect(await requeued("taken")).toBe(1);
    await become("taken", "processed");
    await turn(id);
    expect(await requeued("taken")).toBe(5);
  });

  it(`is not asked of fewer than ${String(CANARY_FROM)}`, async () => {
    await deadInbox(CANARY_FROM - 1, "few");
    const id = await started("few");
    await turn(id);
    expect(await requeued("few")).toBe(CANARY_FROM - 1);
    expect((await read(id)).canary).toBeUndefined();
  });
});
