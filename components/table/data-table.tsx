"use client";

import { useTable } from "@tanstack/react-table";
import { Link } from "@/components/ui/link";
import { useMemo, useRef, type ReactNode } from "react";
import { SELECT_COLUMN, type TableColumn, type TableRow } from "./columns";
import { definitionsOf, features, stateOf } from "./features";
import { NewerLine } from "./newer-line";
import { RowView } from "./row-view";
import { PickContext, SelectAll, SelectRow, SelectionBar, useRowSelection } from "./selection";
import { useChangedCells } from "./use-changed-cells";
import { useTableKeys } from "./use-table-keys";
import styles from "./data-table.module.css";

export interface DataTableProps {
  readonly label: string;
  /** All columns, also those that are hidden now. */
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** The last line of a list that is a whole: an ink rule and its sum, by column id. */
  readonly sum?: Readonly<Record<string, ReactNode>> | undefined;
  readonly selectable?: boolean | undefined;
  readonly selectionActions?: ReactNode;
  /** There are more rows than this page: "11,204" or "10,000+" of them match. Offered once the whole page is selected. */
  readonly matching?: string | undefined;
  /** Name of the rows in the line that offers newer ones: "operations". Only under a LiveProvider. */
  readonly newer?: string | undefined;
}

const SELECT: TableColumn = { id: SELECT_COLUMN, label: "Select", spoken: true, width: 26, hidden: false };

/** The table's memory of which rows are selected; its rows, and what is shown of them in which order, come from the server. */
function useRowsTable(columns: readonly TableColumn[], rows: readonly TableRow[], selectable: boolean) {
  const all = useMemo(() => (selectable ? [SELECT, ...columns] : columns), [columns, selectable]);
  const definitions = useMemo(() => definitionsOf(all), [all]);
  const state = useMemo(() => stateOf(all), [all]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    state,
    getRowId: (row) => row.id,
    enableRowSelection: selectable,
    manualSorting: true,
  });
  const shown = table.getVisibleLeafColumns().flatMap((column): ShownColumn[] => {
    const { meta } = column.columnDef;
    return meta === undefined ? [] : [{ ...meta, sorted: column.getIsSorted() }];
  });
  const link = shown.find((column) => column.link) ?? shown.find((column) => column.phone === "left");
  return { table, shown, link };
}

/** More columns than fit beside a pane: the table scrolls sideways, the page and the bar below it do not. */
const MANY = 8;

/** A page of rows, drawn as it came: sorted, filtered and paged by the server through the address. */
export function DataTable(props: DataTableProps) {
  const { label, columns, rows, sum, selectable = false, selectionActions, matching, newer } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { table, shown, link } = useRowsTable(columns, rows, selectable);
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
      <Frame label={label} many={shown.length > MANY}>
        <thead>
          <tr>
            {shown.map((column) => (
              <Head key={column.id} column={column}>
                {column.id === SELECT.id && (
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
          {table.getRowModel().rows.map((row) => {
            const cells = row.getVisibleCellsByColumnId();
            return (
              <RowView key={row.id} row={row.original} selected={row.getIsSelected()} span={shown.length}>
                {shown.map((column) => ({
                  column,
                  linked: column === link,
                  // Drawn here and not by a renderer of the column: a list that is read again keeps its cells.
                  content:
                    column.id === SELECT.id ? (
                      <SelectRow id={row.id} label={`Select ${row.original.label}`} on={row.getIsSelected()} />
                    ) : (
                      (cells[column.id]?.getValue() as ReactNode)
                    ),
                }))}
              </RowView>
            );
          })}
          {sum !== undefined && <SumRow columns={shown} sum={sum} />}
        </tbody>
      </Frame>
      {selectable && (
        <SelectionBar
          money={rows.flatMap(({ id, money }) => (selected.includes(id) ? [money] : []))}
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

interface FrameProps {
  readonly label: string;
  readonly many: boolean;
  readonly children: ReactNode;
}

function Frame({ label, many, children }: FrameProps) {
  return (
    <div className={styles["scroll"]} data-many={many || undefined}>
      <table className={styles["table"]} data-many={many || undefined} aria-label={label}>
        {children}
      </table>
    </div>
  );
}

interface ShownColumn extends TableColumn {
  readonly sorted: "asc" | "desc" | false;
}

function Head({ column, children }: { readonly column: ShownColumn; readonly children: ReactNode }) {
  const { align, wide, roomy, sorted, grow, width } = column;
  return (
    <th
      scope="col"
      data-align={align}
      data-wide={wide}
      data-roomy={roomy}
      data-sorted={sorted || undefined}
      aria-sort={sorted === false ? undefined : sorted === "asc" ? "ascending" : "descending"}
      style={{ width: grow === true ? "100%" : width }}
    >
      {column.id === SELECT.id ? children : <HeadText column={column} />}
    </th>
  );
}

/** A sortable head is a link, the sorted one is ink with its arrow. */
function HeadText({ column: { label, spoken, sort, sorted } }: { readonly column: ShownColumn }) {
  if (spoken === true) return <span className="spoken">{label}</span>;
  if (sort === undefined) return label;
  return (
    <Link href={sort.href} className={styles["sort"]} data-plain scroll={false}>
      {label}
      <span aria-hidden>{sorted === false ? "" : sorted === "asc" ? " ↑" : " ↓"}</span>
    </Link>
  );
}

interface SumRowProps {
  readonly columns: readonly TableColumn[];
  readonly sum: Readonly<Record<string, ReactNode>>;
}

function SumRow({ columns, sum }: SumRowProps) {
  return (
    <tr className={styles["sum"]}>
      {columns.map(({ id, align, wide, roomy, phone }) => (
        <td
          key={id}
          data-align={align}
          data-wide={wide}
          data-roomy={roomy}
          data-phone={sum[id] === undefined ? "hidden" : (phone ?? "hidden")}
        >
          {sum[id]}
        </td>
      ))}
    </tr>
  );
}
