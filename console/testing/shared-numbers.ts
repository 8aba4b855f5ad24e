import type { OperationsPage } from "@/console/read/operations/read-operations-page";
import type { ShownState } from "@/domain/lists/filters";
import { willAct } from "@/presentation/plan/plan-advice";
import type { DoubtTotal } from "@/presentation/views/operations";
import type { MoneyView } from "@/presentation/views/common";
import type { OverviewView } from "@/presentation/views/overview";
import type { NumberPages } from "./number-pages";
import { COUNTS, chartLine, one, withoutGaps, listedRows, sum, waits, type Said, type SharedNumber } from "./said";
import { MESSAGE_NUMBERS } from "./shared-message-numbers";

const ENDED: ReadonlySet<string> = new Set(["rejected", "aborted", "done"]);
const stripOf = ({ charts }: OverviewView, name: string) => charts.strips.find((strip) => strip.name === name);
const money = (views: readonly (MoneyView | undefined)[]): Said => {
  const sums = new Map<string, number>();
  for (const view of views)
    if (view !== undefined) sums.set(view.currency, (sums.get(view.currency) ?? 0) + Number(view.minor));
  return [...sums];
};
const totalsOf = (totals: readonly DoubtTotal[]): Said => money(totals.map(({ money: view }) => view));
/** The rows of a page of one state, and what its tab says of them. */
const counted =
  (state: ShownState) =>
  ({ list, counts }: OperationsPage): Said =>
    one(listedRows(list).length, counts[state]?.value);
const OPEN = "select '' as what, count(*)::int as value from onceboard.idempotency_open where tenant_id = $1 and ";
const UNKNOWN = "unknown_since is not null";
const STALE = "unknown_since is null and locked_until <= now()";
const RUNNING = "unknown_since is null and (locked_until is null or locked_until > now())";
const PLANS = "select '' as what, count(*)::int as value from onceboard.plans where tenant_id = $1 and ";
const answered = (outcome: string, by: string, since: string): string =>
  `select ${by} as what, count(*)::int as value from onceboard.idempotency_events
   where tenant_id = $1 and outcome = '${outcome}' and operation not like 'admin.%' and at > ${since} group by 1`;
const DAY = "date_trunc('hour', now()) - interval '23 hours'";

const ANSWERS = "db/metrics/select-measures.ts selectAnswers" as const;
const CLIENTS = "db/metrics/roll-up.ts rollUpRange" as const;

/** An answer to clients over the last hours and in the newest minute, on the overview and in the metrics. */
const answersOf = (outcome: "executed" | "replayed" | "in_progress" | "conflict"): SharedNumber => ({
  name: `${outcome} in six hours`,
  read: ANSWERS,
  oracle: answered(outcome, "''", "now() - interval '6 hours'"),
  pages: {
    overview: (view) => one(stripOf(view, outcome)?.total),
    metrics: (view) => one(chartLine(view, outcome)[0]?.total),
  },
});

/** The same of one client over a day. */
const ofClient = (
  outcome: "executed" | "replayed" | "conflict",
  part: "executed" | "replayed" | "conflicts",
  heat: "clients by time, replays" | "clients by time, conflicts" | undefined,
): SharedNumber => ({
  name: `${outcome} by client in a day`,
  read: CLIENTS,
  oracle: answered(outcome, "client", DAY),
  pages: {
    clients: ({ rows }) => rows.map((row) => [row.client, row[part]]),
    "a client": (views) =>
      withoutGaps(views).flatMap(({ report, series }) => [
        [report.client, report[part]] as const,
        [report.client, series.find(({ name }) => name === outcome)?.total] as const,
      ]),
    "metrics by client": (view) => chartLine(view, outcome).map(({ label, total }) => [label, total]),
    ...(heat && { [heat]: ({ rows }: NumberPages[typeof heat]) => rows.map(({ client, total }) => [client, total]) }),
  },
});

/** Every number that stands on two or more pages. A new one is written here before its second page shows it. */
export const SHARED_NUMBERS: readonly SharedNumber[] = [
  {
    name: "unknown operations",
    read: COUNTS,
    oracle: `${OPEN}${UNKNOWN}`,
    pages: {
      rail: ({ counts }) => one(counts.unknown),
      overview: (view) =>
        one(view.doubt.count, waits(view, "unknown"), sum(view.doubt.totals.map(({ count }) => count))).concat(
          one(sum(view.risk.series.map(({ counts }) => counts.at(-1) ?? 0))),
        ),
      attention: ({ unknown, totals }) => one(unknown, sum(totals.map(({ count }) => count))),
      "tabs of operations": (tabs) => one(tabs.UNKNOWN_REQUIRES_RECOVERY?.value),
      "operations, unknown": counted("UNKNOWN_REQUIRES_RECOVERY"),
    },
  },
  {
    name: "stale leases",
    read: COUNTS,
    oracle: `${OPEN}${STALE}`,
    pages: {
      rail: ({ counts }) => one(counts.stale),
      overview: (view) => one(waits(view, "stale")),
      attention: ({ stale }) => one(stale),
      "tabs of operations": (tabs) => one(tabs.STALE?.value),
      "operations, stale": counted("STALE"),
    },
  },
  {
    name: "unknown and stale",
    read: COUNTS,
    oracle: `${OPEN}(${UNKNOWN} or ${STALE})`,
    pages: {
      rail: ({ counts }) => one(counts.attention),
      overview: (view) => one((waits(view, "unknown") ?? 0) + (waits(view, "stale") ?? 0)),
      attention: ({ list, unknown, stale }) => one(listedRows(list).length, unknown + stale),
    },
  },
  {
    name: "operations in progress",
    read: COUNTS,
    oracle: `${OPEN}${RUNNING}`,
    pages: {
      overview: (view) => one(waits(view, "in_progress")),
      "tabs of operations": (tabs) => one(tabs.IN_PROGRESS?.value),
      "operations, in progress": counted("IN_PROGRESS"),
    },
  },
  {
    name: "open operations",
    read: COUNTS,
    oracle: `${OPEN}true`,
    pages: {
      overview: (view) => one(sum(["unknown", "stale", "in_progress"].map((name) => waits(view, name) ?? 0))),
      metrics: (view) => one(chartLine(view, "open")[0]?.now),
    },
  },
  {
    name: "money in doubt",
    read: "db/operations/select-attention.ts selectDoubtTotals",
    oracle: `select r.currency as what, sum(r.amount_minor)::int as value from onceboard.idempotency_open o
      join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
      where o.tenant_id = $1 and o.unknown_since is not null group by 1`,
    pages: {
      overview: ({ doubt, risk }) => [...totalsOf(doubt.totals), ...money([risk.end?.money])],
      attention: ({ totals }) => totalsOf(totals),
      "operations, unknown": ({ list }) => money(listedRows(list).map((row) => row.money)),
    },
  },
  ...MESSAGE_NUMBERS,
  {
    name: "conflicts of a day",
    read: COUNTS,
    oracle: `select '' as what, count(*)::int as value from onceboard.idempotency_events
      where tenant_id = $1 and type = 'conflict' and operation not like 'admin.%' and at > now() - interval '24 hours'`,
    pages: {
      rail: ({ counts }) => one(counts.conflicts),
      conflicts: ({ total, groups }) => one(total, sum(groups.map(({ count }) => count))),
    },
  },
  {
    name: "open plans",
    read: "db/plans/plan-marks.ts selectOpenPlans",
    oracle: `${PLANS}state in ('ready', 'awaiting_approval', 'running')`,
    pages: {
      rail: ({ counts }) => one(counts.plans),
      plans: ({ open, list }) => one(open, listedRows(list).filter(({ state }) => !ENDED.has(state)).length),
    },
  },
  {
    name: "plans that wait for a second person",
    read: "db/plans/plan-marks.ts selectOpenPlans",
    oracle: `${PLANS}state = 'awaiting_approval'`,
    pages: {
      rail: ({ counts }) => one(counts.approvals),
      plans: ({ approvals }) => one(approvals),
      approvals: ({ count, waiting }) => one(count, waiting.length),
    },
  },
  {
    name: "rows of a plan",
    read: "db/plans/select-plan-items.ts countPlanItems",
    oracle: `select plan_id::text as what, count(*)::int as value from onceboard.plan_items where tenant_id = $1 group by 1`,
    pages: {
      plans: ({ list }) =>
        listedRows(list).flatMap(({ id, total, counts }) => [
          [id, total],
          [id, sum(Object.values(counts))],
        ]),
      "a plan": (views) =>
        withoutGaps(views).flatMap(({ id, total, counts, items }) => [
          [id, total],
          [id, sum(Object.values(counts))],
          [id, items.rows.length],
        ]),
      approvals: ({ waiting }) =>
        waiting.flatMap(({ id, total, verdicts }) => [
          [id, total],
          [id, sum(verdicts.map(({ count }) => count))],
        ]),
    },
  },
  {
    name: "rows that a plan would run",
    read: "presentation/plan/plan-advice.ts willAct",
    oracle: `select i.plan_id::text as what, count(*)::int as value from onceboard.plan_items i
      join onceboard.dead_letters d on d.tenant_id = i.tenant_id and d.id = i.target_id
      where i.tenant_id = $1 and i.state = 'waiting' and d.settled_at is null group by 1`,
    pages: {
      "a plan": (views) =>
        withoutGaps(views)
          .filter(({ state }) => state === "awaiting_approval")
          .map((plan) => [plan.id, willAct(plan)]),
      approvals: ({ waiting }) => waiting.map((plan) => [plan.id, willAct(plan)]),
    },
  },
  ...(["executed", "replayed", "in_progress", "conflict"] as const).map(answersOf),
  ofClient("executed", "executed", undefined),
  ofClient("replayed", "replayed", "clients by time, replays"),
  ofClient("conflict", "conflicts", "clients by time, conflicts"),
  {
    name: "broken invariants",
    read: "db/checks/invariant-runs.ts selectLastRuns",
    oracle: `select '' as what, count(*)::int as value from (select distinct on (name) violations from onceboard.invariant_checks
      where tenant_id = $1 order by name, checked_at desc) c where violations > 0`,
    pages: {
      rail: ({ counts }) => one(counts.violated),
      overview: ({ invariants }) => one(invariants.rows.filter(({ checked, holds }) => checked && !holds).length),
      invariants: ({ rows }) => one(rows.filter(({ checked, holds }) => checked && !holds).length),
    },
  },
];
