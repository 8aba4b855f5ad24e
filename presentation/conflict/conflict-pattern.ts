import type { CanonicalCommand } from "@/domain/idempotency/canonical";
import { amountsOf } from "../operation/compare";
import { operationKind } from "@/domain/operation-label";
import type { ConflictPattern } from "../views/conflicts";
import { plural } from "../format/words";

export type PatternName = ConflictPattern["name"];

const LABELS: Readonly<Record<PatternName, string>> = {
  amount_x10: "amount × 10",
  amount_x100: "amount × 100",
  amount_other: "amount, other",
  other_fields: "other fields",
};
const ALWAYS_SHOWN: readonly PatternName[] = ["amount_other", "other_fields"];

export function patternOf(first: CanonicalCommand, second: CanonicalCommand): PatternName {
  const amounts = amountsOf(first, second);
  if (amounts === undefined || amounts.first === amounts.second) return "other_fields";
  if (amounts.first * 10n === amounts.second) return "amount_x10";
  return amounts.first * 100n === amounts.second ? "amount_x100" : "amount_other";
}

/** Without the commands only the names of the fields tell. */
export function patternOfFields(fields: readonly string[]): PatternName {
  return fields.includes("amount") ? "amount_other" : "other_fields";
}

/** Counts, most frequent first; the two that are about nothing special come last even when they are 0. */
export function countPatterns(names: readonly PatternName[]): readonly ConflictPattern[] {
  const counts = new Map<PatternName, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const counted = (name: PatternName): ConflictPattern => ({ name, label: LABELS[name], count: counts.get(name) ?? 0 });
  const special = (["amount_x10", "amount_x100"] as const).map(counted).filter((pattern) => pattern.count > 0);
  return [...special.sort((a, b) => b.count - a.count), ...ALWAYS_SHOWN.map(counted)];
}

export interface ConflictMessageFacts {
  readonly client: string;
  readonly operation: string;
  readonly count: number;
  /** "19 Nov, 09:10 UTC". */
  readonly since: string;
  readonly fields: readonly string[];
  readonly patterns: readonly ConflictPattern[];
  /** How many of the newest conflicts the patterns were read from; at most `count`. */
  readonly read: number;
}

/** Text to send to the client: field names and counts, never a value. */
export function messageToClient(facts: ConflictMessageFacts): string {
  const thing = operationKind(facts.operation).toLowerCase();
  const fields = facts.fields.length === 0 ? "command" : facts.fields.join(", ");
  const x10 = facts.patterns.find((pattern) => pattern.name === "amount_x10")?.count ?? 0;
  const x100 = facts.patterns.find((pattern) => pattern.name === "amount_x100")?.count ?? 0;
  const [slips, how] = x100 > x10 ? [x100, "a hundred times higher"] : [x10, "ten times higher"];
  const sentences = [
    `Since ${facts.since}, ${plural(facts.count, thing)} ${facts.count === 1 ? "was" : "were"} retried with another ${fields} under the key of the first try${slips > 0 ? `, ${String(slips)} of ${facts.read < facts.count ? `the newest ${String(facts.read)}` : "them"} ${how}` : ""}.`,
    `We refused ${facts.count === 1 ? "it" : `all ${String(facts.count)}`}; no money moved.`,
    ...(slips > 0 ? ["It looks like minor units are multiplied once more on the retry path."] : []),
    `Please use a new key for a new ${facts.fields.length === 1 ? (facts.fields[0] ?? "command") : "command"}.`,
  ];
  return sentences.join(" ");
}
