import type { Queryable } from "@/db/client";
import { readWithin } from "@/db/bounded-read";
import { selectAttention } from "@/db/operations/select-attention";
import { LEDGER_COUNTED, selectLatePlaces, selectLedgerBacklog } from "@/db/messages/select-behind";
import { selectHeartbeats } from "@/db/metrics/heartbeats";
import { selectOpenCounts, type OpenCountsRow } from "@/db/metrics/counts";
import { selectIncidentMinutes, selectUsual, type UsualRow } from "@/db/metrics/select-incident-minutes";
import { selectFrame, selectIsYoung } from "@/db/metrics/select-series";
import { selectAnswers, selectGaugeSamples, selectMeasured } from "@/db/metrics/select-measures";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import type { MessageSide } from "@/domain/messages/side";
import { chartWindow, minuteWindow } from "@/domain/metrics/chart-window";
import { freshestLoops } from "@/presentation/metrics/heartbeat";
import { OUTBOX_LATE_SECONDS } from "@/presentation/metrics/incidents";
import {
  LATE_MS,
  LATE_PLACES,
  overviewNotes,
  overviewVerdict,
  type OverviewFacts,
} from "@/presentation/metrics/overview-verdict";
import { sentTwice } from "@/presentation/metrics/sent-twice";
import { buildCharts, CHART_GAUGES } from "@/presentation/metrics/series";
import { type ChartsView, OVERVIEW_ROWS, type OverviewView, type WaitingRow } from "@/presentation/views/overview";
import type { EngineContext } from "@/engine/context";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { endpointLabels } from "../messages/endpoint-labels";
import { sampledOf } from "../messages/place-rows";
import { attentionRows, doubtTotals } from "../operations/attention-rows";
import { loopRows } from "./loop-rows";
import { readChanges } from "./read-changes";
import { readRisk, type RiskInput } from "./read-risk";
import { selectOpenBegun } from "@/db/risk/select-doubts";
import { DEFAULT_RISK_RANGE, type Span } from "@/domain/metrics/risk";
import { moneyView } from "@/presentation/operation/money-view";
import type { DoubtTotal } from "@/presentation/views/operations";
import type { OperationKinds } from "@/domain/operation-kind";
import { readInvariants } from "./read-invariants";
import { requirePermission } from "@/engine/actions/require";
import type { ChartRange } from "@/presentation/views/common";

/** Without a range: the last hour while a tenant is younger than that, else six hours. */
interface OverviewInput extends Partial<RiskInput> {
  readonly range?: ChartRange | undefined;
}

/** The first page: what is in doubt, what waits, what holds. @throws AppError `auth.forbidden` 403, `dependency.timeout` 504 */
export async function readOverview(ctx: EngineContext, input: OverviewInput): Promise<OverviewView> {
  requirePermission(ctx, "operations.read");
  const invariants = await readInvariants(ctx);
  const kinds = await ctx.kinds.all();
  const view = await readWithin(ctx.db, "detail", async (q) => {
    const counts = await selectOpenCounts(q, ctx.tenantId);
    const totals = await doubtTotals(q, ctx.tenantId);
    const risk = await readRisk(q, ctx.tenantId, counts.at, { risk: DEFAULT_RISK_RANGE, ...input });
    const oldestMs = counts.oldestUnknownMs;
    const loops = loopRows(ctx, await selectHeartbeats(q));
    const behind = await readBehind(q, ctx.tenantId, counts);
    const facts: OverviewFacts = {
      unknown: counts.unknown,
      stale: counts.stale,
      totals,
      oldestMs,
      dead: counts.deadLetters,
      ...behind,
      stopped: freshestLoops(loops).flatMap((row) => (row.state === "stopped" ? [row.loop.replaceAll("_", " ")] : [])),
      noWorker: loops.length === 0,
      violated: invariants.rows.filter((row) => row.checked && !row.holds).length,
    };
    return {
      at: counts.at,
      verdict: overviewVerdict(facts),
      notes: [sentTwice(invariants), ...overviewNotes(facts)],
      doubt: {
        count: counts.unknown,
        oldestMs,
        ...(await readDoubt(q, ctx.tenantId, counts.at, risk.window, totals, kinds)),
      },
      risk,
      charts: await readSeries(q, ctx.tenantId, input.range, counts),
      late: behind.late,
      waiting: withUsual(
        waitingRows(counts, behind.late),
        await selectUsual(q, ctx.tenantId, Object.values(USUAL_GAUGES)),
      ),
      invariants,
      loops,
    };
  });
  return { ...view, risk: { ...view.risk, changes: await readChanges(ctx, view.risk) } };
}

/** The heaviest of what is in doubt; where a window is brushed, of what began in it. */
async function readDoubt(
  q: Queryable,
  tenantId: string,
  asOf: string,
  began: Span | undefined,
  totals: readonly DoubtTotal[],
  kinds: OperationKinds,
): Promise<Pick<OverviewView["doubt"], "rows" | "totals" | "began">> {
  const heaviest = await selectAttention(q, tenantId, { limit: OVERVIEW_ROWS, asOf, unknownOnly: true, began });
  const rows = await attentionRows(q, tenantId, heaviest.slice(0, OVERVIEW_ROWS), kinds);
  if (began === undefined) return { rows, totals };
  const open = await selectOpenBegun(q, tenantId, began);
  return {
    rows,
    totals: open.flatMap(({ currency, minor, count }) =>
      currency === undefined ? [] : [{ count, money: moneyView(BigInt(minor), currency) }],
    ),
    began: open.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Where messages wait too long, and what the ledger lacks. */
async function readBehind(
  q: Queryable,
  tenantId: string,
  { outboxPending, inboxRecorded }: OpenCountsRow,
): Promise<Pick<OverviewFacts, "late" | "latePlaces" | "ledger">> {
  const rows = await selectLatePlaces(q, tenantId, LATE_MS, LATE_PLACES);
  const ledger = await selectLedgerBacklog(q, tenantId, OWN_SOURCE);
  const uncounted = Math.max(outboxPending, inboxRecorded) >= WAITING_COUNTED;
  const labelOf = rows.length === 0 ? undefined : await endpointLabels(q, tenantId);
  const placesOf = (side: MessageSide): number => rows.find((row) => row.side === side)?.late ?? 0;
  return {
    late: rows.map(({ late: _, ...row }) => ({
      ...row,
      ...sampledOf(row.side, inboxRecorded),
      label: labelOf?.(row.place) ?? row.place,
    })),
    latePlaces: placesOf("outbox") + placesOf("inbox"),
    ledger: {
      ...ledger,
      sampled: uncounted || ledger.waiting >= LEDGER_COUNTED,
      moreDead: ledger.dead >= LEDGER_COUNTED,
    },
  };
}

async function readSeries(
  q: Queryable,
  tenantId: string,
  asked: ChartRange | undefined,
  open: OpenCountsRow,
): Promise<ChartsView> {
  const range = asked ?? ((await selectIsYoung(q, tenantId)) ? "1h" : "6h");
  const frame = await selectFrame(q, tenantId);
  const window = chartWindow({ range }, frame.at);
  const { minute } = frame;
  return buildCharts({
    range,
    end: window.to,
    rolledUpMs: frame.rolledUpMs,
    counts: await selectAnswers(q, tenantId, window, { hoursUntil: frame.hoursUntil }),
    measured: await selectMeasured(q, tenantId, window),
    latest: minute === undefined ? undefined : await selectAnswers(q, tenantId, minuteWindow(minute), {}),
    open,
    gauges: await selectGaugeSamples(q, tenantId, window, CHART_GAUGES),
    minutes:
      window.bucketSeconds * window.buckets > INCIDENT_SECONDS
        ? []
        : await selectIncidentMinutes(q, tenantId, window, OUTBOX_LATE_SECONDS),
  });
}

/** Over more than a day incidents are too narrow to draw, and there are too many minutes to read. */
const INCIDENT_SECONDS = 86_400;

const USUAL_GAUGES: Readonly<Partial<Record<WaitingRow["name"], string>>> = {
  unknown: "oldest_unknown_seconds",
  in_progress: "oldest_in_progress_seconds",
  outbox: "outbox_oldest_seconds",
  inbox: "inbox_oldest_seconds",
};

function withUsual(rows: readonly WaitingRow[], usual: readonly UsualRow[]): readonly WaitingRow[] {
  return rows.map((row) => {
    const value = usual.find((each) => each.name === USUAL_GAUGES[row.name])?.value;
    return value === undefined ? row : { ...row, usualMs: value * 1_000 };
  });
}

function waitingRows(counts: OpenCountsRow, behind: OverviewFacts["late"]): WaitingRow[] {
  const row = (
    [name, label, href]: readonly [name: WaitingRow["name"], label: string, href: string],
    open: number,
    oldest: number | undefined,
    tone: WaitingRow["tone"],
  ): WaitingRow => ({ name, label, href, open, oldestMs: oldest, tone });
  /** Whatever is open there is wrong; in the others only what is late. */
  const any = (open: number, tone: WaitingRow["tone"]) => (open > 0 ? tone : "plain");
  const late = (oldest: number | undefined, tone: WaitingRow["tone"]) => ((oldest ?? 0) > LATE_MS ? tone : "plain");
  const { stale, unknown, deadLetters: dead } = counts;
  const { oldestInProgressMs: working } = counts;
  /** Places are looked at more closely than all of a side together. */
  const oldest = (side: MessageSide, counted: number | undefined) =>
    behind.reduce((most, row) => (row.side === side ? Math.max(most ?? 0, row.oldestMs) : most), counted);
  const [outbox, inbox] = [oldest("outbox", counts.oldestOutboxMs), oldest("inbox", counts.oldestInboxMs)];
  return [
    row(["stale", "Stale leases", "/operations?state=STALE"], stale, counts.oldestStaleMs, any(stale, "doubt")),
    row(["unknown", "Unknown", "/attention"], unknown, counts.oldestUnknownMs, any(unknown, "doubt")),
    row(
      ["in_progress", "In progress", "/operations?state=IN_PROGRESS"],
      counts.inProgress,
      working,
      late(working, "doubt"),
    ),
    {
      ...row(
        ["outbox", "Outbox, pending", "/outbox?state=pending"],
        counts.outboxPending,
        outbox,
        late(outbox, "broken"),
      ),
      more: counts.outboxPending >= WAITING_COUNTED,
    },
    {
      ...row(["inbox", "Inbox, recorded", "/inbox?state=recorded"], counts.inboxRecorded, inbox, late(inbox, "broken")),
      more: counts.inboxRecorded >= WAITING_COUNTED,
    },
    row(["dead_letters", "Dead letters", "/dead-letters"], dead, counts.oldestDeadMs, any(dead, "broken")),
  ];
}
