import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, describe, it } from "vitest";
import { CANARY_FROM } from "@/domain/plans/canary";
import { holding, type PageClaim } from "@/domain/page-claim";
import type { ActionRequest } from "@/engine/actions/action-answer";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { canaryRows, canaryWords } from "@/presentation/plan/plan-canary";
import { PLAN_CLAIMS } from "@/presentation/plan/plan-summary";
import type { PlanView } from "@/presentation/views/plans";
import { createPlan } from "./create-plan";
import { abortPlan, startPlan } from "./decide-plan";
import { readPlan } from "./read-plan";
import { runPlan } from "./run-plan";

/** Every sentence about a canary, held against the messages and dead letters by statements of the test's own. */

const RUNS = 30;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const mira = () => env.context({ actor: operator("operator", "op-mira") });
const worker = () => env.context({ instance: "worker-1", actor: { kind: "system", id: "plans", name: "plans" } });
const asked = (action: ActionRequest["action"], id = "new"): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type: "plan", id },
  reason: "the receiver is back",
  receivedAt: performance.now(),
});

/** What becomes of the canary of a destination. */
const FATES = ["waits", "handled", "died", "discarded", "gone", "late"] as const;
interface Place {
  readonly messages: number;
  readonly fate: (typeof FATES)[number];
}
interface Case {
  readonly places: readonly Place[];
  /** How far it goes; `stopped`: a person aborts it while its canaries are out. */
  readonly route: "ready" | "sent" | "answered" | "stopped";
}
const planCase: fc.Arbitrary<Case> = fc.record({
  places: fc.array(
    fc.record({
      messages: fc.integer({ min: 1, max: 5 }),
      // Often all of them come through.
      fate: fc.oneof(fc.constantFrom(...FATES), fc.constant("handled" as const), fc.constant("handled" as const)),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  route: fc.constantFrom<Case["route"][]>("ready", "sent", "stopped", "answered", "answered", "answered"),
});

async function dead({ messages }: Place, place: string): Promise<void> {
  await env.rows(
    `with messages as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at,
         attempts_started, attempts_finished, last_error_code)
       select $1, gen_random_uuid(), $2, 's', gen_random_uuid()::text, 'payment.succeeded', '{}', '\\x00', 'dead', now(), 5, 5, 'code'
       from generate_series(1, $3::int) returning id)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select $1, gen_random_uuid(), 'inbox', m.id, $2, 'payment.succeeded', 'code:1', 'code', 'it broke', 5, clock_timestamp() from messages m`,
    ...[TENANT, place, messages],
  );
}

async function turns(id: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
    await runPlan(worker());
  }
}

/** What becomes of everything that was requeued at a place and has no end. */
async function become(id: string, place: string, fate: Place["fate"]): Promise<void> {
  if (fate === "waits") return;
  if (fate === "late") {
    await env.rows(
      "update onceboard.plan_items set canary_at = canary_at - interval '16 minutes' where plan_id = $1 and label ->> 'place' = $2",
      ...[id, place],
    );
    return;
  }
  const its = "consumer = $1 and state = 'recorded'";
  if (fate === "gone") {
    await env.rows("delete from onceboard.inbox_open where consumer = $1", place);
    await env.rows(`delete from onceboard.inbox_messages where ${its}`, place);
  } else {
    const state = fate === "handled" ? "processed" : fate === "died" ? "dead" : "discarded";
    await env.rows(
      `update onceboard.inbox_messages set state = $2, processed_at = case when $2 = 'processed' then now() end, last_error_code = 'handler.broke' where ${its}`,
      ...[place, state],
    );
    await env.rows("delete from onceboard.inbox_open where consumer = $1", place);
  }
}

async function playOut({ places, route }: Case): Promise<string> {
  await env.rows("update onceboard.plans set state = 'aborted', started_at = null");
  const named = places.map((place) => ({ ...place, name: uuidv7() }));
  for (const place of named) await dead(place, place.name);
  const rows = await env.rows<{ id: string }>(
    "select id from onceboard.dead_letters where place = any ($1)",
    named.map(({ name }) => name),
  );
  const scope = { by: "ids", ids: rows.map(({ id }) => id) } as const;
  const made = await createPlan(mira(), asked("plans.create"), { kind: "requeue_dead_letters", scope });
  const id = String(made.answer.after["planId"]);
  if (route === "ready") return id;
  await startPlan(mira(), asked("plans.start", id), id);
  await turns(id, 1);
  if (route === "sent") return id;
  if (route === "stopped") {
    const [plan] = await env.rows<{ state: string }>("select state from onceboard.plans where id = $1", id);
    if (plan?.state === "running") await abortPlan(mira(), asked("plans.abort", id), id);
    return id;
  }
  for (const { name, fate } of named) await become(id, name, fate);
  await turns(id, 4);
  return id;
}

interface Facts {
  readonly state: string;
  readonly rows: number;
  readonly places: number;
  /** Canaries that were let go, and what became of their messages. */
  readonly canaries: number;
  readonly open: number;
  readonly through: number;
  readonly requeued: number;
  readonly by_person: boolean;
}
/** From messages and dead letters, not from what is kept as their answers. */
async function factsOf(id: string): Promise<Facts> {
  const [facts] = await env.rows<Facts>(
    `select p.state, count(*)::int as rows, count(distinct d.place)::int as places,
       count(*) filter (where i.canary_at is not null)::int as canaries,
       count(*) filter (where i.canary_at is not null and m.state = 'recorded' and i.canary_at > now() - interval '15 minutes')::int as open,
       count(*) filter (where i.canary_at is not null and m.state = 'processed')::int as through,
       count(*) filter (where d.settlement = 'requeued')::int as requeued, coalesce(p.ended_by like 'operator:%', false) as by_person
     from onceboard.plans p join onceboard.plan_items i on i.plan_id = p.id join onceboard.dead_letters d on d.id = i.target_id
     left join onceboard.inbox_messages m on m.id = d.message_row_id
     where p.id = $1 group by p.tenant_id, p.id`,
    id,
  );
  if (facts === undefined) throw new Error("no plan");
  return facts;
}

/** "The canary", "Both canaries" without a figure; "All 3", "1 of 3". */
const numbersOf = (count: number, all: number): number[] =>
  all === 1 || (count === all && all === 2) ? [] : count === all ? [all] : [count, all];

const ORACLES: Readonly<
  Record<string, (it: Facts) => { readonly said: boolean; readonly numbers: readonly number[] }>
> = {
  "a canary goes first": (it) => ({ said: it.state === "ready" && it.rows >= CANARY_FROM, numbers: [] }),
  "canary awaited": (it) => ({ said: it.state === "running" && it.open > 0, numbers: numbersOf(it.open, it.canaries) }),
  "canary came through": (it) => ({
    // One for each destination, and the rest went after them.
    said: it.state !== "ready" && it.canaries === it.places && it.through === it.canaries && it.requeued === it.rows,
    numbers: numbersOf(it.canaries, it.canaries),
  }),
  "canary failed": (it) => ({
    said: it.state === "aborted" && !it.by_person && it.canaries > it.through + it.open && it.requeued === it.canaries,
    numbers: numbersOf(it.canaries - it.through - it.open, it.canaries),
  }),
};

async function read(id: string): Promise<PlanView> {
  const view = await readPlan(mira(), { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
}

async function verify(id: string, claims: readonly PageClaim<PlanView>[] = PLAN_CLAIMS): Promise<ReadonlySet<string>> {
  const plan = await read(id);
  const said = new Map(holding(claims, plan).map((claim) => [claim.name, claim.words(plan)]));
  const facts = await factsOf(id);
  for (const [name, oracle] of Object.entries(ORACLES)) {
    const words = said.get(name);
    const { said: must, numbers } = oracle(facts);
    expect(words !== undefined, `${name}: ${words ?? "is not said"} ${JSON.stringify(facts)}`).toBe(must);
    if (words !== undefined)
      expect(
        [...words.matchAll(/\d+/g)].map(([text]) => Number(text)),
        `${name}: ${words}`,
      ).toEqual(numbers);
  }
  for (const row of canaryRows(plan)) await verifyRow(id, row.messageId, canaryWords(row));
  return new Set(said.keys());
}

/** By what is said of one canary: what its message is then; c[1] is the time or the reason in it. */
const ROW_ORACLES: readonly (readonly [words: RegExp, sql: string])[] = [
  [/^Handled\.$/, "m.state = 'processed'"],
  [/^Died again: (.+)\.$/, "m.state = 'dead' and c[1] like m.last_error_code || '%'"],
  [
    /^Did not come through: (.+)\.$/,
    `m.state is distinct from 'processed' and m.state is distinct from 'dead'
       and (m.state is distinct from 'recorded' or i.canary_at < now() - interval '15 minutes')`,
  ],
  [
    /^Still waiting since (\d\d:\d\d:\d\d) UTC\.$/,
    "m.state = 'recorded' and to_char(i.canary_at at time zone 'utc', 'HH24:MI:SS') = c[1]",
  ],
];

async function verifyRow(id: string, messageId: string, words: string): Promise<void> {
  const found = ROW_ORACLES.find(([each]) => each.test(words));
  if (found === undefined) throw new Error(`no predicate: ${words}`);
  const [row] = await env.rows<{ holds: boolean; state: string }>(
    `select ${found[1]} as holds, m.state from onceboard.plan_items i join onceboard.dead_letters d on d.id = i.target_id
     left join onceboard.inbox_messages m on m.id = d.message_row_id cross join (select $3::text[] as c) p
     where i.plan_id = $1 and d.message_row_id = $2`,
    ...[id, messageId, (found[0].exec(words) ?? []).slice(1)],
  );
  expect(row?.holds, `${words} The message is ${row?.state ?? "gone"}.`).toBe(true);
}

const planted = (name: string, change: Partial<PageClaim<PlanView>>) =>
  PLAN_CLAIMS.map((claim) => (claim.name === name ? { ...claim, ...change } : claim));
const of = (fate: Place["fate"], messages = 3): Place => ({ messages, fate });

describe("PLAN-11 every sentence about a canary", () => {
  it("holds against the messages, whatever becomes of each", { timeout: 180_000 }, async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(planCase, async (each) => {
        for (const name of await verify(await playOut(each))) seen.add(name);
      }),
      {
        numRuns: RUNS,
        examples: [
          [{ route: "ready", places: [of("waits", 5)] }],
          [{ route: "sent", places: [of("waits"), of("waits")] }],
          [{ route: "answered", places: [of("handled"), of("handled")] }],
          [{ route: "answered", places: [of("handled"), of("died"), of("late")] }],
          [{ route: "answered", places: [of("handled"), of("waits")] }],
          [{ route: "stopped", places: [of("waits"), of("waits")] }],
        ],
      },
    );
    for (const name of Object.keys(ORACLES)) expect(seen, name).toContain(name);
  });

  it("notices one that is said to have come through while another one waits", async () => {
    const id = await playOut({ route: "answered", places: [of("handled"), of("waits")] });
    const some = planted("canary came through", {
      holds: ({ canary }) => canary?.rows.some(({ answer }) => answer === "delivered") === true,
    });
    await verify(id);
    await expect(verify(id, some)).rejects.toThrow("canary came through");
  });

  it("notices a wrong number of canaries that failed", async () => {
    const id = await playOut({ route: "answered", places: [of("handled"), of("died"), of("waits")] });
    await verify(id);
    const all = planted("canary failed", { words: () => "All 3 canaries failed, nothing else ran." });
    await expect(verify(id, all)).rejects.toThrow("canary failed");
  });
});
