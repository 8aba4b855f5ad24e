import { isOurs, usesProvider } from "@/domain/operation-label";
import { callsProvider, effectCalls, recordProvider } from "./operation-record";
import { onlyAPersonSettles } from "@/domain/idempotency/provider-capabilities";
import type { VerdictClause, VerdictView } from "../views/common";
import { spokenDuration, times } from "../format/words";
import type { OperationRecord } from "../views/operations";

type Tone = VerdictClause["tone"];
/** An effect without a ledger entry is doubtful after this, while its messages are still on their way. */
export const LEDGER_DUE_MS = 60_000;

export const clause = (text: string, tone: Tone = "fine"): VerdictClause => ({ text, tone });

/** Joins clauses into a verdict whose text is the page's title. */
export function verdictOf(clauses: readonly VerdictClause[]): VerdictView {
  return { clauses, text: clauses.map((part) => part.text).join(" ") };
}

/** What happened to one operation, in the fixed order effect → provider → answers → messages → ledger. */
export function operationVerdict(record: OperationRecord): VerdictView {
  const twice = executions(record);
  return verdictOf([
    ...(twice > 1 ? proofFailed(twice) : effect(record)),
    ...provider(record, twice),
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

function proofFailed(count: number): VerdictClause[] {
  return [
    clause(`Executed ${times(count)}.`, "broken"),
    clause(`Proof failed: ${String(count)} provider calls, 1 key.`, "broken"),
  ];
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
  switch (record.state) {
    case "UNKNOWN_REQUIRES_RECOVERY":
    case "STALE":
      if (isOurs(record.operation) && !callsProvider(record)) return [clause("It never leaves this database.")];
      if (sent === 0) return [clause("Nothing was sent to the provider.")];
      return [
        clause(
          sent === 1
            ? "Sent to the provider once, never again."
            : `Sent to the provider ${times(sent)} under one provider key.`,
        ),
        ...gap(record),
      ];
    case "IN_PROGRESS":
      return sent === 0 ? [] : [clause(`Sent to the provider ${times(sent)}.`)];
    case "FAILED_REPLAYABLE":
      return [
        clause(
          sent > 0
            ? "Refused by the provider, the refusal is the answer."
            : "Refused before anything was sent, the refusal is the answer.",
        ),
      ];
    case "COMPLETED":
    case "EXPIRED":
    case "FAILED_RETRYABLE":
      return sent > 1 && executed <= 1 && record.state === "COMPLETED"
        ? [clause(`Sent to the provider ${times(sent)} under one provider key.`)]
        : [];
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
  const told = record.requestsTotal - (settled ? conflicts : 0);
  const served = record.requests.filter((request) => request.outcome === "executed" || request.outcome === "replayed");
  const different = served.some((request) => request.byteEqual === false);
  const clauses: VerdictClause[] = [];
  if (told > 0 && !settled) {
    clauses.push(
      clause(served.length === 0 ? `Answered ${times(told)}, never with an outcome.` : `Answered ${times(told)}.`),
    );
  } else if (told > 0) {
    if (different) clauses.push(clause(`Answered ${times(told)}, not byte-equal.`, "broken"));
    else if (served.length > 1) clauses.push(clause(`Answered ${times(told)}, ${told > 2 ? "all " : ""}byte-equal.`));
    else clauses.push(clause(`Answered ${times(told)}.`));
  }
  if (settled && conflicts > 0) clauses.push(clause(`Another command was refused ${times(conflicts)}.`, "conflict"));
  return clauses;
}

function messages(record: OperationRecord): VerdictClause[] {
  const clauses: VerdictClause[] = [];
  const dead = record.outbox.find((row) => row.state === "dead");
  if (dead) clauses.push(clause(`Outbox dead after ${attempts(dead.attempts)}.`, "broken"));
  const stuck = record.inbox.find((row) => row.state === "dead");
  if (stuck) clauses.push(clause(`Inbox dead after ${attempts(stuck.attempts)}.`, "broken"));
  if (
    dueEffect(record) &&
    record.outbox.length === 0 &&
    record.inbox.length === 0 &&
    record.ledger.length === 0 &&
    record.state === "COMPLETED"
  ) {
    clauses.push(clause("No outbox row.", "broken"));
  }
  return clauses;
}

const attempts = (count: number): string => `${String(count)} attempt${count === 1 ? "" : "s"}`;

function ledger(record: OperationRecord): VerdictClause[] {
  if (record.ledger.length > 0) return [clause("Ledger posted.")];
  if (!isOurs(record.operation)) return [];
  if (record.state === "UNKNOWN_REQUIRES_RECOVERY") return [clause("Ledger not posted.", "doubt")];
  if (record.state !== "COMPLETED" || !dueEffect(record)) return [];
  const dead = record.outbox.some((row) => row.state === "dead") || record.inbox.some((row) => row.state === "dead");
  if (dead) return [clause("Ledger not posted.", "broken")];
  const late = Date.parse(record.at) - Date.parse(record.completedAt ?? record.createdAt) > LEDGER_DUE_MS;
  return [clause(late ? "Ledger not posted." : "Ledger not posted yet.", late ? "doubt" : "fine")];
}

function dueEffect(record: OperationRecord): boolean {
  return usesProvider(record.operation) && succeeded(record);
}

function succeeded(record: OperationRecord): boolean {
  return (record.responseStatus ?? 0) < 400;
}
