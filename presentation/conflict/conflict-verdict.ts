import { clause, verdictOf } from "../operation/verdict";
import type { VerdictClause, VerdictView } from "../views/common";
import { times } from "../format/words";
import type { ShownState } from "@/domain/lists/filters";

export interface ConflictFacts {
  readonly fields: readonly string[];
  readonly state: ShownState;
  readonly refused: number;
  readonly foreign: boolean;
}

/** "Same key, another amount. The first command was executed once and stands. The second was refused twice; nothing ran." */
export function conflictVerdict(facts: ConflictFacts): VerdictView {
  const command = facts.fields.length === 0 ? "another command" : `another ${facts.fields.join(" and ")}`;
  return verdictOf([
    clause("Same key,"),
    clause(`${facts.foreign ? "another client" : command}.`, "conflict"),
    FIRST[facts.state],
    clause(`The second was refused ${times(Math.max(1, facts.refused))}; nothing ran.`),
  ]);
}

const STANDS = clause("The first command was executed once and stands.");
const FIRST: Readonly<Record<ShownState, VerdictClause>> = {
  COMPLETED: STANDS,
  EXPIRED: STANDS,
  FAILED_REPLAYABLE: clause("The first command was refused, the refusal is the answer."),
  FAILED_RETRYABLE: clause("The first command had no effect and may run again."),
  UNKNOWN_REQUIRES_RECOVERY: clause("The outcome of the first command is unknown.", "doubt"),
  IN_PROGRESS: clause("The first command is in progress."),
  STALE: clause("The first command is in progress.", "doubt"),
};
