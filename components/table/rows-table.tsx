import type { ReactNode } from "react";
import { Section, type SectionProps } from "@/components/ui/section";
import { FoldedTable } from "./folded-table";
import { SimpleTable, type SimpleColumn } from "./simple-table";

export interface RowColumn<Row> extends Pick<SimpleColumn, "align" | "phone" | "wrap" | "wide"> {
  readonly cell: (row: Row) => ReactNode;
}

export interface RowsTableProps<Row> {
  readonly label: string;
  /** By their headers. */
  readonly columns: Readonly<Record<string, RowColumn<Row>>>;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row, index: number) => string;
  /** Stands in the place of the table while there is no row. */
  readonly empty?: ReactNode;
  /** The last line, drawn like the others. */
  readonly sum?: Row | undefined;
  /** A long history shows its beginning and its end. */
  readonly folded?: boolean | undefined;
}

export function RowsTable<Row>({ label, columns, rows, rowId, empty, sum, folded = false }: RowsTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return empty;
  const declared = Object.entries(columns);
  const cellsOf = (row: Row) => Object.fromEntries(declared.map(([header, { cell }]) => [header, cell(row)]));
  const table = {
    label,
    columns: declared.map(([header, { cell: _cell, ...look }]) => ({ ...look, id: header, header })),
    rows: rows.map((row, index) => ({ id: rowId(row, index), cells: cellsOf(row) })),
  };
  return folded ? <FoldedTable {...table} /> : <SimpleTable {...table} sum={sum && cellsOf(sum)} />;
}

interface SectionTableProps<Row> extends Omit<RowsTableProps<Row>, "label">, Omit<SectionProps, "title" | "children"> {
  readonly title: string;
  /** Accessible name of the table; default the title. */
  readonly label?: string | undefined;
  readonly children?: ReactNode;
}

/** A section that is a table. Where there is no row, and nothing that stands for them, there is no section. */
export function SectionTable<Row>(props: SectionTableProps<Row>) {
  const { title, label = title, columns, rows, rowId, empty, sum, folded, children, ...head } = props;
  if (rows.length === 0 && empty === undefined) return null;
  return (
    <Section title={title} {...head}>
      <RowsTable {...{ label, columns, rows, rowId, empty, sum, folded }} />
      {children}
    </Section>
  );
}
