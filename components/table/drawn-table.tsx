import type { ReactNode } from "react";
import styles from "./data-table.module.css";

export interface RowLook {
  readonly align?: "left" | "right" | undefined;
  /** Without it the first column is at the left and every other at the right. */
  readonly phone?: "left" | "right" | "full" | "hidden" | undefined;
  /** Its header stands before it where a row is a record without a head. */
  readonly labelled?: boolean | undefined;
  readonly wrap?: boolean | undefined;
  /** Hidden below 1200 px. */
  readonly wide?: boolean | undefined;
}

export interface DrawnTableProps {
  readonly label: string;
  readonly columns: readonly (RowLook & { readonly header: string; readonly sum: ReactNode })[];
  /** Cells by the headers of their columns. */
  readonly rows: readonly { readonly id: string; readonly cells: Readonly<Record<string, ReactNode>> }[];
}

/** A short table whose cells are drawn already: it may pass from the server to the browser. Pages declare a `RowsTable`. */
export function DrawnTable({ label, columns, rows }: DrawnTableProps) {
  return (
    <table className={styles["table"]} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ header, align, wide }) => (
            <th key={header} scope="col" data-align={align} data-wide={wide}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr key={id}>
            {columns.map(({ header, align, wrap, wide, phone, labelled }) => (
              <td
                key={header}
                data-align={align}
                data-wrap={wrap}
                data-wide={wide}
                data-phone={phone}
                data-label={labelled === true ? header : undefined}
              >
                {cells[header]}
              </td>
            ))}
          </tr>
        ))}
        {columns.some(({ sum }) => sum !== undefined) && (
          <tr className={styles["sum"]}>
            {columns.map(({ header, align, wide, phone, sum }) => (
              <td key={header} data-align={align} data-wide={wide} data-phone={phone}>
                {sum}
              </td>
            ))}
          </tr>
        )}
      </tbody>
    </table>
  );
}
