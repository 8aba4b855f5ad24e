import { displayMoney } from "@/domain/money";
import styles from "./money.module.css";

export interface MoneyProps {
  /** Minor units as a decimal string (bigints do not cross to the browser), e.g. "1248000". */
  readonly minor: string;
  readonly currency: string;
}

/** Currency sign, thousands comma, all minor digits, weight 500, never rounded. */
export function Money({ minor, currency }: MoneyProps) {
  return <span className={styles["money"]}>{displayMoney(BigInt(minor), currency)}</span>;
}
