import type { ReactNode } from "react";
import { moneySums } from "@/presentation/format/money-sum";
import type { TableColumn, TableRow } from "./columns";

/**
 * The last line of a list that is whole: how many rows, and their money by currency.
 * @param of ids of the columns that say it
 * @returns undefined where no row has an amount, or the column of amounts is hidden
 */
export function wholeSum(
  rows: readonly Pick<TableRow, "money">[],
  columns: readonly TableColumn[],
  of: { readonly count: string; readonly amount: string },
): Readonly<Record<string, ReactNode>> | undefined {
  const sums = moneySums(rows.map(({ money }) => money));
  const shown = columns.some(({ id, hidden }) => id === of.amount && !hidden);
  if (sums.length === 0 || !shown) return undefined;
  const amount = sums.map((sum) => (
    <span key={sum} className="block nowrap">
      {sum}
    </span>
  ));
  return { [of.count]: rows.length === 1 ? "1 in all" : `${String(rows.length)} in all`, [of.amount]: amount };
}
