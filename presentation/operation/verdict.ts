import { isOurs, usesProvider } from "@/domain/operation-label";
import { callsProvider, effectCalls, recordProvider } from "./operation-record";
import { onlyAPersonSettles } from "@/domain/idempotency/provider-capabilities";
import type { VerdictClause, VerdictView } from "../views/common";
import { plural, spokenDuration, times } from "../format/words";
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
  const conflicts = record.requests.filter((request) => request.outcome === "conflict").length;
  const answerCount = record.requestsTotal - (settled ? conflicts : 0);
  const served = record.requests.filter((request) => request.outcome === "executed" || request.outcome === "replayed");
  const different = served.some((request) => request.byteEqual === false);
  const answered = `Answered ${times(answerCount)}`;
  const refusals =
    settled && conflicts > 0 ? [clause(`Another command was refused ${times(conflicts)}.`, "conflict")] : [];
  if (answerCount === 0) return refusals;
  if (!settled) return [clause(served.length === 0 ? `${answered}, never with an outcome.` : `${answered}.`)];
  if (different) return [clause(`${answered}, not byte-equal.`, "broken"), ...refusals];
  const all = answerCount > 2 ? "all " : "";
  return [clause(served.length > 1 ? `${answered}, ${all}byte-equal.` : `${answered}.`), ...refusals];
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
