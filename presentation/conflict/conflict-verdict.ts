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
  /** How often its second command was refused, among the requests that were read. */
  readonly refused: number;
  /** More requests of the key than were read. */
  readonly more: boolean;
  readonly foreign: boolean;
}

/** "Same key, another amount. The first command was executed once and stands. The second was refused twice; nothing ran." */
export function conflictVerdict(facts: ConflictFacts): VerdictView {
  return verdictOf([
    clause("Same key,"),
    ...holding(OTHER_CLAIMS, facts).map(({ words }) => clause(words(facts), "conflict")),
    ...holding(FIRST, facts.first).map(({ words, tone }) => clause(words(facts.first), tone)),
    ...holding(SECOND_CLAIMS, facts).map(({ words }) => clause(words(facts))),
  ]);
}

/** What is another: exactly one of these holds. */
const OTHER_CLAIMS: readonly PageClaim<ConflictFacts>[] = [
  { name: "another client", holds: ({ foreign }) => foreign, words: () => "another client." },
  {
    name: "other fields",
    holds: ({ foreign, fields }) => !foreign && fields.length > 0,
    words: ({ fields }) => `another ${fields.map(cutName).join(" and ")}.`,
  },
  {
    name: "another command",
    holds: ({ foreign, fields }) => !foreign && fields.length === 0,
    words: () => "another command.",
  },
];

/** The conflict that is shown was refused itself. */
const SECOND_CLAIMS: readonly PageClaim<ConflictFacts>[] = [
  {
    name: "refused",
    holds: ({ refused, more }) => refused > 0 && !more,
    words: ({ refused }) => `The second was refused ${times(refused)}; nothing ran.`,
  },
  {
    name: "refused, among those that were read",
    holds: ({ refused, more }) => refused > 0 && more,
    words: ({ refused }) => `The second was refused at least ${times(refused)}; nothing ran.`,
  },
  {
    name: "refused after those that were read",
    holds: ({ refused }) => refused === 0,
    words: () => "The second was refused; nothing ran.",
  },
];

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
    "The first command was refused, the refusal is final.",
  ),
  first("first_without_effect", (it) => it.end === "no effect" && !decided(it), "The first command had no effect."),
  first("first_unknown", stateIs("UNKNOWN_REQUIRES_RECOVERY"), "The outcome of the first command is unknown.", "doubt"),
  first("first_in_progress", stateIs("IN_PROGRESS"), "The first command is in progress."),
  first("first_stale", stateIs("STALE"), "The owner of the first command is silent.", "doubt"),
];
