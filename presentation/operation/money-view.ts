import { displayMoney, formatAmount } from "@/domain/money";
import type { MoneyView } from "../views/common";

/** @returns undefined when either part is missing. */
export function moneyView(
  minor: bigint | null | undefined,
  currency: string | null | undefined,
): MoneyView | undefined {
  if (minor === null || minor === undefined || currency === null || currency === undefined) return undefined;
  return {
    minor: minor.toString(),
    amount: formatAmount(minor, currency),
    currency,
    display: displayMoney(minor, currency),
  };
}
