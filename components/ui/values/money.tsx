import { displayMoney } from "@/domain/money";

export interface MoneyProps {
  /** Minor units as a decimal string (bigints do not cross to the browser), e.g. "1248000". */
  readonly minor: string;
  readonly currency: string;
}

/** Currency sign, thousands comma, all minor digits, weight 500, never rounded. */
export function Money({ minor, currency }: MoneyProps) {
  return <span className="nowrap strong">{displayMoney(BigInt(minor), currency)}</span>;
}
