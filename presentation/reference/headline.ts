import { moneyView } from "../operation/money-view";
import { plural, times } from "../format/words";
import { statement, statements, type Claim, type Statement } from "./claim";
import type { Money, ReferenceFacts } from "./facts";
import { ledgerGaps } from "./ledger";
import { amountIn, customersOf, isMoved, keyCounts, mostOfOneCustomer, ofOutcome, sums, isUnknown } from "./outcomes";

type ReferenceClaim = Claim<ReferenceFacts>;

/** How often it was charged: exactly one of these holds for a reference with keys. */
export const CHARGED: readonly ReferenceClaim[] = [
  {
    name: "charged_at_most",
    tone: "doubt",
    holds: (facts) => keyCounts(facts).unknown > 0,
    words: (facts) => {
      const counts = keyCounts(facts);
      const most = counts.charges + counts.by_hand + counts.refused_by_hand + counts.unknown;
      // Of keys that were not read nothing is known: there is no "at most" then.
      const bound = facts.more.keys
        ? counts.charges > 0
          ? `at least ${times(counts.charges)}`
          : "or not: it is unknown"
        : `at most ${times(most)}`;
      return `Charged ${bound}: ${[movedWords(facts), ...handWords(facts), openWords(facts)].join(", ")}.`;
    },
  },
  {
    name: "recorded_by_hand",
    tone: (facts) => (keyCounts(facts).charges + keyCounts(facts).by_hand > 1 ? "broken" : "doubt"),
    holds: (facts) => keyCounts(facts).by_hand + keyCounts(facts).refused_by_hand > 0,
    words: (facts) => {
      const { charges, by_hand: byHand } = keyCounts(facts);
      const often = charges + byHand;
      const verb = often === 0 ? "not charged" : `charged ${often === 1 ? "once" : times(often)}`;
      return `Recorded as ${verb}: ${[movedWords(facts), ...handWords(facts)].join(", ")}.`;
    },
  },
  {
    name: "not_charged",
    holds: (facts) => keyCounts(facts).keys > 0 && keyCounts(facts).charges === 0,
    words: (facts) => `Not charged: ${movedWords(facts)}.`,
  },
  {
    name: "charged_once",
    holds: (facts) => keyCounts(facts).charges === 1,
    words: (facts) => `Charged ${facts.more.keys ? "at least " : ""}once: ${movedWords(facts)}.`,
  },
  {
    name: "charged_again",
    // Several customers may use one reference; each of them may be charged once.
    tone: (facts) => (mostOfOneCustomer(facts) > 1 ? "broken" : "doubt"),
    holds: (facts) => keyCounts(facts).charges > 1,
    words: (facts) =>
      `Charged ${facts.more.keys ? "at least " : ""}${times(keyCounts(facts).charges)}: ${movedWords(facts)}.`,
  },
];

/** What the first sentence leaves open. */
export const CAVEATS: readonly ReferenceClaim[] = [
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
      `${plural(otherKinds.length, "key")} of another service ${otherKinds.length === 1 ? "carries" : "carry"} it too and ${otherKinds.length === 1 ? "is" : "are"} not counted.`,
  },
];

export function headline(facts: ReferenceFacts): readonly Statement[] {
  return [...statement(CHARGED, facts), ...statements(CAVEATS, facts)];
}

/** "1 of 2 keys moved money", "none of 2 keys moved money". */
function movedWords(facts: ReferenceFacts): string {
  const { keys, moved, charges } = keyCounts(facts);
  const again =
    charges > moved ? `, ${charges - moved === 1 ? "one" : String(charges - moved)} more charge than keys` : "";
  const all = `${facts.more.keys ? "the first " : ""}${plural(keys, "key")}`;
  if (keys === 1 && !facts.more.keys)
    return `${moved === 1 ? "its only key moved money" : "its only key moved none"}${again}`;
  return `${moved === 0 ? "none" : String(moved)} of ${all} moved money${again}`;
}

function handWords(facts: ReferenceFacts): readonly string[] {
  const { by_hand: charged, refused_by_hand: refused } = keyCounts(facts);
  const settled = (count: number, as: string): string[] =>
    count === 0 ? [] : [`${String(count)} ${count === 1 ? "was" : "were"} settled by hand as ${as}`];
  return [...settled(charged, "charged"), ...settled(refused, "not charged")];
}

function openWords(facts: ReferenceFacts): string {
  const open = ofOutcome(facts.payments, "unknown");
  const running = open.filter(({ state }) => state === "IN_PROGRESS").length;
  const unknown = open.length - running;
  const words = (count: number, what: string): string[] =>
    count === 0 ? [] : [`${String(count)} ${count === 1 ? "is" : "are"} ${what}`];
  return [...words(unknown, "unknown"), ...words(running, "in progress")].join(", ");
}

/** Given back beyond what was charged, by currency. */
function overpaid(facts: ReferenceFacts): readonly Money[] {
  if (facts.more.keys || keyCounts(facts).by_hand + keyCounts(facts).unknown > 0) return [];
  const charged = sums(facts.payments, isMoved);
  return sums(facts.reversals, isMoved)
    .map(({ minor, currency }) => ({ currency, minor: minor - amountIn(charged, currency) }))
    .filter(({ minor }) => minor > 0n);
}

/** "€20.00 and $5.00". */
export function amounts(totals: readonly Money[]): string {
  return totals.map(({ minor, currency }) => moneyView(minor, currency).display).join(" and ");
}
