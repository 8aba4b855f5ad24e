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

function buildColumns(columns: readonly TableColumn[], selectable: boolean) {
  const own = columns.map((column) =>
    columnHelper.display({
      id: column.id,
      meta: { column },
      header: () => <HeaderCell column={column} />,
      cell: ({ row }) => row.original.cells[column.id],
    }),
  );
  if (!selectable) return own;
  const select = columnHelper.display({
    id: SELECT.id,
    meta: { column: SELECT },
    header: ({ table }) => (
      <SelectAll
        all={table.getIsAllRowsSelected()}
        some={table.getIsSomeRowsSelected()}
        onChange={(on) => {
          table.toggleAllRowsSelected(on);
        }}
      />
    ),
    cell: ({ row }) => <SelectRow id={row.id} label={`Select ${row.original.label}`} on={row.getIsSelected()} />,
  });
  return [select, ...own];
}

/** A page of rows, drawn as it came: sorted, filtered and paged by the server through the address. */
export function DataTable(props: DataTableProps) {
  const { label, columns, rows, sum, compact = false, selectable = false, selectionActions, matching, newer } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const definitions = useMemo(() => buildColumns(columns, selectable), [columns, selectable]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: (row) => row.id,
    enableRowSelection: selectable,
  });
  const linkColumn = (columns.find((column) => column.link) ?? columns.find((column) => column.phone === "left"))?.id;
  const { selected, all, setAll, pick } = useRowSelection(rows, table.state.rowSelection, (id, on) => {
    table.getRow(id).toggleSelected(on);
  });
  useTableKeys(body, rows, (id, range) => {
    if (selectable) pick(id, range || !selected.includes(id), range);
  });
  useChangedCells(body);
  const wholePage = selected.length === rows.length;

  return (
    <PickContext value={pick}>
      <table className={styles["table"]} data-compact={compact || undefined} aria-label={label}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <Head key={header.id} column={header.column.columnDef.meta?.column ?? SELECT}>
                  <table.FlexRender header={header} />
                </Head>
              ))}
            </tr>
          ))}
        </thead>
        <tbody ref={body}>
          {newer !== undefined && <NewerLine noun={newer} span={definitions.length} />}
          {table.getRowModel().rows.map((row) => (
            <RowView key={row.id} row={row.original} selected={row.getIsSelected()} span={definitions.length}>
              {row.getAllCells().map((cell) => ({
                column: cell.column.columnDef.meta?.column ?? SELECT,
                linked: cell.column.id === linkColumn,
                content: <table.FlexRender cell={cell} />,
              }))}
            </RowView>
          ))}
          {sum !== undefined && <SumRow columns={selectable ? [SELECT, ...columns] : columns} sum={sum} />}
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
      data-sorted={column.sort?.direction}
      aria-sort={ariaSort(column)}
      style={column.grow === true ? { width: "100%" } : { width: column.width }}
    >
      {children}
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
          data-phone={sum[column.id] === undefined ? "hidden" : column.phone}
        >
          {sum[column.id]}
        </td>
      ))}
    </tr>
  );
}
