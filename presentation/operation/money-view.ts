import { displayMoney, formatAmount } from "@/domain/money";
import type { MoneyView } from "../views/common";

export function moneyView(minor: bigint, currency: string): MoneyView;
export function moneyView(minor: bigint | null | undefined, currency: string | null | undefined): MoneyView | undefined;
export function moneyView(minor: bigint | null | undefined, currency: string | null | undefined) {
  if (minor === null || minor === undefined || currency === null || currency === undefined) return undefined;
  const [amount, display] = [formatAmount(minor, currency), displayMoney(minor, currency)];
  return { minor: minor.toString(), amount, currency, display };
}
