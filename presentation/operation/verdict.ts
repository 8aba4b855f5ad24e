import { isOurs, usesProvider } from "@/domain/operation-label";
import { callsProvider, effectCalls, recordProvider } from "./operation-record";
import { onlyAPersonSettles } from "@/domain/idempotency/provider-capabilities";
import type { VerdictClause, VerdictView } from "../views/common";
import { plural, spokenDuration, times } from "../format/words";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { OperationRecord } from "../views/operations";

type Tone = VerdictClause["tone"];
/** An effect without a ledger entry is doubtful after this, while its messages are still on their way. */
export const LEDGER_DUE_MS = 60_000;

export const clause = (text: string, tone: Tone = "fine"): VerdictClause => ({ text, tone });

/** Joins clauses into a verdict whose text is the page's title. */
export function verdictOf(clauses: readonly VerdictClause[]): VerdictView {
  return { clauses, text: clauses.map((part) => part.text).join(" ") };
}

export function operationVerdict(record: OperationRecord): VerdictView {
  const executed = executions(record);
  const twice = [clause(`Executed ${times(executed)}.`, "broken"), proofFailed(executed)];
  return verdictOf([
    ...(executed > 1 ? twice : effect(record)),
    ...provider(record, executed),
    ...answers(record),
    ...messages(record),
    ...ledger(record),
  ]);
}

/** Different objects that the provider says it made for this one key. */
function executions(record: OperationRecord): number {
  const made = effectCalls(record).filter((call) => call.outcome === "succeeded");
  return new Set(made.map((call) => call.reference ?? call.id)).size;
}

function proofFailed(count: number): VerdictClause {
  return clause(`Proof failed: ${String(count)} provider calls, 1 key.`, "broken");
}

function effect(record: OperationRecord): VerdictClause[] {
  const since = (from: string): string => spokenDuration(Date.parse(record.at) - Date.parse(from));
  switch (record.state) {
    case "UNKNOWN_REQUIRES_RECOVERY":
      return [clause(`Outcome unknown for ${since(record.unknownSince ?? record.createdAt)}.`, "doubt")];
    case "STALE":
      return [clause(`Its owner has been silent for ${since(record.lockedUntil ?? record.createdAt)}.`, "doubt")];
    case "IN_PROGRESS":
      return [clause(`In progress for ${since(record.createdAt)}.`)];
    case "COMPLETED":
      return [clause("Executed once.")];
    case "FAILED_RETRYABLE":
      return [clause("Not executed. The same key may run again.")];
    case "FAILED_REPLAYABLE":
      return [clause("Not executed.")];
    case "EXPIRED":
      return [
        clause(succeeded(record) ? "Executed once." : "Not executed."),
        clause("The key has expired and never runs again."),
      ];
  }
}

function provider(record: OperationRecord, executed: number): VerdictClause[] {
  const sent = effectCalls(record).filter((call) => call.state !== "prepared").length;
  const again = `Sent to the provider ${times(sent)} under one provider key.`;
  switch (record.state) {
    case "UNKNOWN_REQUIRES_RECOVERY":
    case "STALE":
      if (isOurs(record.operation) && !callsProvider(record)) return [clause("It never leaves this database.")];
      if (sent === 0) return [clause("Nothing was sent to the provider.")];
      return [clause(sent === 1 ? "Sent to the provider once, never again." : again), ...gap(record)];
    case "IN_PROGRESS":
      return sent === 0 ? [] : [clause(`Sent to the provider ${times(sent)}.`)];
    case "FAILED_REPLAYABLE": {
      const by = sent > 0 ? "by the provider" : "before anything was sent";
      return [clause(`Refused ${by}, the refusal is the answer.`)];
    }
    case "COMPLETED":
      return sent > 1 && executed <= 1 ? [clause(again)] : [];
    case "EXPIRED":
    case "FAILED_RETRYABLE":
      return [];
  }
}

/** Nothing will change by itself. */
function gap(record: OperationRecord): VerdictClause[] {
  const facts = recordProvider(record);
  return facts !== undefined && onlyAPersonSettles(facts)
    ? [clause("It can neither be asked nor sent the same key again: only a person settles this.", "doubt")]
    : [];
}

function answers(record: OperationRecord): VerdictClause[] {
  const settled =
    record.state !== "UNKNOWN_REQUIRES_RECOVERY" && record.state !== "STALE" && record.state !== "IN_PROGRESS";
  const served = record.requests.filter((request) => request.byteEqual !== undefined);
  const conflicts = record.requests.filter((request) => request.outcome === "conflict").length;
  const answerCount = record.requestsTotal - (settled ? conflicts : 0);
  const refusals =
    settled && conflicts > 0 ? [clause(`Another command was refused ${times(conflicts)}.`, "conflict")] : [];
  if (answerCount === 0) return refusals;
  if (served.length === 0) {
    const answered = `Answered ${atLeast(record)}${times(answerCount)}`;
    return [clause(settled ? `${answered}.` : `${answered}, never with an outcome.`), ...refusals];
  }
  return [clause(...servedText(record, served.length)), ...otherRequests(record), ...refusals];
}

/** What is said of bytes is said of the answers that were served alone. */
function servedText(record: OperationRecord, served: number): readonly [string, Tone?] {
  const answered = `Answered ${atLeast(record)}${times(served)}`;
  if (served === 1) return [`${answered}.`];
  if (record.requests.some((request) => request.byteEqual === false))
    return record.replay === "reference"
      ? [`${answered}, each time with the resource as it was then.`]
      : [`${answered}, not byte-equal.`, "broken"];
  if (record.eventsCut) return [`${answered}, the first ${String(served)} byte-equal.`];
  return [`${answered}, ${served > 2 ? "all " : ""}byte-equal.`];
}

/** A key that was retried more often than its page reads has no exact count. */
const atLeast = ({ eventsCut }: OperationRecord): string => (eventsCut ? "at least " : "");

/** How a request that was not served the stored answer is named; of another command there is a clause of its own. */
const OTHERS: readonly (readonly [AnswerOutcome, string])[] = [
  ["in_progress", "in progress"],
  ["unknown", "outcome unknown"],
  ["failed", "failed"],
  ["expired_retry", "after the key expired"],
  ["executed", "without the stored answer"],
  ["replayed", "without the stored answer"],
];

function otherRequests(record: OperationRecord): VerdictClause[] {
  const counts = new Map<string, number>();
  for (const { outcome, byteEqual } of record.requests) {
    const word = byteEqual === undefined ? OTHERS.find(([name]) => name === outcome)?.[1] : undefined;
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${String(count)} ${word}`);
  return parts.length === 0 ? [] : [clause(`Other requests: ${atLeast(record)}${parts.join(", ")}.`)];
}

function messages(record: OperationRecord): VerdictClause[] {
  const dead = (place: string, row: { readonly attempts: number } | undefined): VerdictClause[] =>
    row === undefined ? [] : [clause(`${place} dead after ${plural(row.attempts, "attempt")}.`, "broken")];
  const none = record.outbox.length === 0 && record.inbox.length === 0 && record.ledger.length === 0;
  return [
    ...dead("Outbox", record.outbox.find(isDead)),
    ...dead("Inbox", record.inbox.find(isDead)),
    ...(none && record.state === "COMPLETED" && dueEffect(record) ? [clause("No outbox row.", "broken")] : []),
  ];
}

const isDead = (row: { readonly state: string }): boolean => row.state === "dead";

function ledger(record: OperationRecord): VerdictClause[] {
  if (record.ledger.length > 0) return [clause("Ledger posted.")];
  if (!isOurs(record.operation)) return [];
  if (record.state === "UNKNOWN_REQUIRES_RECOVERY") return [clause("Ledger not posted.", "doubt")];
  if (record.state !== "COMPLETED" || !dueEffect(record)) return [];
  if (record.outbox.some(isDead) || record.inbox.some(isDead)) return [clause("Ledger not posted.", "broken")];
  const late = Date.parse(record.at) - Date.parse(record.completedAt ?? record.createdAt) > LEDGER_DUE_MS;
  return [clause(late ? "Ledger not posted." : "Ledger not posted yet.", late ? "doubt" : "fine")];
}

function dueEffect(record: OperationRecord): boolean {
  return usesProvider(record.operation) && succeeded(record);
}

function succeeded(record: OperationRecord): boolean {
  return (record.responseStatus ?? 0) < 400;
}
