import { firstWords, type PageClaim } from "@/domain/page-claim";
import { plural, times } from "../format/words";
import { moneyView } from "../operation/money-view";
import { statements, type TonedClaim } from "./claim";
import type { MoneyKeyFacts, ReferenceFacts } from "./facts";
import { customersOf, timesMoved, isOpen, keyCounts, movedAt, ofOutcome } from "./outcomes";

/** Attempts that are named one by one; more are a number. */
const NAMED = 4;

/**
 * What may be told to the customer: facts of this page alone. It names no amount of an attempt that was refused, and where something is in
 * doubt it says when that will be known.
 */
export const CUSTOMER: readonly TonedClaim<ReferenceFacts>[] = [
  {
    name: "tell_charged",
    holds: (facts) => keyCounts(facts).charges > 0,
    words: (facts) => {
      const paid = ofOutcome(facts.payments, "moved");
      const often = keyCounts(facts).charges;
      const named = paid
        .slice(0, NAMED)
        .map((payment) => `${moneyOf(payment)}${again(payment)} on ${moment(movedAt(payment))}`);
      const rest = paid.length > NAMED ? `, and ${String(paid.length - NAMED)} more` : "";
      return `Your order with reference ${facts.reference} was charged ${times(often)}: ${joined(named)}${rest}.`;
    },
  },
  {
    name: "tell_not_charged",
    holds: (facts) => {
      const { charges, unknown, by_hand: byHand, refused_by_hand: refused } = keyCounts(facts);
      return charges + unknown + byHand + refused === 0;
    },
    words: (facts) => `Your order with reference ${facts.reference} was not charged.`,
  },
  {
    name: "tell_by_hand",
    holds: (facts) => keyCounts(facts).by_hand > 0,
    words: ({ payments }) =>
      ofOutcome(payments, "by_hand")
        .slice(0, NAMED)
        .map(
          (payment) =>
            `Our records say that ${moneyOf(payment)} was charged on ${moment(movedAt(payment))}. We settled this by hand; the payment provider has not confirmed it.`,
        )
        .join(" "),
  },
  {
    name: "tell_refused_by_hand",
    holds: (facts) => keyCounts(facts).refused_by_hand > 0,
    words: ({ payments }) => {
      const count = ofOutcome(payments, "refused_by_hand").length;
      return `Our records say that ${count === 1 ? "one attempt" : plural(count, "attempt")} moved no money. We settled this by hand; the payment provider has not confirmed it.`;
    },
  },
  {
    name: "tell_nothing_moved",
    holds: (facts) => ofOutcome(facts.payments, "none").length > 0,
    words: ({ payments }) => {
      const refused = ofOutcome(payments, "none");
      const [only] = refused;
      const what = payments.length > refused.length ? "other attempt" : "attempt";
      return refused.length === 1 && only !== undefined
        ? `One ${what}, on ${moment(only.createdAt)}, moved no money.`
        : `${String(refused.length)} ${what}s moved no money.`;
    },
  },
  {
    name: "tell_unknown",
    holds: (facts) => keyCounts(facts).unknown > 0,
    words: (facts) =>
      ofOutcome(facts.payments, "unknown")
        .slice(0, NAMED)
        .map(
          (payment) =>
            `We do not know yet whether the attempt on ${moment(payment.createdAt)} charged ${moneyOf(payment)}. ${whenKnown(payment, facts.at)}`,
        )
        .join(" "),
  },
  {
    name: "tell_given_back",
    holds: ({ reversals }) => ofOutcome(reversals, "moved").length > 0,
    words: ({ reversals }) => {
      const given = ofOutcome(reversals, "moved");
      const named = given.slice(0, NAMED).map((each) => `${moneyOf(each)} on ${moment(movedAt(each))}`);
      const rest = given.length > NAMED ? `, and ${String(given.length - NAMED)} more` : "";
      return `We gave back ${joined(named)}${rest}.`;
    },
  },
  {
    name: "tell_given_back_unknown",
    holds: ({ reversals }) => ofOutcome(reversals, "unknown").length > 0,
    words: ({ reversals, at }) =>
      ofOutcome(reversals, "unknown")
        .slice(0, NAMED)
        .map(
          (each) =>
            `We do not know yet whether ${moneyOf(each)} was given back on ${moment(each.createdAt)}. ${whenKnown(each, at)}`,
        )
        .join(" "),
  },
];

/** @returns undefined where one text cannot be meant: the reference belongs to several customers, or not all of its keys were read */
export function customerText(facts: ReferenceFacts): string | undefined {
  if (customersOf(facts).length > 1 || facts.more.keys || facts.more.reversals || facts.payments.length === 0)
    return undefined;
  return statements(CUSTOMER, facts)
    .map(({ text }) => text)
    .join(" ");
}

/** Why there is no text; undefined when there is one. */
export function whyNoText(facts: ReferenceFacts): string | undefined {
  if (customersOf(facts).length > 1) return "Several customers use this reference. Choose one of them first.";
  return facts.more.keys || facts.more.reversals ? "Not every key was read, so no text would be certain." : undefined;
}

/** An effect in doubt at a moment. */
interface DoubtFacts {
  readonly effect: MoneyKeyFacts;
  readonly at: string;
}

const openAs = ({ effect }: DoubtFacts, state: MoneyKeyFacts["state"]): boolean =>
  isOpen(effect) && effect.state === state;
/** Open, without a lease that is held or over. */
const waits = (facts: DoubtFacts): boolean =>
  isOpen(facts.effect) && !openAs(facts, "IN_PROGRESS") && !openAs(facts, "STALE");
const dueAt = ({ effect }: DoubtFacts): number => Date.parse(effect.nextCheckAt ?? "");

/** When a doubt ends by itself, as far as the database knows: exactly one of these holds. */
const WHEN_KNOWN: readonly PageClaim<DoubtFacts>[] = [
  {
    name: "in progress",
    holds: (facts) => openAs(facts, "IN_PROGRESS"),
    words: ({ effect: { lockedUntil } }) =>
      `It is in progress${lockedUntil === undefined ? "" : ` and is checked after ${moment(lockedUntil)}`}.`,
  },
  { name: "checked next", holds: (facts) => openAs(facts, "STALE"), words: () => "It is checked next." },
  {
    name: "a person has to settle it",
    holds: (facts) => !isOpen(facts.effect) || (waits(facts) && facts.effect.nextCheckAt === undefined),
    words: () => "A person has to settle it; there is no time for that yet.",
  },
  {
    name: "due to be checked",
    holds: (facts) => waits(facts) && dueAt(facts) <= Date.parse(facts.at),
    words: () => "It is due to be checked again.",
  },
  {
    name: "checked later",
    holds: (facts) => waits(facts) && dueAt(facts) > Date.parse(facts.at),
    words: ({ effect }) => `It is checked again on ${moment(effect.nextCheckAt ?? "")}.`,
  },
];

function whenKnown(effect: MoneyKeyFacts, at: string): string {
  return firstWords(WHEN_KNOWN, { effect, at });
}

function moneyOf({ money }: MoneyKeyFacts): string {
  return money === undefined ? "an amount" : moneyView(money.minor, money.currency).display;
}

function again(payment: MoneyKeyFacts): string {
  const often = timesMoved(payment);
  return often > 1 ? ` ${times(often)}` : "";
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** "19 November 2026 at 10:41 UTC": a customer reads it elsewhere, so the zone is said. */
function moment(at: string): string {
  const date = new Date(at);
  return `${String(date.getUTCDate())} ${MONTHS[date.getUTCMonth()] ?? ""} ${String(date.getUTCFullYear())} at ${date.toISOString().slice(11, 16)} UTC`;
}
