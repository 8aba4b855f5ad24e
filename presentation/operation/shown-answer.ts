import type { AnswerOutcome } from "@/domain/idempotency/states";

/**
 * What a request was answered, as it is drawn. The first answer of a key may be a refusal for good: nothing was executed then.
 * @param answer `status` is the HTTP status; undefined where none is on record
 */
export function shownAnswer({
  outcome,
  status,
}: {
  readonly outcome: AnswerOutcome;
  readonly status?: number | null | undefined;
}): AnswerOutcome {
  return outcome === "executed" && (status ?? 0) >= 400 ? "failed" : outcome;
}
