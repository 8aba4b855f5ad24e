import { cutName } from "../format/cut-middle";
import { holding, type PageClaim } from "@/domain/page-claim";
import type { OperationCase } from "../operation/operation-case";
import { clause, verdictOf } from "../operation/verdict";
import type { VerdictClause, VerdictView } from "../views/common";
import { times } from "../format/words";

export interface ConflictFacts {
  readonly fields: readonly string[];
  /** The operation that owns the key. */
  readonly first: OperationCase;
  readonly refused: number;
  readonly foreign: boolean;
}

/** "Same key, another amount. The first command was executed once and stands. The second was refused twice; nothing ran." */
export function conflictVerdict(facts: ConflictFacts): VerdictView {
  const command = facts.fields.length === 0 ? "another command" : `another ${facts.fields.map(cutName).join(" and ")}`;
  return verdictOf([
    clause("Same key,"),
    clause(`${facts.foreign ? "another client" : command}.`, "conflict"),
    ...holding(FIRST, facts.first).map(({ words, tone }) => clause(words(facts.first), tone)),
    clause(`The second was refused ${times(Math.max(1, facts.refused))}; nothing ran.`),
  ]);
}

interface FirstClaim extends PageClaim<OperationCase> {
  readonly tone?: VerdictClause["tone"];
}

const decided = ({ hand, stand }: OperationCase): boolean => hand !== undefined && stand.stand !== "confirmed";
const stateIs =
  (state: OperationCase["record"]["state"]) =>
  ({ record }: OperationCase): boolean =>
    record.state === state;
const first = (
  name: string,
  holds: FirstClaim["holds"],
  words: string | FirstClaim["words"],
  tone?: FirstClaim["tone"],
): FirstClaim => ({
  name,
  holds,
  words: typeof words === "string" ? () => words : words,
  ...(tone && { tone }),
});

/** What became of the command that owns the key. */
export const FIRST: readonly FirstClaim[] = [
  first(
    "first_executed",
    (it) => it.end === "succeeded" && !decided(it),
    "The first command was executed once and stands.",
  ),
  first(
    "first_settled_by_hand",
    decided,
    ({ hand, stand }) =>
      `The first command was settled by hand as ${hand?.decision ?? "settled"}; the provider ${stand.stand === "contradicts it" ? "contradicts it" : "has not confirmed it"}.`,
    "doubt",
  ),
  first(
    "first_refused",
    (it) => it.end === "refused" && !decided(it),
    "The first command was refused, the refusal is the answer.",
  ),
  first("first_without_effect", (it) => it.end === "no effect" && !decided(it), "The first command had no effect."),
  first("first_unknown", stateIs("UNKNOWN_REQUIRES_RECOVERY"), "The outcome of the first command is unknown.", "doubt"),
  first("first_in_progress", stateIs("IN_PROGRESS"), "The first command is in progress."),
  first("first_stale", stateIs("STALE"), "The owner of the first command is silent.", "doubt"),
];
