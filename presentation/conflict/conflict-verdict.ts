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
    first(facts.state),
    clause(`The second was refused ${times(Math.max(1, facts.refused))}; nothing ran.`),
  ]);
}

function first(state: ShownState): VerdictClause {
  switch (state) {
    case "COMPLETED":
    case "EXPIRED":
      return clause("The first command was executed once and stands.");
    case "FAILED_REPLAYABLE":
      return clause("The first command was refused, the refusal is the answer.");
    case "FAILED_RETRYABLE":
      return clause("The first command had no effect and may run again.");
    case "UNKNOWN_REQUIRES_RECOVERY":
      return clause("The outcome of the first command is unknown.", "doubt");
    case "IN_PROGRESS":
      return clause("The first command is in progress.");
    case "STALE":
      return clause("The first command is in progress.", "doubt");
  }
}
