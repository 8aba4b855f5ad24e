import type { DoubtTotal } from "../views/operations";
import type { VerdictClause, VerdictView } from "../views/common";
import { clause, verdictOf } from "../operation/verdict";
import { plural, spokenDuration } from "../format/words";

const LATE_MS = 60_000;

export interface DoubtFacts {
  readonly unknown: number;
  readonly stale: number;
  readonly totals: readonly DoubtTotal[];
  readonly oldestMs?: number | undefined;
}

/** "46 operations may have moved money. €43,818.11 is in doubt, the oldest for 41 minutes." */
export function doubtVerdict(facts: DoubtFacts): VerdictView {
  if (facts.unknown === 0 && facts.stale === 0) return verdictOf([clause("Nothing is unknown and no lease is stale.")]);
  const clauses: VerdictClause[] = [];
  if (facts.unknown > 0) {
    const sums = facts.totals.map((total) => total.money.display);
    const sum = sums.length === 0 ? "The outcome" : joined(sums);
    clauses.push(
      clause(`${plural(facts.unknown, "operation")} may have moved money.`),
      clause(`${sum} ${sums.length > 1 ? "are" : "is"} in doubt,`, "doubt"),
      clause(`the oldest for ${spokenDuration(facts.oldestMs ?? 0)}.`),
    );
  }
  if (facts.stale > 0)
    clauses.push(clause(`${plural(facts.stale, "lease")} ${facts.stale === 1 ? "is" : "are"} stale.`, "doubt"));
  return verdictOf(clauses);
}

export interface OverviewFacts extends DoubtFacts {
  /** Messages of either side that gave up and that nobody has requeued. */
  readonly dead: number;
  readonly oldestOutboxMs?: number | undefined;
  /** Loops of which no process beats any more. */
  readonly stopped: readonly string[];
  readonly noWorker?: boolean | undefined;
  readonly violated: number;
}

/** The doubt first, then whatever else is wrong: "Nothing is unknown and no lease is stale. 6 messages gave up." */
export function overviewVerdict(facts: OverviewFacts): VerdictView {
  const clauses = [...doubtVerdict(facts).clauses];
  const broken = (text: string): void => void clauses.push(clause(text, "broken"));
  if (facts.violated > 0)
    broken(`${plural(facts.violated, "invariant")} ${facts.violated === 1 ? "is" : "are"} broken.`);
  if ((facts.oldestOutboxMs ?? 0) > LATE_MS)
    broken(`The outbox is late by ${spokenDuration(facts.oldestOutboxMs ?? 0)}.`);
  if (facts.dead > 0) broken(`${plural(facts.dead, "message")} gave up.`);
  if (facts.noWorker === true) broken("No worker runs.");
  if (facts.stopped.length === 1) broken(`The loop ${facts.stopped[0] ?? ""} has stopped.`);
  if (facts.stopped.length > 1) broken(`${String(facts.stopped.length)} loops have stopped.`);
  return verdictOf(clauses);
}

/** What follows from what is wrong besides doubt, one sentence each: claim, colon, consequence. */
export function overviewNotes(facts: Pick<OverviewFacts, "dead" | "oldestOutboxMs" | "stopped">): readonly string[] {
  return [
    ...((facts.oldestOutboxMs ?? 0) > LATE_MS ? ["The ledger is behind: it posts what the outbox brings."] : []),
    ...(facts.dead > 0 ? ["What gave up stays: it is tried again only when somebody requeues it."] : []),
    ...(facts.stopped.length > 0 ? ["No work is lost: it waits until a worker beats again."] : []),
  ];
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}
