import { displayMoney } from "@/domain/money";
import type { MoneyView } from "../views/common";

/** What a row stands for; its other forms are of no use to a sum. */
export type RowMoney = Pick<MoneyView, "minor" | "currency">;

/**
 * Adds up amounts, exactly and never across currencies.
 * @returns for people, one text per currency, by its code: "€10,264.07", "$12.00"
 */
export function moneySums(amounts: readonly (RowMoney | undefined)[]): readonly string[] {
  const sums = new Map<string, bigint>();
  for (const amount of amounts)
    if (amount !== undefined) sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + BigInt(amount.minor));
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, minor]) => displayMoney(minor, currency));
}

/** "4 selected, €10,264.07"; of rows of which some have no amount, in how many it is: "4 selected, €10,264.07 in 3". */
export function selectedWords(amounts: readonly (RowMoney | undefined)[]): string {
  const counted = `${String(amounts.length)} selected`;
  const having = amounts.filter((amount) => amount !== undefined).length;
  if (having === 0) return counted;
  return `${counted}, ${moneySums(amounts).join(" and ")}${having < amounts.length ? ` in ${String(having)}` : ""}`;
}
