import type { ReactNode } from "react";
import styles from "./data-table.module.css";

interface SimpleLook {
  readonly header: string;
  readonly align?: "left" | "right" | undefined;
  /** Without it the first column is at the left and every other at the right. */
  readonly phone?: "left" | "right" | "full" | "hidden" | undefined;
  readonly wrap?: boolean | undefined;
  /** Hidden below 1200 px. */
  readonly wide?: boolean | undefined;
}

export interface SimpleColumn<Row = DrawnRow> extends SimpleLook {
  /** Default its header. */
  readonly id?: string | undefined;
  /** Without it the row has its cells already, by the ids of the columns. */
  readonly cell?: ((row: Row) => ReactNode) | undefined;
}

interface DrawnRow {
  readonly id: string;
  readonly cells: Readonly<Record<string, ReactNode>>;
}

export interface SimpleTableProps<Row = DrawnRow> {
  readonly label: string;
  readonly columns: readonly SimpleColumn<Row>[];
  readonly rows: readonly Row[];
  /** Tells rows apart; default their `id`. */
  readonly idOf?: ((row: Row) => string) | undefined;
  /** A last line of sums, by column id. */
  readonly sum?: Readonly<Record<string, ReactNode>> | undefined;
}

/** One column with what it shows of a row. */
export function column<Row>(look: SimpleLook, cell: (row: Row) => ReactNode): SimpleColumn<Row> {
  return { ...look, cell };
}

/** A short table that is not walked, sorted or paged: drawn on the server, no script. */
export function SimpleTable<Row extends object = DrawnRow>(props: SimpleTableProps<Row>) {
  const { label, columns, rows, idOf = ownId, sum } = props;
  const drawn = columns.map(({ id, header, phone, cell, ...look }, index) => {
    const name = id ?? header;
    const phonePlace = phone ?? (index === 0 ? "left" : "right");
    return { ...look, name, header, phone: phonePlace, cell: cell ?? ((row: Row) => drawnCell(row, name)) };
  });
  return (
    <table className={styles["table"]} aria-label={label}>
      <thead>
        <tr>
          {drawn.map(({ name, header, align, wide }) => (
            <th key={name} scope="col" data-align={align} data-wide={wide}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {drawn.map(({ name, align, wrap, wide, phone, cell }) => (
              <td key={name} data-align={align} data-wrap={wrap} data-wide={wide} data-phone={phone}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
        {sum !== undefined && (
          <tr className={styles["sum"]}>
            {drawn.map(({ name, align, wide, phone }) => (
              <td key={name} data-align={align} data-wide={wide} data-phone={phone}>
                {sum[name]}
              </td>
            ))}
          </tr>
        )}
      </tbody>
    </table>
  );
}

function ownId(row: object): string | undefined {
  return "id" in row && typeof row.id === "string" ? row.id : undefined;
}

function drawnCell(row: object, name: string): ReactNode {
  return (row as Partial<DrawnRow>).cells?.[name];
}
