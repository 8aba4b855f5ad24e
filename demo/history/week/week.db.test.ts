import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COUNTEREXAMPLES } from "@/db/checks/counterexamples";
import { INVARIANTS } from "@/console/invariants/invariant-list";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readConflict } from "@/console/read/operations/read-conflict";
import { readProof } from "@/console/proof/read-proof";
import { readPlan } from "@/console/plans/read-plan";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import type { EngineContext } from "@/engine/context";
import type { Seeded } from "../fill";
import { wrongHashes } from "../testing/wrong-hashes";
import { LOST_LATELY, LOST_PAYMENTS, SETTLED_BY_HAND } from "./calendar";
import { openWeek, type WeekUnderTest } from "./testing/open-week";

const TENANT = "acme";
/** Checks look back so far, to the first hour of the week. */
const WEEK_HOURS = 9 * 24;
/** Seconds that a seed may take on a machine that runs other tests too. */
const SEED_LIMIT_MS = 600_000;

let week: WeekUnderTest;
let rows: WeekUnderTest["rows"];
let lines: readonly string[];
let ctx: EngineContext;
let made: Seeded;

beforeAll(async () => {
  week = await openWeek(TENANT);
  ({ rows, lines, ctx } = week);
  made = await week.seed(TENANT);
  expect(made.done).toBe(true);
}, SEED_LIMIT_MS);
afterAll(() => week.close());

describe("a seeded week (DEMO-1)", () => {
  it("has seven whole days and today until now, busier by day than by night, and says each of them", async () => {
    const [span] = await rows<{ days: number; late: number; n: number; future: number }>(
      `select extract(epoch from max(created_at) - min(created_at))::float8 / 86400 as days, extract(epoch from now() - max(created_at))::float8 as late,
         count(*)::int as n, count(*) filter (where updated_at > now())::int as future from onceboard.idempotency_requests`,
    );
    expect(span?.days).toBeGreaterThan(6.99);
    // What passed while it was made belongs to it.
    expect(span?.days).toBeLessThan(8.01);
    expect(span?.late).toBeLessThan(SEED_LIMIT_MS / 1_000);
    expect(span?.n).toBeGreaterThan(40_000);
    expect(span?.future).toBe(0);
    expect(lines.filter((line) => /^\d{4}-\d\d-\d\d: [\d,]+ operations/.test(line))).toHaveLength(8);
    const [rush] = await rows<{ now: number; night: number }>(
      `select count(*) filter (where created_at between now() - interval '25 hours' and now() - interval '23 hours')::int as now,
         count(*) filter (where created_at between now() - interval '37 hours' and now() - interval '35 hours')::int as night from onceboard.idempotency_requests`,
    );
    expect(rush?.now).toBeGreaterThan(3 * (rush?.night ?? 0));
  });

  it("is made once: a tenant with operations is left alone", async () => {
    expect(await week.seed(TENANT)).toMatchObject({ done: false, rows: {} });
  });

  it("the provider's 12 minutes: every payment was settled, most by recovery, some by a plan, five by hand", async () => {
    const settled = await rows<{ how: string; n: number }>(
      `select coalesce((select a.action || case a.actor_name when 'plans' then ' of a plan' else '' end from onceboard.audit_entries a
           where a.subject_id = r.operation_id::text and a.after ->> 'state' = 'COMPLETED'), 'recovery') as how, count(*)::int as n
       from onceboard.idempotency_requests r where exists (select 1 from onceboard.provider_requests p where p.operation_id = r.operation_id and p.outcome = 'indefinite')
       group by 1 order by 2 desc`,
    );
    const by = Object.fromEntries(settled.map(({ how, n }) => [how, n]));
    expect(by["operations.resolve"]).toBe(SETTLED_BY_HAND);
    expect(by["recovery"]).toBeGreaterThan(by["operations.reconcile of a plan"] ?? 0);
    expect(by["operations.reconcile of a plan"]).toBeGreaterThan(0);
    const sum = settled.reduce((all, { n }) => all + n, 0);
    expect(sum).toBeGreaterThan(20);
    expect(sum).toBeLessThanOrEqual(LOST_PAYMENTS + LOST_LATELY);
    const fences = await rows(
      `select r.operation_id from onceboard.idempotency_requests r join lateral (
         select count(*) filter (where e.type = 'taken_over')::int + 1 as fence, max(e.fence) as top from onceboard.idempotency_events e where e.operation_id = r.operation_id) e on true
       where r.operation_id in (select p.operation_id from onceboard.provider_requests p where p.outcome = 'indefinite') and (r.fence <> e.fence or r.fence <> e.top)`,
    );
    expect(fences).toEqual([]);
  });

  it("the last hours: the provider was silent, recovery settled all of it, and a release of another client uses keys again", async () => {
    const [lost] = await rows<{ n: number; by: string }>(
      `select count(*)::int as n, string_agg(distinct e.actor, ',') as by from onceboard.settled_doubts d
       join onceboard.idempotency_events e on e.operation_id = d.operation_id and e.type = 'reconciled'
         and e.detail ->> 'to' = 'COMPLETED' where d.since > now() - interval '9 hours'`,
    );
    expect(lost?.n).toBeGreaterThan(2);
    expect(lost).toEqual({ n: lost?.n, by: "worker-1" });
    const [again] = await rows<{ late: number; usual: number }>(
      `select count(*) filter (where at > now() - interval '9 hours')::int as late, count(*) filter (where at < now() - interval '24 hours')::float8 / 6 as usual
       from onceboard.idempotency_events where type = 'conflict' and client = 'till-ios'`,
    );
    expect(again?.late).toBeGreaterThan(1.5 * (again?.usual ?? 0));
  });

  it("the receiver's hour: what died was requeued by one plan that two people agreed to, and posted after it", async () => {
    const [plan] = await rows<{ id: string; total: number; two: boolean; needed: string | null }>(
      "select id, total, created_by <> decided_by as two, approval_needed as needed from onceboard.plans where kind = 'requeue_dead_letters'",
    );
    expect(plan).toMatchObject({ two: true, needed: expect.stringContaining("more than the 99") as unknown });
    expect(plan?.total).toBeGreaterThanOrEqual(100);
    expect(await readPlan(ctx, { id: plan?.id ?? "", filters: { show: "all" } })).toMatchObject({
      state: "done",
      counts: { done: plan?.total },
    });
    const [late] = await rows<{ n: number; early: number }>(
      `select count(*)::int as n, count(*) filter (where l.posted_at < d.settled_at)::int as early from onceboard.dead_letters d
       join payments.ledger_entries l on l.operation_id = d.operation_id where d.settlement = 'requeued'`,
    );
    expect(late).toEqual({ n: plan?.total, early: 0 });
  });

  it("the release: one client's conflicts stand out and are marked; one account's messages waited and went in order", async () => {
    const hours = await rows<{ n: number }>(
      `select count(*)::int as n from onceboard.idempotency_events where type = 'conflict' and client = 'till-web'
       group by date_trunc('hour', at) order by 1 desc limit 3`,
    );
    // The hour and a half of the release, against the worst other hour.
    expect(hours[0]?.n).toBeGreaterThan(3 * (hours[2]?.n ?? 0));
    expect(await rows("select client, mark from onceboard.conflict_marks")).toEqual([
      { client: "till-web", mark: "client_fault" },
    ]);
    const line = await rows<{ waited: boolean; transport: string | null }>(
      "select published_at - created_at > interval '15 minutes' as waited, transport from onceboard.outbox_history where type = 'account.default_currency_changed' order by position",
    );
    expect(line).toEqual([
      { waited: true, transport: null },
      { waited: true, transport: "http" },
      { waited: true, transport: "http" },
    ]);
    expect(await rows("select settlement from onceboard.dead_letters where place = 'accounts'")).toEqual([
      { settlement: "closed" },
    ]);
  });

  it("keeps in each inbox the hash of what the message was sent as, so that publishing again is judged by it", async () => {
    expect(await wrongHashes((text) => rows(text))).toEqual([]);
    expect(
      await rows("select distinct consumer from onceboard.inbox_messages where source = 'onceboard' order by 1"),
    ).toEqual(["account-notices", "ledger", "receipts", "webhooks"].map((consumer) => ({ consumer })));
  });

  it("leaves nothing open, and its audit in the order of time with a chain that verifies", async () => {
    expect(
      await rows("select 1 from onceboard.idempotency_open union all select 1 from onceboard.outbox_messages"),
    ).toEqual([]);
    expect(await rows("select 1 from onceboard.dead_letters where settled_at is null")).toEqual([]);
    expect(await rows("select broken_at from onceboard.verify_audit('acme')")).toEqual([{ broken_at: null }]);
    expect(
      await rows(
        "select 1 from (select at, lag(at) over (order by sequence) as earlier from onceboard.audit_entries) a where a.at < a.earlier",
      ),
    ).toEqual([]);
    const actions = await rows<{ action: string }>(
      "select distinct action from onceboard.audit_entries where actor_kind = 'operator' order by 1",
    );
    expect(actions.map(({ action }) => action)).toEqual([
      ...[
        "conflicts.mark",
        "deploys.report",
        "operations.resolve",
        "outbox.requeue",
        "plans.create",
        "plans.decide",
        "plans.start",
      ],
      ...["policies.write", "topics.pause", "topics.resume", "webhook_endpoints.create"],
    ]);
  });

  it("proves each kind of story without a claim that fails", async () => {
    const stories = await rows<{ operation_id: string; state: string }>(
      `(select r.operation_id, 'by hand' as state from onceboard.idempotency_requests r join onceboard.audit_entries a on a.subject_id = r.operation_id::text where a.action = 'operations.resolve' limit 2)
       union all (select d.operation_id, 'died' from onceboard.dead_letters d where d.settlement = 'requeued' limit 2)
       union all (select e.operation_id, 'conflict' from onceboard.idempotency_events e where e.type = 'conflict' limit 2)
       union all (select r.operation_id, r.operation from (select distinct on (operation) operation, operation_id from onceboard.idempotency_requests where operation not like 'admin.%') r)`,
    );
    expect(stories.length).toBeGreaterThan(9);
    const signer = createProofSigner("a secret of this test, long enough to be one");
    for (const { operation_id: operationId, state } of stories) {
      const proof = await readProof(ctx, { operationId, signer, deployment: "https://pay.example.com" });
      expect(proof, state).toBeDefined();
      expect(JSON.stringify(proof), state).not.toContain('"contradicted"');
    }
  });

  it("a merchant's endpoint was sent three days of events; what came while it was away waited and spent no attempt", async () => {
    const [sent] = await rows(
      `select count(*) > 5000 as many, count(*) filter (where h.created_at < now() - interval '73 hours')::int as early, count(*) filter (where n.state is distinct from 'sent')::int as untold,
         count(*) filter (where h.published_at < h.created_at)::int as backwards
       from onceboard.outbox_history h left join onceboard.notifications n on n.outbox_id = h.id where h.topic like 'webhook:%'`,
    );
    expect(sent).toEqual({ many: true, early: 0, untold: 0, backwards: 0 });
    const [waited] = await rows<{ n: number; tried: number; all_behind: boolean; minutes: number }>(
      `select count(*)::int as n, sum(attempts_started - 1)::int as tried, min(published_at) > max(created_at) as all_behind,
         extract(epoch from max(created_at) - min(created_at))::float8 / 60 as minutes
       from onceboard.outbox_history where topic like 'webhook:%' and last_error_code in ('webhook.unreachable', 'webhook.endpoint_down')`,
    );
    // Five failures in a row, and then the circuit is open.
    expect(waited).toMatchObject({ tried: 5, all_behind: true });
    expect(waited?.n).toBeGreaterThan(50);
    expect(waited?.minutes).toBeGreaterThan(50);
    const { endpoints } = await readEndpoints(ctx, []);
    expect(endpoints).toMatchObject([{ waiting: 0, dead: 0, day: { delivered: expect.any(Number) as number } }]);
    expect(endpoints[0]?.day.delivered).toBeGreaterThan(1_000);
    expect(endpoints[0]?.down).toBeUndefined();
  });

  it("keeps the bodies of three days and no others, and shows what differs in a conflict", async () => {
    const [kept] = await rows<{ missing: number; late: number; n: number }>(
      `select count(*)::int as n, count(*) filter (where b.operation_id is null and r.created_at > now() - interval '71 hours')::int as missing,
         count(*) filter (where b.operation_id is not null and r.created_at < now() - interval '73 hours')::int as late
       from onceboard.idempotency_requests r
       left join (select distinct tenant_id, operation_id from onceboard.idempotency_bodies) b using (tenant_id, operation_id)
       where r.operation not like 'admin.%'`,
    );
    expect(kept).toMatchObject({ missing: 0, late: 0 });
    const [conflict] = await rows<{ id: string }>(
      "select id from onceboard.idempotency_events where type = 'conflict' and client = 'till-ios' order by at desc limit 1",
    );
    const shown = await readConflict(ctx, { eventId: conflict?.id ?? "" });
    expect(shown?.meaning.map(({ field }) => field)).toEqual(["amount"]);
    const [paid] = await rows<{ id: string }>(
      "select operation_id as id from onceboard.idempotency_requests where operation = 'payments.create' and state = 'COMPLETED' order by created_at desc limit 1",
    );
    const proof = await readProof(ctx, {
      operationId: paid?.id ?? "",
      signer: createProofSigner("a secret of this test, long enough"),
      deployment: "https://pay.example.com",
    });
    expect(JSON.stringify(proof)).toContain("The kept answer is the one that was served.");
  });

  it("goes on until now when it is asked to, without a hole and without a number twice (DEMO-1)", async () => {
    const ends = async () => {
      const [row] = await rows<{ last: Date; n: number }>(
        `select max(created_at) as last, count(*)::int as n
         from onceboard.idempotency_requests where tenant_id = 'acme' and operation not like 'admin.%'`,
      );
      return row ?? { last: new Date(0), n: 0 };
    };
    // It was made a while ago: the tests before took seconds.
    const before = await ends();
    const [begun] = await rows<{ at: Date }>("select now() as at");
    await made.lengthen();
    const after = await ends();
    expect(after.n).toBeGreaterThan(before.n);
    expect((begun?.at.getTime() ?? 0) - after.last.getTime()).toBeLessThan(15_000);
    await made.lengthen();
    expect(await rows("select broken_at from onceboard.verify_audit('acme')")).toEqual([{ broken_at: null }]);
    const [gap] = await rows<{ longest: number }>(
      `select extract(epoch from max(at - before))::float8 as longest from (
         select created_at as at, lag(created_at) over (order by created_at) as before from onceboard.idempotency_requests
         where tenant_id = 'acme' and operation not like 'admin.%' and created_at > now() - interval '10 minutes') o`,
    );
    expect(gap?.longest).toBeLessThan(20);
  });

  it(
    "gives a second tenant a smaller week to which nothing happened",
    async () => {
      expect((await week.seed("globex", { share: 0.05, quiet: true })).done).toBe(true);
      const [facts] = await rows(
        `select count(*) > 1000 as enough, array_agg(distinct principal order by principal) as clients,
         (select count(*)::int from onceboard.dead_letters d where d.tenant_id = 'globex') as dead,
         (select count(*)::int from onceboard.settled_doubts d where d.tenant_id = 'globex') as doubts
       from onceboard.idempotency_requests where tenant_id = 'globex' and operation not like 'admin.%'`,
      );
      expect(facts).toEqual({ enough: true, clients: ["marketplace-eu", "till-counter"], dead: 0, doubts: 0 });
      const shared = await rows(
        "select operation_id from onceboard.idempotency_requests group by 1 having count(distinct tenant_id) > 1",
      );
      expect(shared).toEqual([]);
    },
    SEED_LIMIT_MS,
  );

  it.each([TENANT, "globex"])("breaks none of what must hold, in the whole week of %s", async (tenant) => {
    // As before its keys expired: some checks are about settled operations only.
    await rows(
      `update onceboard.idempotency_requests set state = case when error_code like 'dependency%' then 'FAILED_RETRYABLE' when error_code is not null then 'FAILED_REPLAYABLE' else 'COMPLETED' end
       where state = 'EXPIRED'`,
    );
    const broken: Record<string, unknown[]> = {};
    for (const { name } of INVARIANTS) {
      const sql: string = COUNTEREXAMPLES[name];
      const values = sql.includes("$2") ? [tenant, WEEK_HOURS] : [tenant];
      const found = await rows(`select v.id::text as id from (${sql}) v limit 3`, ...values);
      if (found.length > 0) broken[name] = found;
    }
    expect(broken).toEqual({});
  });
});
