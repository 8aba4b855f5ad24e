import { verdictOf } from "../operation/verdict";
import type { VerdictClause, VerdictView } from "../views/common";
import { times } from "../format/words";
import type { ShownState } from "@/domain/lists/filters";

export interface ConflictFacts {
  /** Fields that differ in meaning. */
  readonly fields: readonly string[];
  readonly state: ShownState;
  /** Answers of this key that were conflicts. */
  readonly refused: number;
  /** The second command came from another client. */
  readonly foreign: boolean;
}

/** "Same key, another amount. The first command was executed once and stands. The second was refused twice; nothing ran." */
export function conflictVerdict(facts: ConflictFacts): VerdictView {
  const what = facts.foreign
    ? "another client"
    : facts.fields.length === 0
      ? "another command"
      : `another ${facts.fields.join(" and ")}`;
  const clauses: VerdictClause[] = [
    { text: "Same key,", tone: "fine" },
    { text: `${what}.`, tone: "conflict" },
    first(facts.state),
    { text: `The second was refused ${times(Math.max(1, facts.refused))}; nothing ran.`, tone: "fine" },
  ];
  return verdictOf(clauses);
}

function first(state: ShownState): VerdictClause {
  switch (state) {
    case "COMPLETED":
    case "EXPIRED":
      return { text: "The first command was executed once and stands.", tone: "fine" };
    case "FAILED_REPLAYABLE":
      return { text: "The first command was refused, the refusal is the answer.", tone: "fine" };
    case "FAILED_RETRYABLE":
      return { text: "The first command had no effect and may run again.", tone: "fine" };
    case "UNKNOWN_REQUIRES_RECOVERY":
      return { text: "The outcome of the first command is unknown.", tone: "doubt" };
    case "IN_PROGRESS":
    case "STALE":
      return { text: "The first command is in progress.", tone: state === "STALE" ? "doubt" : "fine" };
  }
}
