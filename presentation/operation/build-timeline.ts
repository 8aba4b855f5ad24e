import { claimWords, type PageClaim } from "@/domain/page-claim";
import { axisStretches, axisTicks, type TimelineRow, type TimelineItem, type TimelineView } from "./chain";
import { formatClock, formatDuration } from "../format/display-time";
import { glyphWord, type GlyphName } from "../format/glyph";
import { effectCalls, lookUps } from "./operation-record";
import { plural } from "../format/words";
import type { OperationRecord, ProviderCallRow } from "../views/operations";

const ms = (at: string): number => Date.parse(at);
/** Marks drawn per timeline row; more would be a line. */
const MARKS = 60;

/** *What happened when*, to scale: requests, lease, provider and evidence on one axis. */
export function buildTimeline(record: OperationRecord): TimelineView {
  const open =
    record.state === "UNKNOWN_REQUIRES_RECOVERY" || record.state === "STALE" || record.state === "IN_PROGRESS";
  const rows: TimelineRow[] = [
    { name: "Requests", items: requestItems(record) },
    { name: "Lease", items: leaseItems(record) },
    { name: "Provider", items: providerItems(record) },
    { name: "Evidence", items: evidenceItems(record) },
  ];
  const moments = rows.flatMap((row) => row.items.flatMap(momentsOf));
  const last = Math.max(...moments, ms(record.createdAt));
  const end = open ? ms(record.at) : last + Math.max(1, (last - ms(record.createdAt)) * 0.03);
  const calls = rows.flatMap(({ items }) => items.filter((item) => item.kind === "way"));
  const stretches = axisStretches([ms(record.createdAt), ...moments], end, calls);
  const now = open ? ms(record.at) : undefined;
  return {
    stretches,
    ticks: axisTicks(stretches, now),
    now,
    lanes: rows.filter((row) => row.items.length > 0),
    spoken: claimWords(SPOKEN_CLAIMS, { record, ms: end - ms(record.createdAt) }).join(" "),
  };
}

/** The rows of the timeline for whoever does not see it. */
const SPOKEN_CLAIMS: readonly PageClaim<{ readonly record: OperationRecord; readonly ms: number }>[] = [
  {
    name: "rows over a time",
    holds: (facts) => facts.ms >= 0,
    words: ({ record, ...facts }) =>
      `${plural(record.requestsTotal, "request")}, ${plural(record.leases.length, "lease")}, ${plural(record.provider.length, "provider call")} over ${formatDuration(facts.ms)}.`,
  },
];

function momentsOf(item: TimelineItem): number[] {
  return item.kind === "bar" || item.kind === "way" ? [item.from, item.to] : [item.at];
}

function mark(at: string, glyph: GlyphName, title: string): TimelineItem {
  return { kind: "mark", at: ms(at), glyph, title };
}

function requestItems(record: OperationRecord): TimelineItem[] {
  return record.requests.slice(0, MARKS).map(({ at, outcome, status }) => {
    const title = `${glyphWord(outcome)}, ${formatClock(at, "utc", true)} UTC`;
    return mark(at, outcome, status === undefined ? title : `${title}, ${String(status)}`);
  });
}

function leaseItems(record: OperationRecord): TimelineItem[] {
  return record.leases.slice(0, MARKS).map((lease) => ({
    kind: "bar",
    from: ms(lease.from),
    to: ms(lease.to ?? record.at),
    tone: lease.tone === "ink" ? "ink" : "doubt",
    label: lease.fence === 1 ? `fence 1, ${lease.owner}` : undefined,
    title: `fence ${String(lease.fence)}, ${lease.owner}: ${lease.ended}`,
  }));
}

function providerItems(record: OperationRecord): TimelineItem[] {
  const lookups = lookUps(record).slice(-MARKS);
  return [
    ...effectCalls(record).slice(0, MARKS).flatMap(callItems),
    ...lookups.map((call) => {
      const at = call.sentAt ?? call.preparedAt;
      const message = call.detail ?? call.outcome ?? "no answer";
      return mark(at, "replayed", `look-up ${formatClock(at, "utc")} UTC: ${message}`);
    }),
  ];
}

/** When it was sent, the way to its answer, and a note where that settles nothing. */
function callItems({ sentAt, answeredAt, outcome, detail }: ProviderCallRow): TimelineItem[] {
  if (sentAt === undefined) return [];
  const sent = mark(sentAt, "executed", `sent ${formatClock(sentAt, "utc", true)} UTC`);
  if (answeredAt === undefined) return [sent];
  const at = ms(answeredAt);
  const final = outcome === "succeeded" || outcome === "declined";
  const tone = final ? "ink" : "doubt";
  const title = detail ?? outcome ?? "answered";
  const way: TimelineItem = { kind: "way", from: ms(sentAt), to: at, tone, capped: !final, title };
  return final
    ? [sent, way]
    : [sent, way, { kind: "note", at, text: detail ?? "no answer", tone: "doubt", place: "below" }];
}

function evidenceItems(record: OperationRecord): TimelineItem[] {
  return [
    ...record.webhooks.map(({ at, state, type }) =>
      mark(at, state === "processed" || state === "dead" ? state : "recorded", `signed webhook ${type}`),
    ),
    ...record.ledger.map(({ postedAt, entryType, money }) =>
      mark(postedAt, "executed", `ledger ${entryType}, ${money.display}`),
    ),
  ];
}
