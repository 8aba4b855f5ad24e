import type { ReactNode } from "react";
import { Section, type SectionProps } from "@/components/ui/section";
import { DrawnTable, type RowLook } from "./drawn-table";
import { FoldedTable } from "./folded-table";

export interface RowColumn<Row> extends RowLook {
  readonly cell: (row: Row) => ReactNode;
  /** What stands in the last line, which is there where a column has one. */
  readonly sum?: ReactNode;
}

export interface RowsTableProps<Row> {
  readonly label: string;
  /** By their headers; one that does not apply is false. */
  readonly columns: Readonly<Record<string, RowColumn<Row> | false>>;
  readonly rows: readonly Row[];
  /** Tells rows apart; default their `id`. */
  readonly rowId?: ((row: Row, index: number) => string) | undefined;
  /** Stands in the place of the table while there is no row. */
  readonly empty?: ReactNode;
  /** A long history shows its beginning and its end. */
  readonly folded?: boolean | undefined;
}

/** A short table that is not walked, sorted or paged: drawn on the server, without a script unless it is folded. */
export function RowsTable<Row>(props: RowsTableProps<Row>) {
  const { label, columns, rows, rowId = ownId, empty, folded = false } = props;
  if (rows.length === 0 && empty !== undefined) return empty;
  const declared = Object.entries(columns).flatMap(([header, column]) =>
    column === false ? [] : [{ header, ...column }],
  );
  // A function does not pass to the browser: what is folded there has its cells already.
  const Table = folded ? FoldedTable : DrawnTable;
  return (
    <Table
      label={label}
      columns={declared.map(({ cell: _cell, phone, sum, ...look }, index) => ({
        ...look,
        phone: phone ?? (index === 0 ? "left" : "right"),
        sum,
      }))}
      rows={rows.map((row, index) => ({
        id: rowId(row, index),
        cells: Object.fromEntries(declared.map(({ header, cell }) => [header, cell(row)])),
      }))}
    />
  );
}

function ownId(row: unknown, index: number): string {
  return typeof row === "object" && row !== null && "id" in row && typeof row.id === "string" ? row.id : String(index);
}

interface SectionTableProps<Row> extends Omit<RowsTableProps<Row>, "label">, Omit<SectionProps, "title" | "children"> {
  readonly title: string;
  /** Accessible name of the table; default the title. */
  readonly label?: string | undefined;
  readonly children?: ReactNode;
}

/** A section that is a table. Where there is no row, and nothing that stands for them, there is no section. */
export function SectionTable<Row>(props: SectionTableProps<Row>) {
  const { title, label = title, columns, rows, rowId, empty, folded, children, ...head } = props;
  if (rows.length === 0 && empty === undefined) return null;
  return (
    <Section title={title} {...head}>
      <RowsTable {...{ label, columns, rows, rowId, empty, folded }} />
      {children}
    </Section>
  );
}
