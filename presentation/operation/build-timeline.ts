import { axisStretches, axisTicks, type TimelineRow, type TimelineItem, type TimelineView } from "./chain";
import { formatClock, formatDuration } from "../format/display-time";
import { glyphWord } from "../format/glyph";
import { effectCalls, lookUps } from "./operation-record";
import { plural } from "../format/words";
import type { OperationRecord } from "../views/operations";

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
  const stretches = axisStretches([ms(record.createdAt), ...moments], end);
  return {
    stretches,
    ticks: axisTicks(stretches),
    now: open ? ms(record.at) : undefined,
    lanes: rows.filter((row) => row.items.length > 0),
    spoken: `${plural(record.requestsTotal, "request")}, ${plural(record.leases.length, "lease")}, ${plural(record.provider.length, "provider call")} over ${formatDuration(end - ms(record.createdAt))}.`,
  };
}

function momentsOf(item: TimelineItem): number[] {
  return item.kind === "bar" || item.kind === "way" ? [item.from, item.to] : [item.at];
}

function requestItems(record: OperationRecord): TimelineItem[] {
  return record.requests.slice(0, MARKS).map((request) => ({
    kind: "mark",
    at: ms(request.at),
    glyph: request.outcome,
    title: `${glyphWord(request.outcome)}, ${formatClock(request.at, "utc", true)}${request.status === undefined ? "" : `, ${String(request.status)}`}`,
  }));
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
  const items: TimelineItem[] = [];
  for (const call of effectCalls(record).slice(0, MARKS)) {
    if (call.sentAt === undefined) continue;
    const final = call.outcome === "succeeded" || call.outcome === "declined";
    items.push({
      kind: "mark",
      at: ms(call.sentAt),
      glyph: "executed",
      title: `sent ${formatClock(call.sentAt, "utc", true)}`,
    });
    if (call.answeredAt !== undefined) {
      items.push({
        kind: "way",
        from: ms(call.sentAt),
        to: ms(call.answeredAt),
        tone: final ? "ink" : "doubt",
        capped: !final,
        title: call.detail ?? call.outcome ?? "answered",
      });
      if (!final)
        items.push({
          kind: "note",
          at: ms(call.answeredAt),
          text: call.detail ?? "no answer",
          tone: "doubt",
          place: "beside",
        });
    }
  }
  for (const call of lookUps(record).slice(-MARKS)) {
    const at = call.sentAt ?? call.preparedAt;
    items.push({
      kind: "mark",
      at: ms(at),
      glyph: "replayed",
      title: `look-up ${formatClock(at, "utc")}: ${call.detail ?? call.outcome ?? "no answer"}`,
    });
  }
  return items;
}

function evidenceItems(record: OperationRecord): TimelineItem[] {
  return [
    ...record.webhooks.map((hook): TimelineItem => ({
      kind: "mark",
      at: ms(hook.at),
      glyph: hook.state === "processed" ? "processed" : hook.state === "dead" ? "dead" : "recorded",
      title: `signed webhook ${hook.type}`,
    })),
    ...record.ledger.map((entry): TimelineItem => ({
      kind: "mark",
      at: ms(entry.postedAt),
      glyph: "executed",
      title: `ledger ${entry.entryType}, ${entry.money.display}`,
    })),
  ];
}
