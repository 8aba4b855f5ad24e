import type { Money } from "@/domain/money";
import type { MoneyKeyFacts, ReferenceFacts } from "./facts";

/**
 * What became of the money that a key asked to move.
 * `moved`: the provider says so. `by_hand`: a person says so, the provider has not confirmed it. `unknown`: it may have moved or may move now.
 * `refused_by_hand`: it was sent, and a person says that it did not move. `none`: it did not move.
 */
export type MoneyOutcome = "moved" | "by_hand" | "unknown" | "refused_by_hand" | "none";

export function moneyOutcome(effect: MoneyKeyFacts): MoneyOutcome {
  if (effect.calls.some(({ outcome }) => outcome === "succeeded")) return "moved";
  const hooked = effect.webhooks.some(({ says, otherMoney }) => says === "succeeded" && !otherMoney);
  if (effect.status === "succeeded" || effect.status === "voided" || effect.state === "COMPLETED")
    return effect.settledByHand === "succeeded" && !hooked ? "by_hand" : "moved";
  if (isOpen(effect)) return wasSent(effect) || effect.state === "IN_PROGRESS" ? "unknown" : "none";
  // A signed webhook against our own books: neither is believed alone.
  if (effect.webhooks.some(({ says }) => says === "succeeded")) return "unknown";
  if (effect.settledByHand === "failed") return isDeclined(effect) ? "none" : "refused_by_hand";
  return "none";
}

/** Objects that the provider made for one key: more than one is money that moved again. */
export function timesMoved(effect: MoneyKeyFacts): number {
  if (moneyOutcome(effect) !== "moved") return 0;
  const made = effect.calls.filter(({ outcome }) => outcome === "succeeded");
  return Math.max(1, new Set(made.flatMap(({ reference }) => reference ?? [])).size);
}

export function isOpen({ state }: MoneyKeyFacts): boolean {
  return state === "IN_PROGRESS" || state === "STALE" || state === "UNKNOWN_REQUIRES_RECOVERY";
}

export function wasSent({ calls }: MoneyKeyFacts): boolean {
  return calls.some(({ kind, state }) => kind !== "lookup" && state !== "prepared");
}

function isDeclined({ calls, webhooks }: MoneyKeyFacts): boolean {
  return calls.some(({ outcome }) => outcome === "declined") || webhooks.some(({ says }) => says === "failed");
}

/** When the money moved, as far as is known: the first answer that said so, otherwise the provider's, otherwise the end of the operation. */
export function movedAt(effect: MoneyKeyFacts): string {
  const answer = effect.requests.find(({ outcome, status }) => outcome === "executed" && (status ?? 0) < 400);
  const call = effect.calls.find(({ outcome }) => outcome === "succeeded");
  return answer?.at ?? call?.at ?? effect.completedAt ?? effect.createdAt;
}

const OUTCOMES: readonly MoneyOutcome[] = ["moved", "by_hand", "unknown", "refused_by_hand", "none"];

export function ofOutcome(effects: readonly MoneyKeyFacts[], outcome: MoneyOutcome): readonly MoneyKeyFacts[] {
  return effects.filter((effect) => moneyOutcome(effect) === outcome);
}

/** Keys of payments by what became of them, and how often money moved. */
export function keyCounts({ payments }: ReferenceFacts): Readonly<Record<MoneyOutcome | "keys" | "charges", number>> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, ofOutcome(payments, outcome).length]));
  const charges = payments.reduce((sum, payment) => sum + timesMoved(payment), 0);
  return { ...(counts as Record<MoneyOutcome, number>), keys: payments.length, charges };
}

/** Sums by currency, in minor units; a currency without any of them is left out. */
export function sums(effects: readonly MoneyKeyFacts[], times: (effect: MoneyKeyFacts) => number): readonly Money[] {
  const totals = new Map<string, bigint>();
  for (const effect of effects) {
    const often = times(effect);
    if (effect.money === undefined || often === 0) continue;
    const { minor, currency } = effect.money;
    totals.set(currency, (totals.get(currency) ?? 0n) + minor * BigInt(often));
  }
  return [...totals].map(([currency, minor]) => ({ minor, currency }));
}

const isOf =
  (...outcomes: readonly MoneyOutcome[]) =>
  (effect: MoneyKeyFacts): number =>
    outcomes.includes(moneyOutcome(effect)) ? 1 : 0;
export const isRecorded = isOf("by_hand");
export const isUnknown = isOf("unknown");

export function amountIn(totals: readonly Money[], currency: string): bigint {
  return totals.find((total) => total.currency === currency)?.minor ?? 0n;
}

export function customersOf({ payments }: ReferenceFacts): readonly string[] {
  return [...new Set(payments.flatMap(({ account }) => account ?? []))];
}

/** Most times that one customer was charged: one reference may be used by several. */
export function mostOfOneCustomer({ payments }: ReferenceFacts): number {
  const counts = new Map<string, number>();
  for (const payment of payments) {
    const account = payment.account ?? "";
    counts.set(account, (counts.get(account) ?? 0) + Math.max(timesMoved(payment), isRecorded(payment)));
  }
  return Math.max(0, ...counts.values());
}
