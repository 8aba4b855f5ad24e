import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPlanRow } from "@/db/plans/create-plan";
import { weighPlan } from "@/db/second-person/weigh-plan";
import { abortPlanRow, decidePlanRow } from "@/db/plans/decide-plan";
import { claimPlan, settlePlanItem } from "@/db/plans/run-plan";
import { AppError } from "@/domain/errors";
import { PLAN_MAX_ITEMS, PLAN_ROWS_PER_TURN, type PlanItemState } from "@/domain/plans/plan";
import type { ActionRequest } from "@/engine/actions/action-answer";
import type { Actor } from "@/engine/context";
import { retain } from "@/engine/retention/retain";
import { outboxBody, type EnvelopeSource } from "@/engine/outbox/envelope";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { abortPlan, decidePlan, startPlan } from "./decide-plan";
import { createPlan, type PlanWish } from "./create-plan";
import { requeueDeadLetters } from "./dead-letter-plans";
import { expirePlans } from "./expire-plans";
import { listApprovals } from "./list-approvals";
import type { PlanKind } from "./plan-kind";
import { readPlan } from "./read-plan";
import { runPlan, type PlanTurn } from "./run-plan";

/** Another process does not work in the transaction that this one has open. */
const elsewhere = AsyncLocalStorage.snapshot();

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  // Earlier tests' plans neither run nor count as plans of the last hour.
  await env.rows("update onceboard.plans set state = 'aborted', started_at = null");
  await env.rows(
    "update onceboard.dead_letters set settled_at = now(), settled_by = 'earlier test', settlement = 'requeued' where settled_at is null",
  );
});

const mira = () => env.context({ actor: operator("operator", "op-mira") });
const ines = () => env.context({ actor: operator("admin", "op-ines") });
const worker = (instance = "worker-1") =>
  env.context({ instance, actor: { kind: "system", id: "plans", name: "plans" } });
const asked = (
  action: ActionRequest["action"],
  id = "new",
  key = uuidv7(),
  input: ActionRequest["input"] = {},
): ActionRequest => ({
  action,
  idempotencyKey: key,
  input,
  subject: { type: "plan", id },
  reason: "the receiver is back",
  receivedAt: performance.now(),
});

/** Dead messages of the inbox with their dead letters; as many as a test needs, in two statements. */
async function deadInbox(count: number, place = "ledger", fingerprint = "code:00000001"): Promise<string[]> {
  const deadLetters = await env.rows<{ id: string }>(
    `with messages as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at,
         attempts_started, attempts_finished, last_error_code)
       select $1, gen_random_uuid(), $2, 's', gen_random_uuid()::text, 'payment.succeeded', '{}', '\\x00', 'dead', now(), 5, 5, 'code'
       from generate_series(1, $4::int) returning id)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select $1, gen_random_uuid(), 'inbox', m.id, $2, 'payment.succeeded', $3, 'code', 'it broke', 5, clock_timestamp() from messages m returning id`,
    TENANT,
    place,
    fingerprint,
    count,
  );
  return deadLetters.map(({ id }) => id);
}

async function deadOutbox(aggregate = uuidv7(), operationId?: string): Promise<{ letter: string; message: string }> {
  const message = await env.outbox({ aggregate, ...(operationId !== undefined && { operationId }) });
  await env.rows(
    "update onceboard.outbox_messages set state = 'dead', attempts_started = 12, attempts_finished = 12 where id = $1",
    message,
  );
  const [row] = await env.rows<{ id: string }>(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, operation_id, error_fingerprint, error_code, error, attempts, dead_at)
     select tenant_id, gen_random_uuid(), 'outbox', id, topic, type, operation_id, 'http.503:1', 'http.503', 'away', 12, clock_timestamp()
     from onceboard.outbox_messages where id = $1 returning id`,
    message,
  );
  return { letter: row?.id ?? "", message };
}

const plan = async (wish: PlanWish, ctx = mira(), key?: string): Promise<string> => {
  const input = { kind: wish.kind, scope: JSON.stringify(wish.scope) };
  const { answer } = await createPlan(ctx, asked("plans.create", "new", key, input), wish);
  return String(answer.after["planId"]);
};
const byIds = (ids: readonly string[], kind: PlanWish["kind"] = "requeue_dead_letters"): PlanWish => ({
  kind,
  scope: { by: "ids", ids },
});
const byPlace = (place: string, kind: PlanWish["kind"] = "requeue_dead_letters"): PlanWish => ({
  kind,
  scope: { by: "filter", filter: { place } },
});
const start = (id: string, key?: string) => startPlan(mira(), asked("plans.start", id, key), id);
const read = async (id: string, ctx = mira()) => {
  const view = await readPlan(ctx, { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
};
/** The pace does not hold a test up: nobody waits, the rest is over. */
const rested = (id: string) =>
  env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
/** As if the canaries of a plan had come through: what follows is about the rest. */
const pastCanary = (id: string) => env.rows("update onceboard.plans set canary = 'true' where id = $1", id);
const states = (ids: readonly string[]) =>
  env.rows<{ state: string; settlement: string | null }>(
    `select m.state, d.settlement from onceboard.dead_letters d join onceboard.inbox_messages m on m.id = d.message_row_id where d.id = any($1::uuid[]) order by 1`,
    ids,
  );
const audits = (id: string) =>
  env.rows<{ action: string; actor_name: string; evidence: Record<string, unknown> }>(
    "select action, actor_name, evidence from onceboard.audit_entries where evidence ->> 'planId' = $1",
    id,
  );

async function run(id: string, ctx = worker()): Promise<PlanTurn[]> {
  const turns: PlanTurn[] = [];
  for (let n = 0; n < 50; n += 1) {
    await rested(id);
    const turn = await runPlan(ctx);
    if (turn.plans === 0) break;
    turns.push(turn);
  }
  return turns;
}

describe("PLAN-1 a plan is made", () => {
  it("with a verdict per row, and nothing acts before it is started", async () => {
    const unknown = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY" });
    const free = await deadOutbox();
    const doubtful = await deadOutbox(uuidv7(), unknown);
    const held = await deadOutbox();
    const [row] = await env.rows<EnvelopeSource>("select * from onceboard.outbox_messages where id = $1", held.message);
    if (row === undefined) throw new Error("no message");
    await env.rows(
      `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at, processed_at)
       values ($1, gen_random_uuid(), 'ledger', 'onceboard', $2, 't', '{}', $3, 'processed', now(), now())`,
      TENANT,
      held.message,
      createHash("sha256").update(outboxBody(TENANT, row)).digest(),
    );
    const id = await plan({ kind: "requeue_dead_letters", scope: { by: "filter", filter: { side: "outbox" } } });
    const view = await read(id);
    expect(view).toMatchObject({
      state: "ready",
      total: 3,
      acting: 2,
      counts: { waiting: 2, skipped: 1, done: 0, failed: 0 },
    });
    const verdictOf = (deadLetter: string) => view.items.rows.find((item) => item.targetId === deadLetter)?.verdict;
    expect([free, doubtful, held].map(({ letter }) => verdictOf(letter))).toEqual([
      "safe",
      "operation_unknown",
      "processed",
    ]);
    expect(await runPlan(worker())).toMatchObject({ plans: 0 });
    expect((await start(id)).answer).toMatchObject({ changed: true, affected: 2, after: { state: "running" } });
    expect(await run(id)).toMatchObject([{ done: 2, skipped: 0, failed: 0 }]);
    const outcomes = await env.rows<{
      id: string;
      settlement: string | null;
      settled_by: string | null;
      reason: string | null;
    }>("select id, settlement, settled_by, reason from onceboard.dead_letters where id = any ($1::uuid[])", [
      free.letter,
      doubtful.letter,
      held.letter,
    ]);
    const settled = (deadLetter: string) => outcomes.find((each) => each.id === deadLetter)?.settlement;
    expect([free, doubtful, held].map(({ letter }) => settled(letter))).toEqual(["requeued", null, "closed"]);
    expect(outcomes.find((each) => each.id === free.letter)).toMatchObject({ reason: "the receiver is back" });
    expect(await read(id)).toMatchObject({
      state: "done",
      endedBy: "worker-1",
      counts: { waiting: 0, done: 2, skipped: 1 },
    });
    expect((await audits(id)).map(({ action, actor_name }) => [action, actor_name])).toEqual([
      ["outbox.requeue", "plans"],
      ["outbox.requeue", "plans"],
    ]);
  });

  it("is frozen: a row that dies later is not in it", async () => {
    const first = await deadInbox(2, "frozen");
    const id = await plan(byPlace("frozen"));
    const late = await deadInbox(1, "frozen");
    await start(id);
    await run(id);
    expect(await states(first)).toEqual(Array(2).fill({ state: "recorded", settlement: "requeued" }));
    expect(await states(late)).toEqual([{ state: "dead", settlement: null }]);
  });

  it("ACTION-1 once per click, and its second click is told the first plan", async () => {
    await deadInbox(1, "click");
    const key = uuidv7();
    const made = await Promise.all(
      [plan(byPlace("click"), mira(), key), plan(byPlace("click"), mira(), key)].map((each) =>
        each.catch((error: unknown) => error),
      ),
    );
    const ids = [...made.filter((each) => typeof each === "string"), await plan(byPlace("click"), mira(), key)];
    expect(new Set(ids).size).toBe(1);
    expect(await env.rows("select 1 from onceboard.plans where filter ->> 'place' = 'click'")).toHaveLength(1);
  });

  it("refuses what matches nothing and what is too much, and freezes neither", async () => {
    await expect(plan(byPlace("nowhere"))).rejects.toMatchObject({ code: "plan.nothing", status: 422 });
    await deadInbox(PLAN_MAX_ITEMS + 1, "flood");
    await expect(plan(byPlace("flood"))).rejects.toMatchObject({
      code: "plan.too_many",
      status: 422,
      message: expect.stringContaining(
        "Nothing was frozen. Narrow the filter: a plan holds 10,000 rows at the most.",
      ) as string,
    });
    expect(await env.rows("select 1 from onceboard.plans where filter ->> 'place' in ('nowhere', 'flood')")).toEqual(
      [],
    );
  });

  it("10,000 rows are frozen at once and named as waiting for a second person", async () => {
    await deadInbox(PLAN_MAX_ITEMS, "most");
    const view = await read(await plan(byPlace("most")));
    expect(view).toMatchObject({ state: "awaiting_approval", total: PLAN_MAX_ITEMS, acting: PLAN_MAX_ITEMS });
    expect(view.approvalNeeded).toBe(
      "10,000 rows would act: 9,901 more than the 99 that one person may let act alone.",
    );
  });
});

describe("PLAN-2 a second person", () => {
  const large = async (): Promise<string> => {
    const place = `large-${uuidv7()}`;
    await deadInbox(100, place);
    return plan(byPlace(place));
  };
  const decide = (ctx: ReturnType<typeof mira>, id: string, decision: "approve" | "reject", then = false) =>
    decidePlan(ctx, asked("plans.decide", id, uuidv7(), { decision }), id, { decision, start: then });

  it("has to agree before it starts; whoever asked cannot, nor can an operator", async () => {
    const id = await large();
    await expect(start(id)).rejects.toMatchObject({ code: "plan.state", status: 409 });
    await expect(decide(mira(), id, "approve")).rejects.toMatchObject({ code: "auth.forbidden" });
    const alone = env.context({ actor: operator("admin", "op-mira") });
    await expect(decide(alone, id, "approve")).rejects.toMatchObject({ code: "plan.own_request", status: 403 });
    expect((await read(id, alone)).actions.decide).toMatchObject({
      allowed: false,
      whyNot: "You asked for it: another person must approve.",
    });
    expect(await read(id)).toMatchObject({ state: "awaiting_approval" });
    expect((await decide(ines(), id, "approve")).answer).toMatchObject({
      after: { state: "ready", decision: "approve" },
    });
    expect((await start(id)).answer.after).toMatchObject({ state: "running" });
  });

  it("may approve and start in one step, or reject for good", async () => {
    const run1 = await large();
    expect((await decide(ines(), run1, "approve", true)).answer.after).toMatchObject({ state: "running" });
    const no = await large();
    expect((await decide(ines(), no, "reject")).answer.after).toMatchObject({ state: "rejected" });
    await expect(start(no)).rejects.toMatchObject({ code: "plan.state" });
    await expect(decide(ines(), no, "approve")).rejects.toMatchObject({ code: "plan.state" });
    const [kept] = (await listApprovals(ines())).decided.filter(({ id }) => id === no);
    expect(kept).toMatchObject({ state: "rejected", decisionReason: "the receiver is back" });
  });
});

describe("PLAN-3 one plan in pieces", () => {
  const discard = async (count: number, ctx = mira()): Promise<string> => {
    const place = `piece-${uuidv7()}`;
    await deadInbox(count, place);
    return plan(byPlace(place, "discard_dead_letters"), ctx);
  };

  it("asks for the second person that the whole would: three plans of 24 rows by the same person", async () => {
    const first = await discard(24);
    expect(await read(first)).toMatchObject({ state: "ready" });
    await start(first);
    await run(first);
    expect(await read(await discard(24))).toMatchObject({
      state: "awaiting_approval",
      approvalNeeded:
        "24 rows here and 24 in 1 more plan that the same person has ready or ran in the last hour make 48: 24 more than the 24 that one person may let act alone.",
    });
    // What waits for a second person has one; what another person asks, and another kind, is counted by itself.
    expect((await read(await discard(1))).approvalNeeded).toMatch(
      /^1 row here and 24 in 1 more plan that .* make 25: 1 more/,
    );
    expect(await read(await discard(24, ines()))).toMatchObject({ state: "ready" });
    await deadInbox(80, "other-kind");
    expect(await read(await plan(byPlace("other-kind")))).toMatchObject({ state: "ready" });
  });

  it("counts what is ready whatever its age, what ran for an hour, and nothing of what never acts", async () => {
    const old = await discard(20);
    await env.rows("update onceboard.plans set created_at = now() - interval '2 days' where id = $1", old);
    expect(await read(await discard(20))).toMatchObject({ state: "awaiting_approval" });
    await start(old);
    await run(old);
    await env.rows("update onceboard.plans set ended_at = now() - interval '59 minutes' where id = $1", old);
    expect(await read(await discard(20))).toMatchObject({ state: "awaiting_approval" });
    await env.rows("update onceboard.plans set ended_at = now() - interval '61 minutes' where id = $1", old);
    const free = await discard(20);
    expect(await read(free)).toMatchObject({ state: "ready" });
    await abortPlan(mira(), asked("plans.abort", free), free);
    expect(await read(await discard(20))).toMatchObject({ state: "ready" });
  });

  it("does not count what a second person agreed to", async () => {
    const large = await discard(30);
    await decidePlan(ines(), asked("plans.decide", large), large, { decision: "approve", start: true });
    await run(large);
    expect(await read(large)).toMatchObject({ state: "done", counts: { done: 30 } });
    expect(await read(await discard(20))).toMatchObject({ state: "ready" });
  });

  it("counts a row once that both plans have, so the rest of a plan may be planned again", async () => {
    const deadLetters = await deadInbox(20, "again");
    await plan(byIds(deadLetters, "discard_dead_letters"));
    expect(await read(await plan(byIds(deadLetters, "discard_dead_letters")))).toMatchObject({
      state: "ready",
      acting: 20,
    });
  });

  it("sees the other of two that are made at once, on two connections", async () => {
    const targets = await deadInbox(24, "race-1");
    const rival = await env.db.pool.connect();
    try {
      await rival.query("begin");
      const wish = { tenantId: TENANT, kind: "discard_dead_letters", actor: "operator:op-mira", tieDays: 30 } as const;
      expect(await weighPlan(rival, { ...wish, targets })).toMatchObject({ plans: 0, acting: 0 });
      const items = targets.map((targetId) => ({ targetId, label: {}, verdict: "safe", why: "", acts: true }));
      const frozen = { id: uuidv7(), filter: {}, reason: "r", approvalNeeded: undefined, items };
      await createPlanRow(rival, { ...wish, ...frozen });
      let made = false;
      const second = discard(24).finally(() => {
        made = true;
      });
      await waits(() => made);
      await rival.query("commit");
      expect(await read(await second)).toMatchObject({ state: "awaiting_approval" });
    } finally {
      rival.release(true);
    }
  });

  /** Until somebody stands behind another's advisory lock; whoever did not wait has made its plan already. */
  async function waits(made: () => boolean): Promise<void> {
    for (;;) {
      const waiting = await env.rows(
        "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
      );
      if (waiting.length > 0) return;
      if (made()) throw new Error("nothing held the second plan up");
    }
  }
});

describe("PLAN-2 two people, whatever way they come", () => {
  const client = (id: string) =>
    env.context({ actor: { kind: "client", id, name: id, scopes: ["admin"] } satisfies Actor });
  const keyOf = (of: string, createdBy: string | null, holder: string | null = null) =>
    env.rows(
      `insert into onceboard.api_keys (tenant_id, id, client_id, secret_hash, scopes, profile, created_by, holder, revoked_at)
       values ($1, gen_random_uuid()::text, $2, '\\x00', '{admin}', 'problem', $3, $4, now())`,
      TENANT,
      of,
      createdBy,
      holder,
    );
  const waiting = async (ctx: ReturnType<typeof mira>): Promise<string> => {
    const place = `two-${uuidv7()}`;
    await deadInbox(100, place);
    return plan(byPlace(place), ctx);
  };
  const approve = (ctx: ReturnType<typeof mira>, id: string) =>
    decidePlan(ctx, asked("plans.decide", id, uuidv7(), {}), id, { decision: "approve", start: false });
  const noor = () => env.context({ actor: operator("approver", "op-noor") });

  it.each<[string, string]>([
    ["by the id that a key keeps", "operator:op-ines"],
    ["by the name that older keys have", "Ines of the till"],
    ["through a key that such a key made", "client:first"],
  ])("whoever made a key cannot agree to what was asked with it: %s", async (_how, createdBy) => {
    const id = `till-${uuidv7()}`;
    await env.rows(
      `insert into onceboard.operators (id, name, email, email_verified, role) values ('op-ines', 'Ines of the till', 'ines@till.example', true, 'admin')
       on conflict do nothing`,
    );
    await keyOf(id, createdBy);
    if (createdBy === "client:first") await keyOf("first", "operator:op-ines");
    const plan1 = await waiting(client(id));
    await expect(approve(ines(), plan1)).rejects.toMatchObject({ code: "plan.own_request", status: 403 });
    expect((await read(plan1, ines())).actions.decide).toMatchObject({
      allowed: false,
      whyNot: "It was asked for with a key of a client that you made or hold a key of: another person must approve.",
    });
    const seen = async (ctx: ReturnType<typeof mira>) =>
      (await listApprovals(ctx)).waiting.find((row) => row.id === plan1);
    expect(await seen(ines())).toMatchObject({ own: true, decide: { allowed: false } });
    expect(await seen(noor())).toMatchObject({ own: false, decide: { allowed: true } });
    expect(await read(plan1)).toMatchObject({ state: "awaiting_approval" });
    expect((await approve(noor(), plan1)).answer).toMatchObject({ after: { state: "ready" } });
  });

  it("TRUTH-1 what waits is listed however many plans were made since, what was decided of the newest 1,000", async () => {
    const decided = await waiting(mira());
    await approve(noor(), decided);
    const waits = await waiting(ines());
    await env.rows(
      `insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_by)
       select $1, gen_random_uuid(), 'purge_bodies', 'aborted', '{}', 'newer', 0, 'operator:op-newer' from generate_series(1, 998)`,
      TENANT,
    );
    try {
      // With the one that waits they are 999.
      expect((await listApprovals(noor())).decided.map(({ id }) => id)).toContain(decided);
      await env.rows(
        `insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_by)
         values ($1, gen_random_uuid(), 'purge_bodies', 'aborted', '{}', 'newer', 0, 'operator:op-newer')`,
        TENANT,
      );
      expect((await listApprovals(noor())).decided).toEqual([]);
      const { waiting: rows, count } = await listApprovals(noor());
      expect(rows.map(({ id }) => id)).toEqual([waits]);
      expect(count).toBe(1);
    } finally {
      await env.rows("delete from onceboard.plans where tenant_id = $1 and created_by = 'operator:op-newer'", TENANT);
    }
  });

  it("a key agrees to nothing, also not in the database, and a key of the command line names nobody but its holder", async () => {
    await keyOf("shell", null);
    const own = await waiting(ines());
    await expect(approve(client("shell"), own)).rejects.toMatchObject({ code: "auth.person_only" });
    const decision = { approve: true, start: true, actor: "client:shell", reason: undefined, tieDays: 30 };
    expect(await decidePlanRow(env.db.pool, TENANT, own, decision)).toBe("no_person");
    expect(await decidePlanRow(env.db.pool, TENANT, own, { ...decision, actor: "operator:op-ines" })).toBe("own");
    const byAnybody = await waiting(client("shell"));
    for (const anybody of [ines(), noor()]) {
      await expect(approve(anybody, byAnybody)).rejects.toMatchObject({
        code: "plan.unknown_holder",
        status: 403,
        message:
          "Nothing was changed. It was asked for with a key that names no holder, so that anybody may have asked. Ask for it again with a key that has one.",
      });
      expect((await read(byAnybody, anybody)).actions.decide).toMatchObject({
        allowed: false,
        whyNot:
          "It was asked for with a key that names no holder, so that anybody may have asked: nobody can approve it.",
      });
    }
    expect(await read(byAnybody)).toMatchObject({ notSecond: { anybody: true } });
    await keyOf("held", null, "op-noor");
    const byNoor = await waiting(client("held"));
    await expect(approve(noor(), byNoor)).rejects.toMatchObject({ code: "plan.own_request" });
    expect((await approve(ines(), byNoor)).answer).toMatchObject({ after: { state: "ready" } });
  });

  it("what somebody asks by themselves and with a key is one sum", async () => {
    const id = `till-${uuidv7()}`;
    await keyOf(id, "operator:op-mira");
    const place = `sum-${uuidv7()}`;
    await deadInbox(60, place);
    expect(await read(await plan(byPlace(place)))).toMatchObject({ state: "ready" });
    const more = `sum-${uuidv7()}`;
    await deadInbox(60, more);
    expect(await read(await plan(byPlace(more), client(id)))).toMatchObject({ state: "awaiting_approval" });
  });
});

describe("PLAN-12 weighed again when it is started", () => {
  const till = (id: string) =>
    env.context({ actor: { kind: "client", id, name: id, scopes: ["admin"] } satisfies Actor });
  const madeBy = (client: string, person: string) =>
    env.rows(
      `insert into onceboard.api_keys (tenant_id, id, client_id, secret_hash, scopes, profile, created_by, revoked_at)
       values ($1, gen_random_uuid()::text, $2, '\\x00', '{admin}', 'problem', $3, now())`,
      ...[TENANT, client, person],
    );
  const sixty = async (ctx: ReturnType<typeof mira>): Promise<string> => {
    const place = `again-${uuidv7()}`;
    await deadInbox(60, place);
    return plan(byPlace(place), ctx);
  };

  it("asks for a second person where what was two people's is one person's by now, and runs nothing", async () => {
    const id = `till-${uuidv7()}`;
    const mine = await sixty(mira());
    const its = await sixty(till(id));
    expect([await read(mine), await read(its)]).toMatchObject([{ state: "ready" }, { state: "ready" }]);
    // Whoever made a key of it knows its secret: from now on both plans are Mira's.
    await madeBy(id, "operator:op-mira");
    const { answer } = await startPlan(mira(), asked("plans.start", its, uuidv7(), {}), its);
    expect(answer).toMatchObject({
      affected: 0,
      before: { state: "ready" },
      after: {
        state: "awaiting_approval",
        approvalNeeded: expect.stringContaining("60 rows here and 60 in 1 more plan") as string,
      },
    });
    expect(await read(its)).toMatchObject({ state: "awaiting_approval", counts: { waiting: 60 } });
    await expect(startPlan(mira(), asked("plans.start", its, uuidv7(), {}), its)).rejects.toMatchObject({
      code: "plan.state",
    });
    await expect(
      decidePlan(
        env.context({ actor: operator("approver", "op-mira") }),
        asked("plans.decide", its, uuidv7(), {}),
        its,
        { decision: "approve", start: true },
      ),
    ).rejects.toMatchObject({ code: "plan.own_request" });
    const agreed = await decidePlan(ines(), asked("plans.decide", its, uuidv7(), {}), its, {
      decision: "approve",
      start: false,
    });
    expect(agreed.answer.after).toMatchObject({ state: "ready" });
    // What a second person agreed to is not weighed again.
    expect((await startPlan(mira(), asked("plans.start", its, uuidv7(), {}), its)).answer.after).toMatchObject({
      state: "running",
    });
  });

  it("starts what is below the threshold still, each row of it counted once", async () => {
    const one = await sixty(mira());
    expect((await startPlan(mira(), asked("plans.start", one, uuidv7(), {}), one)).answer.after).toMatchObject({
      state: "running",
    });
  });
});

describe("PLAN-8 a plan that nobody takes up", () => {
  const retention = () => env.context({ actor: { kind: "system", id: "retain", name: "retain" } });
  const aged = (id: string, column: "created_at" | "decided_at", days: number) =>
    env.rows(`update onceboard.plans set ${column} = now() - make_interval(days => $2) where id = $1`, id, days);
  const made = async (count: number): Promise<string> => {
    const place = `old-${uuidv7()}`;
    await deadInbox(count, place);
    return plan(byPlace(place));
  };
  const approve = (id: string) =>
    decidePlan(ines(), asked("plans.decide", id), id, { decision: "approve", start: false });
  const expired = "For 7 days nobody approved or started it: it has expired.";

  it("is not offered any more after 7 days, and expires with its audit entry, once", async () => {
    const [ready, large, runs, young] = [await made(3), await made(100), await made(3), await made(2)];
    await start(runs);
    for (const id of [ready, large, runs]) await aged(id, "created_at", 7);
    await aged(young, "created_at", 6);
    expect((await listApprovals(ines())).waiting).toEqual([]);
    for (const step of [() => start(ready), () => approve(large)])
      await expect(step()).rejects.toMatchObject({ code: "plan.state", message: `Nothing was changed. ${expired}` });
    expect(await read(large, ines())).toMatchObject({
      state: "awaiting_approval",
      expired: true,
      actions: { decide: { allowed: false, whyNot: expired } },
    });
    // Who started one of them, or agreed to it, since it was looked for comes first.
    const end = (id: string) => abortPlanRow(env.db.pool, TENANT, id, "system:expiry", 7);
    expect([await end(runs), await end(young)]).toEqual(["running", "ready"]);
    expect(await expirePlans(retention(), 10)).toBe(2);
    expect(await expirePlans(retention(), 10)).toBe(0);
    for (const id of [ready, large])
      expect(await read(id)).toMatchObject({ state: "aborted", expired: true, endedBy: "the worker, by the clock" });
    expect(await read(runs)).toMatchObject({ state: "running", expired: false });
    expect(await read(young)).toMatchObject({ state: "ready", expired: false });
    const results = await env.rows(
      "select actor_kind, action, reason, before, after from onceboard.audit_entries where subject_id = $1 and action = 'plans.abort'",
      large,
    );
    expect(results).toEqual([
      {
        actor_kind: "system",
        action: "plans.abort",
        reason: expired,
        before: { state: "awaiting_approval" },
        after: { state: "aborted", untouched: 100 },
      },
    ]);
  });

  it("lives as long again once somebody agreed to it, and is deleted with the others in the end", async () => {
    const id = await made(100);
    await aged(id, "created_at", 6);
    await approve(id);
    await aged(id, "created_at", 12);
    expect(await expirePlans(retention(), 10)).toBe(0);
    await aged(id, "decided_at", 7);
    await expect(start(id)).rejects.toMatchObject({ code: "plan.state" });
    expect(await expirePlans(retention(), 10)).toBe(1);
    expect(await read(id)).toMatchObject({ state: "aborted", expired: true });
    // Retention deletes it with the others, 90 days after its end.
    for (const [days, left] of [
      [89, 1],
      [91, 0],
    ] as const) {
      await env.rows(
        "update onceboard.plans set created_at = now() - interval '200 days', ended_at = now() - make_interval(days => $2) where id = $1",
        id,
        days,
      );
      await retain(retention(), new Map());
      expect(await env.rows("select 1 from onceboard.plans where id = $1", id)).toHaveLength(left);
    }
  });
});

describe("PLAN-4 a plan runs", () => {
  it("in turns with a rest, whoever asks for the next one", async () => {
    await deadInbox(PLAN_ROWS_PER_TURN + 5, "paced");
    const id = await plan(byPlace("paced"));
    await start(id);
    await pastCanary(id);
    expect(await runPlan(worker())).toMatchObject({ plans: 1, done: PLAN_ROWS_PER_TURN });
    expect(await runPlan(worker("worker-2"))).toMatchObject({ plans: 0 });
    await rested(id);
    expect(await runPlan(worker("worker-2"))).toMatchObject({ plans: 1, done: 5 });
    expect(await read(id)).toMatchObject({ state: "done", endedBy: "worker-2" });
  });

  it("with eight workers at once every row acts once", async () => {
    const deadLetters = await deadInbox(80, "rush");
    const id = await plan(byPlace("rush"));
    await start(id);
    await pastCanary(id);
    const workers = Array.from({ length: 8 }, (_, n) => worker(`worker-${String(n)}`));
    let done = 0;
    while ((await read(id)).state === "running") {
      await rested(id);
      const turns = await Promise.all(workers.map((ctx) => runPlan(ctx)));
      done += turns.reduce((sum, turn) => sum + turn.done, 0);
    }
    expect(done).toBe(80);
    expect(await states(deadLetters)).toEqual(Array(80).fill({ state: "recorded", settlement: "requeued" }));
    expect(await audits(id)).toHaveLength(80);
  });

  it("judges each row again: what moved since the dry run is skipped, with the reason", async () => {
    const deadLetters = await deadInbox(3, "moved");
    const id = await plan(byPlace("moved"));
    await env.rows(
      "update onceboard.inbox_messages set state = 'processed', processed_at = now() where id = (select message_row_id from onceboard.dead_letters where id = $1)",
      deadLetters[0],
    );
    await env.rows(
      "update onceboard.dead_letters set settled_at = now(), settled_by = 'Dana', settlement = 'discarded' where id = $1",
      deadLetters[1],
    );
    await start(id);
    await run(id);
    const view = await read(id);
    expect(view).toMatchObject({ state: "done", changed: 2, counts: { done: 1, skipped: 2 } });
    const of = (deadLetter?: string) => view.items.rows.find((item) => item.targetId === deadLetter);
    expect(of(deadLetters[0])).toMatchObject({ state: "skipped", changed: true, verdict: "safe" });
    expect(of(deadLetters[0])?.outcome).toContain("ledger".replace("ledger", "moved") + " processed it on");
    expect(of(deadLetters[1])?.outcome).toMatch(/^Settled meanwhile: Dana discarded it on/);
    expect(view.results).toMatchObject({ settled: 1, moved: 1 });
    expect(view.rest).toHaveLength(2);
    expect(view.rest).toEqual(
      expect.arrayContaining([
        { result: "moved", verdict: "processed", now: "settled", count: 1 },
        { result: "settled", verdict: "moved", now: "settled", by: "by Dana", count: 1 },
      ]),
    );
    expect(view.actions.rerun).toMatchObject({ allowed: false, whyNot: "None of its rows would act now." });
    // Its rows are there, so nobody is told that none matches.
    await expect(plan({ kind: "requeue_dead_letters", scope: { by: "rerun", of: id } })).rejects.toMatchObject({
      code: "plan.nothing",
      message: "None of its rows would act now, so no plan was made.",
    });
  });

  it("discards with its reason, keeps the rows, and asks nobody to send them", async () => {
    const deadLetters = await deadInbox(3, "junk");
    const id = await plan(byPlace("junk", "discard_dead_letters"));
    await start(id);
    await run(id);
    expect(await states(deadLetters)).toEqual(Array(3).fill({ state: "discarded", settlement: "discarded" }));
    expect((await read(id)).items.rows[0]).toMatchObject({ state: "done", outcome: "Discarded." });
  });
});

/** The product's own kind, in which something happens before the act or after it, in its transaction. */
const disturbed = (at: {
  before?: (n: number) => void | Promise<void>;
  after?: (n: number) => void | Promise<void>;
}): PlanKind => {
  let n = 0;
  return {
    ...requeueDeadLetters,
    async act(...input) {
      n += 1;
      const own = n;
      await at.before?.(own);
      const outcome = await requeueDeadLetters.act(...input);
      await at.after?.(own);
      return outcome;
    },
  };
};
const crash = (): never => {
  throw new AppError("transient.crash", 503, "The process ends here", { retryable: true });
};
const when = (which: number, what: () => void) => (n: number) => {
  if (n === which) what();
};
const counts = async (id: string): Promise<Readonly<Record<PlanItemState, number>>> => (await read(id)).counts;

describe("PLAN-5 a plan survives", () => {
  it.each([
    ["between two rows", { before: when(3, crash) }],
    ["after the act and before the row has ended", { after: when(3, crash) }],
  ])("a worker that dies %s: the rest goes on after the lease, nothing acts twice", async (_where, at) => {
    const place = `crash-${uuidv7()}`;
    const deadLetters = await deadInbox(6, place);
    const id = await plan(byPlace(place));
    await start(id);
    await pastCanary(id);
    const kinds = { requeue_dead_letters: disturbed(at) };
    await expect(runPlan(worker("worker-dead"), { kinds })).rejects.toMatchObject({ code: "transient.crash" });
    expect(await counts(id)).toMatchObject({ done: 2, waiting: 4 });
    expect((await states(deadLetters)).filter(({ settlement }) => settlement !== null)).toHaveLength(2);
    // Its lease still stands: nobody else takes it.
    expect(await runPlan(worker("worker-2"))).toMatchObject({ plans: 0 });
    await env.rows("update onceboard.plans set locked_until = now() - interval '1 second' where id = $1", id);
    expect(await runPlan(worker("worker-2"))).toMatchObject({ plans: 1, done: 4 });
    expect(await counts(id)).toMatchObject({ done: 6, waiting: 0 });
    expect(await audits(id)).toHaveLength(6);
  });

  it("an owner that wakes up after its lease was taken over settles nothing", async () => {
    const deadLetters = await deadInbox(3, "late");
    const id = await plan(byPlace("late"));
    await start(id);
    await pastCanary(id);
    const takeOver = async (): Promise<void> => {
      await env.rows("update onceboard.plans set locked_until = now() - interval '1 second' where id = $1", id);
      expect(await runPlan(worker("worker-2"))).toMatchObject({ plans: 1, done: 3 });
    };
    const kinds = { requeue_dead_letters: disturbed({ before: (n) => (n === 1 ? elsewhere(takeOver) : undefined) }) };
    expect(await runPlan(worker("worker-slow"), { kinds })).toMatchObject({ plans: 1, done: 0 });
    expect(await states(deadLetters)).toEqual(Array(3).fill({ state: "recorded", settlement: "requeued" }));
    expect(await audits(id)).toHaveLength(3);
    expect(await read(id)).toMatchObject({ state: "done", endedBy: "worker-2" });
  });

  it("an owner whose plan somebody else holds settles nothing, although its rows still wait", async () => {
    const deadLetters = await deadInbox(3, "held");
    const id = await plan(byPlace("held"));
    await start(id);
    const lapse = () =>
      env.rows("update onceboard.plans set locked_until = now() - interval '1 second' where id = $1", id);
    const taken = async (): Promise<void> => {
      await lapse();
      expect(await claimPlan(env.db.pool, TENANT, "worker-2", 30_000)).toMatchObject({ id });
    };
    const kinds = { requeue_dead_letters: disturbed({ before: (n) => (n === 1 ? elsewhere(taken) : undefined) }) };
    expect(await runPlan(worker("worker-slow"), { kinds })).toMatchObject({ plans: 1, done: 0, failed: 0 });
    expect(await states(deadLetters)).toEqual(Array(3).fill({ state: "dead", settlement: null }));
    await lapse();
    expect(await runPlan(worker("worker-3"))).toMatchObject({ done: 3 });
    expect(await audits(id)).toHaveLength(3);
  });

  it("a row ends once, also for its owner", async () => {
    await deadInbox(1, "once");
    const id = await plan(byPlace("once"));
    await start(id);
    const claimed = await claimPlan(env.db.pool, TENANT, "worker-1", 30_000);
    if (claimed === undefined) throw new Error("not claimed");
    const end = (state: "done" | "failed") =>
      settlePlanItem(env.db.pool, TENANT, claimed, { position: 1, state, outcome: state });
    expect([await end("done"), await end("failed")]).toEqual([true, false]);
    expect(await counts(id)).toMatchObject({ done: 1, failed: 0 });
  });

  it("PLAN-6 an abort in its middle: what acted stays, the rest is untouched", async () => {
    const deadLetters = await deadInbox(5, "abort");
    const id = await plan(byPlace("abort"));
    await start(id);
    await pastCanary(id);
    const abort = async (): Promise<void> => {
      const { answer } = await abortPlan(mira(), asked("plans.abort", id), id);
      expect(answer).toMatchObject({ changed: true, after: { state: "aborted", untouched: 3 } });
    };
    const kinds = { requeue_dead_letters: disturbed({ before: (n) => (n === 3 ? elsewhere(abort) : undefined) }) };
    expect(await runPlan(worker(), { kinds })).toMatchObject({ done: 2 });
    expect(await counts(id)).toMatchObject({ done: 2, waiting: 3 });
    expect((await states(deadLetters)).map(({ settlement }) => settlement).sort()).toEqual([
      null,
      null,
      null,
      "requeued",
      "requeued",
    ]);
    expect(await runPlan(worker("worker-2"))).toMatchObject({ plans: 0 });
    await expect(abortPlan(mira(), asked("plans.abort", id), id)).rejects.toMatchObject({ code: "plan.state" });
    const rest = await plan({ kind: "requeue_dead_letters", scope: { by: "rerun", of: id } });
    expect(await read(rest)).toMatchObject({ total: 3, acting: 3, rerunOf: id });
  });

  it("a row that fails is one failed row, and the rest is planned again from it", async () => {
    const deadLetters = await deadInbox(3, "fails");
    const id = await plan(byIds(deadLetters));
    await start(id);
    const broken = (): never => {
      throw new Error("a constraint nobody thought of");
    };
    const kinds = { requeue_dead_letters: disturbed({ after: when(2, broken) }) };
    expect(await runPlan(worker(), { kinds })).toMatchObject({ done: 2, failed: 1 });
    const view = await read(id);
    expect(view).toMatchObject({
      state: "done",
      counts: { done: 2, failed: 1 },
      actions: { rerun: { allowed: true } },
    });
    const failed = view.items.rows.find(({ state }) => state === "failed");
    expect(failed?.outcome).toBe("plan.item: a constraint nobody thought of");
    expect((await states([failed?.targetId ?? ""]))[0]).toEqual({ state: "dead", settlement: null });
    const again = await plan({ kind: "requeue_dead_letters", scope: { by: "rerun", of: id } });
    expect((await read(again)).items.rows.map(({ targetId }) => targetId)).toEqual([failed?.targetId]);
    await start(again);
    await run(again);
    expect(await read(again)).toMatchObject({ state: "done", counts: { done: 1 } });
  });

  it("a stopping worker gives it back at once, between two rows", async () => {
    await deadInbox(4, "drain");
    const id = await plan(byPlace("drain"));
    await start(id);
    const stop = new AbortController();
    const kinds = {
      requeue_dead_letters: disturbed({
        after: when(2, () => {
          stop.abort();
        }),
      }),
    };
    expect(await runPlan(worker(), { kinds, signal: stop.signal })).toMatchObject({ done: 2 });
    expect(await runPlan(worker("worker-2"))).toMatchObject({ plans: 1, done: 2 });
  });
});
