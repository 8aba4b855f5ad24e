import type { ReactNode } from "react";
import styles from "./data-table.module.css";

export interface SimpleColumn {
  readonly id: string;
  readonly header: string;
  readonly align?: "left" | "right" | undefined;
  readonly phone?: "left" | "right" | "full" | "hidden" | undefined;
  readonly wrap?: boolean | undefined;
  /** Hidden below 1200 px. */
  readonly wide?: boolean | undefined;
}

export interface SimpleTableProps {
  readonly label: string;
  readonly columns: readonly SimpleColumn[];
  readonly rows: readonly { readonly id: string; readonly cells: Readonly<Record<string, ReactNode>> }[];
  readonly sum?: Readonly<Record<string, ReactNode>> | undefined;
}

/** A short table that is not walked, sorted or paged: drawn on the server, no script. */
export function SimpleTable({ label, columns, rows, sum }: SimpleTableProps) {
  return (
    <table className={styles["table"]} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" data-align={column.align} data-wide={column.wide}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {columns.map((column, index) => (
              <td
                key={column.id}
                data-align={column.align}
                data-wrap={column.wrap}
                data-wide={column.wide}
                data-phone={column.phone ?? (index === 0 ? "left" : "right")}
              >
                {row.cells[column.id]}
              </td>
            ))}
          </tr>
        ))}
        {sum !== undefined && (
          <tr className={styles["sum"]}>
            {columns.map((column, index) => (
              <td
                key={column.id}
                data-align={column.align}
                data-wide={column.wide}
                data-phone={column.phone ?? (index === 0 ? "left" : "right")}
              >
                {sum[column.id]}
              </td>
            ))}
          </tr>
        )}
      </tbody>
    </table>
  );
}
