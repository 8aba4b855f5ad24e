import { moneyView } from "../operation/money-view";
import { plural, times } from "../format/words";
import { statement, statements, type TonedClaim, type ClaimStatement } from "./claim";
import type { Money } from "@/domain/money";
import type { ReferenceFacts } from "./facts";
import { ledgerGaps } from "./ledger";
import {
  amountIn,
  customersOf,
  timesMoved,
  keyCounts,
  mostOfOneCustomer,
  ofOutcome,
  sums,
  isUnknown,
} from "./outcomes";

type ReferenceClaim = TonedClaim<ReferenceFacts>;

/** How often it was charged: the first of these that holds. */
const CHARGED: readonly ReferenceClaim[] = [
  {
    name: "no_payment_key",
    holds: (facts) => keyCounts(facts).keys === 0,
    words: () => "No payment carries this reference.",
  },
  {
    name: "charged_at_most",
    tone: again,
    holds: (facts) => keyCounts(facts).unknown > 0,
    words: (facts) => {
      const { charges, by_hand: charged, refused_by_hand: refused, unknown } = keyCounts(facts);
      // Of keys that were not read nothing is known: there is no "at most" then.
      const bound = facts.more.keys
        ? charges === 0
          ? "Unknown whether it was charged"
          : `Charged at least ${times(charges)}`
        : `Charged at most ${times(charges + charged + refused + unknown)}`;
      return `${bound}: ${keyWords(facts)}.`;
    },
  },
  {
    name: "recorded_by_hand",
    tone: again,
    holds: (facts) => keyCounts(facts).by_hand + keyCounts(facts).refused_by_hand > 0,
    words: (facts) => {
      const often = keyCounts(facts).charges + keyCounts(facts).by_hand;
      const verb = often === 0 ? "not charged" : `charged ${atLeast(facts)}${times(often)}`;
      return `Recorded as ${verb}: ${keyWords(facts)}.`;
    },
  },
  {
    name: "not_charged",
    holds: (facts) => keyCounts(facts).charges === 0,
    words: (facts) => `Not charged${facts.more.keys ? " by the keys that were read" : ""}: ${keyWords(facts)}.`,
  },
  {
    name: "charged_once",
    holds: (facts) => keyCounts(facts).charges === 1,
    words: (facts) => `Charged ${atLeast(facts)}once: ${keyWords(facts)}.`,
  },
  {
    name: "charged_again",
    tone: again,
    holds: (facts) => keyCounts(facts).charges > 1,
    words: (facts) => `Charged ${atLeast(facts)}${times(keyCounts(facts).charges)}: ${keyWords(facts)}.`,
  },
];

/** Several customers may use one reference, each of them charged once: that is for a person to judge. */
function again(facts: ReferenceFacts): ClaimStatement["tone"] {
  return mostOfOneCustomer(facts) > 1 ? "broken" : "doubt";
}

function atLeast({ more }: ReferenceFacts): string {
  return more.keys ? "at least " : "";
}

/** What the first sentence leaves open. */
const CAVEATS: readonly ReferenceClaim[] = [
  {
    name: "not_confirmed",
    tone: "doubt",
    holds: (facts) => keyCounts(facts).by_hand + keyCounts(facts).refused_by_hand > 0,
    words: () => "The provider has not confirmed what was settled by hand.",
  },
  {
    name: "each_customer_once",
    holds: (facts) => keyCounts(facts).charges > 1 && mostOfOneCustomer(facts) === 1 && customersOf(facts).length > 1,
    words: (facts) => `${String(customersOf(facts).length)} customers use this reference, none was charged twice.`,
  },
  {
    name: "refund_unknown",
    tone: "doubt",
    holds: ({ reversals }) => ofOutcome(reversals, "unknown").length > 0,
    words: ({ reversals }) => `Unknown whether ${amounts(sums(reversals, isUnknown))} was given back.`,
  },
  {
    name: "refunded_more",
    tone: "broken",
    holds: (facts) => overpaid(facts).length > 0,
    words: (facts) => `${amounts(overpaid(facts))} more was given back than was charged.`,
  },
  {
    name: "ledger_late",
    tone: "doubt",
    holds: (facts) => ledgerGaps(facts).late.length > 0,
    words: (facts) => `Ledger not posted for ${amounts(ledgerGaps(facts).late)}.`,
  },
  {
    name: "ledger_differs",
    tone: "broken",
    holds: (facts) => ledgerGaps(facts).differs,
    words: () => "The ledger has other amounts.",
  },
  {
    name: "other_services",
    holds: ({ otherKinds }) => otherKinds.length > 0,
    words: ({ otherKinds }) =>
      `${plural(otherKinds.length, "key")} of another kind ${otherKinds.length === 1 ? "carries" : "carry"} it too and ${otherKinds.length === 1 ? "is" : "are"} not counted.`,
  },
];

export function headline(facts: ReferenceFacts): readonly ClaimStatement[] {
  return [...statement(CHARGED, facts), ...statements(CAVEATS, facts)];
}

/** What became of the keys: "1 of 2 keys moved money, 1 is unknown", "none of 2 keys moved money", "its only key is unknown". */
function keyWords(facts: ReferenceFacts): string {
  const { keys, moved, charges, by_hand: charged, refused_by_hand: refused, unknown } = keyCounts(facts);
  const running = ofOutcome(facts.payments, "unknown").filter(({ state }) => state === "IN_PROGRESS").length;
  const parts = [
    { count: moved, one: "moved money", many: "moved money" },
    { count: charged, one: "was settled by hand as charged", many: "were settled by hand as charged" },
    { count: refused, one: "was settled by hand as not charged", many: "were settled by hand as not charged" },
    { count: unknown - running, one: "is unknown", many: "are unknown" },
    { count: running, one: "is in progress", many: "are in progress" },
  ].filter(({ count }) => count > 0);
  const [first] = parts;
  const only = keys === 1 && !facts.more.keys;
  const all = `${facts.more.keys ? "the first " : ""}${plural(keys, "key")}`;
  if (first === undefined) return only ? "its only key moved no money" : `none of ${all} moved money`;
  const again = charges - moved;
  const more = again === 0 ? [] : [`${plural(again, "charge")} more than keys`];
  const words = parts.map(({ count, one, many }, index) => {
    if (only) return `its only key ${one}`;
    return `${String(count)}${index === 0 ? ` of ${all}` : ""} ${count === 1 ? one : many}`;
  });
  return [...words, ...more].join(", ");
}

/** Given back beyond what was charged, by currency. */
function overpaid(facts: ReferenceFacts): readonly Money[] {
  if (facts.more.keys || keyCounts(facts).by_hand + keyCounts(facts).unknown > 0) return [];
  const charged = sums(facts.payments, timesMoved);
  return sums(facts.reversals, timesMoved)
    .map(({ minor, currency }) => ({ currency, minor: minor - amountIn(charged, currency) }))
    .filter(({ minor }) => minor > 0n);
}

/** "€20.00 and $5.00". */
export function amounts(totals: readonly Money[]): string {
  return totals.map(({ minor, currency }) => moneyView(minor, currency).display).join(" and ");
}
