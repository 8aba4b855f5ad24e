"use client";

import { useTable } from "@tanstack/react-table";
import { useMemo, useRef, type ReactNode } from "react";
import { columnHelper, features } from "./features";
import { HeaderCell } from "./header-cell";
import { NewerLine } from "./newer-line";
import { RowView } from "./row-view";
import { PickContext, SelectAll, SelectRow, SelectionBar } from "./selection";
import type { TableColumn, TableRow } from "./types";
import { useChangedCells } from "./use-changed-cells";
import { useRowSelection } from "./use-row-selection";
import { useTableKeys } from "./use-table-keys";
import styles from "./data-table.module.css";

export interface DataTableProps {
  /** Accessible name. */
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** The last line of a list that is a whole: an ink rule and its sum, by column id. */
  readonly sum?: Readonly<Record<string, ReactNode>> | undefined;
  /** Rows of 30 instead of 36 px. */
  readonly compact?: boolean | undefined;
  readonly selectable?: boolean | undefined;
  /** Controls of the selection bar. */
  readonly selectionActions?: ReactNode;
  /** There are more rows than this page: "11,204" or "10,000+" of them match. Offered once the whole page is selected. */
  readonly matching?: string | undefined;
  /** Name of the rows in the line that offers newer ones: "operations". Only under a LiveProvider. */
  readonly newer?: string | undefined;
}

const SELECT: TableColumn = { id: "select", header: "Select", hiddenHeader: true, width: 26, phone: "hidden" };

/** The table's memory of which rows are selected; its rows and columns are the server's. */
function useRowsTable(columns: readonly TableColumn[], rows: readonly TableRow[], selectable: boolean) {
  const shown = useMemo(() => (selectable ? [SELECT, ...columns] : columns), [columns, selectable]);
  const definitions = useMemo(() => shown.map(({ id }) => columnHelper.display({ id })), [shown]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: (row) => row.id,
    enableRowSelection: selectable,
  });
  return { table, shown };
}

/** More columns than fit beside a pane: the list scrolls sideways, the page does not. */
const MANY = 8;

/** A page of rows, drawn as it came: sorted, filtered and paged by the server through the address. */
export function DataTable(props: DataTableProps) {
  const { label, columns, rows, sum, compact = false, selectable = false, selectionActions, matching, newer } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { table, shown } = useRowsTable(columns, rows, selectable);
  const link = columns.find((column) => column.link) ?? columns.find((column) => column.phone === "left");
  const { selected, all, setAll, pick } = useRowSelection(rows, table.state.rowSelection, (id, on) => {
    table.getRow(id).toggleSelected(on);
  });
  useTableKeys(body, rows, (id, range) => {
    if (selectable) pick(id, range || !selected.includes(id), range);
  });
  useChangedCells(body);
  const drawn = { "data-compact": compact || undefined, "data-many": shown.length > MANY || undefined };
  const wholePage = selected.length === rows.length;

  return (
    <PickContext value={pick}>
      <table className={styles["table"]} {...drawn} aria-label={label}>
        <thead>
          <tr>
            {shown.map((column) => (
              <Head key={column.id} column={column}>
                {column === SELECT && (
                  <SelectAll
                    all={rows.length > 0 && wholePage}
                    some={selected.length > 0}
                    onChange={(on) => {
                      table.toggleAllRowsSelected(on);
                    }}
                  />
                )}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {newer !== undefined && <NewerLine noun={newer} span={shown.length} />}
          {table.getRowModel().rows.map((row) => (
            <RowView key={row.id} row={row.original} selected={row.getIsSelected()} span={shown.length}>
              {shown.map((column) => ({
                column,
                linked: column === link,
                // Drawn here and not by a renderer of the column: a list that is read again keeps its cells.
                content:
                  column === SELECT ? (
                    <SelectRow id={row.id} label={`Select ${row.original.label}`} on={row.getIsSelected()} />
                  ) : (
                    row.original.cells[column.id]
                  ),
              }))}
            </RowView>
          ))}
          {sum !== undefined && <SumRow columns={shown} sum={sum} />}
        </tbody>
      </table>
      {selectable && (
        <SelectionBar
          selection={{ ids: selected, all: all && wholePage, matching }}
          wholePage={wholePage}
          onAll={setAll}
          onClear={() => {
            table.resetRowSelection();
          }}
        >
          {selectionActions}
        </SelectionBar>
      )}
    </PickContext>
  );
}

function Head({ column, children }: { readonly column: TableColumn; readonly children: ReactNode }) {
  return (
    <th
      scope="col"
      data-align={column.align}
      data-wide={column.wide}
      data-roomy={column.roomy}
      data-sorted={column.sort?.direction}
      aria-sort={ariaSort(column)}
      style={column.grow === true ? { width: "100%" } : { width: column.width }}
    >
      {column === SELECT ? children : <HeaderCell column={column} />}
    </th>
  );
}

function ariaSort(column: TableColumn): "ascending" | "descending" | undefined {
  if (column.sort?.direction === undefined) return undefined;
  return column.sort.direction === "asc" ? "ascending" : "descending";
}

interface SumRowProps {
  readonly columns: readonly TableColumn[];
  readonly sum: Readonly<Record<string, ReactNode>>;
}

function SumRow({ columns, sum }: SumRowProps) {
  return (
    <tr className={styles["sum"]}>
      {columns.map((column) => (
        <td
          key={column.id}
          data-align={column.align}
          data-wide={column.wide}
          data-roomy={column.roomy}
          data-phone={sum[column.id] === undefined ? "hidden" : column.phone}
        >
          {sum[column.id]}
        </td>
      ))}
    </tr>
  );
}
