import type { CanonicalCommand } from "@/domain/idempotency/canonical";
import { amountsOf } from "../command/compare";
import type { OperationKind } from "@/domain/operation-kind";
import type { ConflictPattern } from "../views/conflicts";
import { minorDigits } from "@/domain/money";
import { formatCount } from "../format/display-time";
import { plural } from "../format/words";
import { claimWords, type PageClaim } from "@/domain/page-claim";

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

/**
 * Whether the second amount is the first one in minor units taken for major units: 42.00 became 4200.00. The factor is that of the
 * currency, so nothing is read from a currency without minor units.
 */
export function isMinorSlip(first: CanonicalCommand, second: CanonicalCommand): boolean {
  const amounts = amountsOf(first, second);
  if (amounts === undefined || amounts.first === 0n) return false;
  const digits = minorDigits(amounts.currency);
  return digits > 0 && amounts.first * 10n ** BigInt(digits) === amounts.second;
}

export interface ConflictMessageFacts {
  readonly client: string;
  readonly about: Pick<OperationKind, "name" | "label" | "expects">;
  readonly count: number;
  /** "19 Nov, 09:10 UTC". */
  readonly since: string;
  /** Names of the fields that differ in at least one of them. */
  readonly fields: readonly string[];
  /** Counted over those that were compared. */
  readonly patterns: readonly ConflictPattern[];
  /** The newest whose two commands were both read; at most `count`. */
  readonly compared: number;
  /** Of the compared: the first amount in minor units was sent as major units. */
  readonly minorSlips: number;
}

/**
 * Share of the compared from which a cause is named. Below it most of them have another cause, and whoever gets the text would look
 * in the wrong place.
 */
const CAUSE_SHARE = 0.5;
/** One alone may be a coincidence of two amounts. */
const CAUSE_MIN = 2;

const timesMore = (facts: ConflictMessageFacts, name: PatternName): number =>
  facts.patterns.find((pattern) => pattern.name === name)?.count ?? 0;
/** A kind that nobody registered has no word of its own. */
const thingOf = ({ name, label }: ConflictMessageFacts["about"]): string =>
  label === name ? `${name} request` : label.toLowerCase();
const movesMoney = ({ about }: ConflictMessageFacts): boolean => about.expects.money !== undefined;
const of = (facts: ConflictMessageFacts): string =>
  facts.compared < facts.count ? `the ${formatCount(facts.compared)} compared` : formatCount(facts.count);

/** "2 of 20 have exactly 100 times the first amount." */
function ratioClaim(name: "amount_x10" | "amount_x100", factor: string): PageClaim<ConflictMessageFacts> {
  return {
    name,
    holds: (facts) => timesMore(facts, name) > 0,
    words: (facts) => {
      const count = timesMore(facts, name);
      return `${formatCount(count)} of ${of(facts)} ${count === 1 ? "has" : "have"} exactly ${factor} times the first amount.`;
    },
  };
}

/** Everything that the text to a client may say. Counts and names of fields, never a value. */
export const CONFLICT_MESSAGE_CLAIMS: readonly PageClaim<ConflictMessageFacts>[] = [
  {
    name: "retried",
    holds: ({ count }) => count > 0,
    words: ({ count, about, since, fields }) => {
      const what = fields.length === 0 ? "as another request" : `with another ${fields.join(" or ")}`;
      const things = plural(count, thingOf(about));
      return `Since ${since}, ${things} ${count === 1 ? "was" : "were"} retried ${what} under the key of the first try.`;
    },
  },
  {
    name: "refused",
    holds: (facts) => facts.count > 0 && movesMoney(facts),
    words: ({ count }) =>
      count === 1
        ? "We refused it; it moved no money."
        : `We refused all ${formatCount(count)}; none of them moved money.`,
  },
  {
    name: "refused, no money in it",
    holds: (facts) => facts.count > 0 && !movesMoney(facts),
    words: ({ count }) =>
      count === 1 ? "We refused it; it did not run." : `We refused all ${formatCount(count)}; none of them ran.`,
  },
  ratioClaim("amount_x100", "100"),
  ratioClaim("amount_x10", "10"),
  {
    name: "minor units",
    holds: ({ minorSlips, compared }) => minorSlips >= CAUSE_MIN && minorSlips >= compared * CAUSE_SHARE,
    words: (facts) =>
      `In ${formatCount(facts.minorSlips)} of ${of(facts)} the second amount is the first one in minor units: look for a conversion that runs again on a retry.`,
  },
  {
    name: "new key",
    holds: ({ count }) => count > 0,
    words: ({ fields }) =>
      `Please use a new key for a new ${fields.length === 1 ? (fields[0] ?? "command") : "command"}.`,
  },
];

/** Text to send to the client. */
export function messageToClient(facts: ConflictMessageFacts): string {
  return claimWords(CONFLICT_MESSAGE_CLAIMS, facts).join(" ");
}
