import type { AnswerOutcome, InboxState } from "@/domain/idempotency/states";
import { PAYLOAD_HASH_CHARS } from "@/domain/idempotency/fingerprint-rules";

/** The exports and their published columns, which never change. */
export const EXPORT_COLUMNS = {
  "retry-log": ["attempt", "delay_ms", "status", "code", "notes"],
  "replay-outcomes": ["key", "payload_hash", "status", "http_code", "result_id", "notes"],
  "consumer-inbox": ["event_id", "source", "first_seen", "processed", "result"],
} as const;
export type ExportName = keyof typeof EXPORT_COLUMNS;

type Cells = readonly (string | number)[];

interface Answered {
  readonly outcome: AnswerOutcome;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

/** @param attempt 1 for the first request of the key; its delay is 0 */
export function retryLogCells(row: Answered & { readonly delayMs?: number | undefined }, attempt: number): Cells {
  const { status } = row;
  return [
    attempt,
    attempt === 1 ? 0 : (row.delayMs ?? ""),
    status === undefined ? "" : statusClass(status),
    status ?? "",
    row.code ?? (row.outcome === "executed" ? "success" : row.outcome),
  ];
}

function statusClass(status: number): string {
  if (status === 429) return "429";
  if (status >= 500) return "5xx";
  return status >= 400 ? "4xx" : "200";
}

const NOTES: Readonly<Partial<Record<AnswerOutcome, string>>> = {
  executed: "created",
  replayed: "replayed",
  conflict: "payload mismatch",
  in_progress: "in progress",
  unknown: "outcome unknown",
  expired_retry: "key expired",
};
const STATUSES: Readonly<Partial<Record<AnswerOutcome, string>>> = {
  conflict: "conflict",
  in_progress: "pending",
  unknown: "unknown",
  expired_retry: "expired",
  failed: "failed",
};

/** @param row `payloadHash` is hex, of the command of this very request where it was another one */
export function replayOutcomeCells(
  row: Answered & { readonly key: string; readonly payloadHash: string; readonly resultId?: string | undefined },
): Cells {
  const { outcome, status } = row;
  const refused = status !== undefined && status >= 400;
  const answered = outcome === "executed" || outcome === "replayed";
  return [
    row.key,
    row.payloadHash.slice(0, PAYLOAD_HASH_CHARS),
    STATUSES[outcome] ?? (refused ? "failed" : "complete"),
    status ?? "",
    answered ? (row.resultId ?? "") : "",
    outcome === "executed" && refused ? (row.code ?? "refused") : (NOTES[outcome] ?? row.code ?? outcome),
  ];
}

/** One arrival. A duplicate is done when it arrives: nothing is handled. */
export function inboxCells(row: {
  readonly messageId: string;
  readonly source: string;
  /** RFC 3339 UTC. */
  readonly at: string;
  readonly arrival: "recorded" | "duplicate" | "mismatch";
  readonly state: InboxState;
  readonly processedAt?: string | undefined;
  /** What its consumer said of it. */
  readonly result?: string | undefined;
}): Cells {
  const { messageId, source, at, arrival } = row;
  const seen = [messageId, source, shortTime(at)];
  if (arrival === "duplicate") return [...seen, shortTime(at), "replayed"];
  if (arrival === "mismatch") return [...seen, "", "payload mismatch"];
  return [
    ...seen,
    row.processedAt === undefined ? "" : shortTime(row.processedAt),
    row.state === "processed" ? (row.result ?? "ok") : row.state,
  ];
}

/** Whole seconds have no fraction: `2025-09-15T12:00:00Z`; all others milliseconds. */
function shortTime(at: string): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}
