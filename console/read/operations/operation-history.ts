import type { OperationEventRow } from "@/db/operations/select-operation-events";
import { only } from "@/db/query";
import type { OperationDetailRow } from "@/db/operations/select-operation";
import type { LeaseRow, RequestRow } from "@/presentation/views/operations";
import { elapsedMs } from "./operation-row";
import { member } from "../messages/webhook-facts";

/** Requests of the key in order of arrival, from the events that answered one. */
export function requestRows(events: readonly OperationEventRow[]): RequestRow[] {
  const answers = events.filter((event) => event.outcome !== undefined);
  const first =
    answers.find((event) => event.outcome === "executed" && event.servedHash !== undefined) ??
    answers.find((event) => event.servedHash !== undefined);
  const claiming = claimingAnswer(events, answers);
  return answers.map((event, index): RequestRow => {
    const before = answers[index - 1];
    return {
      number: index + 1,
      eventId: event.id,
      outcome: event.outcome ?? "failed",
      at: event.at,
      ...only(event, "client", "requestId", "status"),
      afterMs: before === undefined ? undefined : elapsedMs(before.at, event.at),
      tookMs: event.latencyMs,
      told: answerText(event, event === claiming),
      differingFields: event.outcome === "conflict" ? stringList(member(event.detail, "differingFields")) : undefined,
      byteEqual:
        event.servedHash === undefined || first === undefined ? undefined : event.servedHash === first.servedHash,
    };
  });
}

/** Outcomes of requests that found the key taken: none of them claimed it. */
const CAME_LATER: readonly (string | undefined)[] = ["in_progress", "replayed", "conflict", "expired_retry"];

/** The answer of the request that claimed the key; there is none while its owner works. */
function claimingAnswer(
  events: readonly OperationEventRow[],
  answers: readonly OperationEventRow[],
): OperationEventRow | undefined {
  const claim = events.find((event) => event.type === "claimed");
  const asked = claim?.requestId;
  const own = answers.filter((event) => !CAME_LATER.includes(event.outcome));
  return asked === undefined
    ? own.find((event) => event === answers[0])
    : own.find((event) => event.requestId === asked);
}

function answerText(event: OperationEventRow, claimed: boolean): string {
  const code = event.code?.replace(/^(idempotency|transient)\./, "");
  const answered = event.outcome === "executed" ? "the answer" : (event.outcome ?? "");
  const text = code ?? (event.outcome === "replayed" ? "the stored answer" : answered);
  return claimed && event.outcome !== "executed" ? `${text}, started the operation` : text;
}

export function stringList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

const ENDS: Readonly<Record<string, string>> = {
  executed: "completed",
  failed: "released, no effect",
  unknown: "released as unknown",
  resolved: "settled by a person",
};

/** Who owned the operation when, from claims and takeovers; the fence tells them apart. */
export function leaseRows(row: OperationDetailRow, events: readonly OperationEventRow[]): LeaseRow[] {
  const starts = events.filter((event) => event.type === "claimed" || event.type === "taken_over");
  // The local path claims and answers in one transaction, so its answer is the only event.
  const known = starts.length > 0 ? starts : events.filter((event) => event.type === "executed").slice(0, 1);
  return known.map((start, index): LeaseRow => {
    const next = known[index + 1];
    const fence = start.fence ?? index + 1;
    const owner =
      stringOf(member(next?.detail, "from")) ??
      start.actor ??
      (next === undefined ? row.owner : undefined) ??
      start.client ??
      "an owner";
    const end = events.find(
      (event) =>
        event.fence === fence &&
        event.at >= start.at &&
        event.id !== start.id &&
        (ENDS[event.type] !== undefined || event.type === "reconciled"),
    );
    const lease = { fence, owner, from: start.at };
    if (end !== undefined) {
      const tone = end.type === "unknown" || isUnknown(end) ? "doubt" : "ink";
      // The event of an answer bears the moment at which its caller arrived, not that of the answer.
      const to = end.type === "executed" ? (row.completedAt ?? end.at) : end.at;
      return { ...lease, to, ended: ending(end), tone };
    }
    if (next !== undefined) {
      const ended = `taken over by fence ${String(next.fence ?? fence + 1)}`;
      return { ...lease, to: next.at, ended, tone: "doubt" };
    }
    // The answer's event may bear a moment before the claim's: the caller's arrival, by another clock.
    if (row.unknownSince !== undefined && row.lockedUntil === undefined)
      return { ...lease, to: row.unknownSince, ended: ENDS["unknown"] ?? "", tone: "doubt" };
    if (row.lockedUntil === undefined)
      return { ...lease, to: row.completedAt ?? start.at, ended: "completed", tone: "ink" };
    const until = row.lockedUntil.slice(11, 19);
    return row.lockedUntil <= row.at
      ? { ...lease, to: row.lockedUntil, ended: `ran out ${until}`, tone: "doubt" }
      : { ...lease, to: row.at, ended: `held until ${until}`, tone: "ink" };
  });
}

function ending(event: OperationEventRow): string {
  if (event.type !== "reconciled") return ENDS[event.type] ?? event.type;
  return isUnknown(event) ? "still unknown" : "settled by a look-up";
}

function isUnknown(event: OperationEventRow): boolean {
  return member(event.detail, "to") === "UNKNOWN_REQUIRES_RECOVERY";
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
