import type { ClaimRow } from "@/db/operations/claim";

/** What became known about one request on the way to its answer, for logs, metrics and spans. */
export interface RequestTrace {
  /** Of the command as it came. */
  readonly fingerprint?: Buffer | undefined;
  /** What the key stood for when it was last looked at. */
  readonly row?: TraceRow | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

export type TraceRow = Pick<ClaimRow, "operation_id" | "attempts" | "asked_at"> &
  Partial<Pick<ClaimRow, "outcome" | "state" | "created_at">>;
