import { isValidElement, type ReactElement, type ReactNode } from "react";
import type { PlaceChange } from "@/components/ui/place";
import {
  chosenColumns,
  type ColumnLook,
  type ColumnName,
  type DrawnName,
  type PlainRow,
  type TableColumns,
} from "@/presentation/list/columns";
import type { RowMoney } from "@/presentation/format/money-sum";
import { pageParam, type PageAddress } from "@/presentation/list/page-address";

/** A declared column as a table draws it under an address. */
export interface TableColumn extends ColumnLook {
  readonly id: string;
  /** The address does not ask for it. */
  readonly hidden: boolean;
  /** Sorting happens on the server: the address that sorts by this column, and the present direction. */
  readonly sort?: { readonly href: string; readonly direction?: "asc" | "desc" | undefined } | undefined;
}

/** Id of the column whose boxes select rows. */
export const SELECT_COLUMN = "select";

export interface TableRow {
  readonly id: string;
  /** Spoken name of the row: "Payment €12,480.00, unknown". */
  readonly label: string;
  readonly href?: string | undefined;
  /** Opens it beside the list instead: what the address says then. */
  readonly place?: PlaceChange | undefined;
  /** Its own page, where it opens beside the list. */
  readonly page?: string | undefined;
  /** What `c` copies: the whole id. */
  readonly copy?: string | undefined;
  /** Its detail is shown with the table; of a row with a `place` the address says it. */
  readonly current?: boolean | undefined;
  /** What it stands for, for the sum of what is selected. */
  readonly money?: RowMoney | undefined;
  readonly group?: ReactNode;
  /** It belongs to the row above it: no rule between them. */
  readonly continues?: boolean | undefined;
  readonly cells: Readonly<Record<string, ReactNode>>;
}

/** How the rows are sorted now, and the address that sorts them otherwise. */
export interface Sorting {
  readonly sort: string;
  /** Without it a list sorts one way only: the greatest first. */
  readonly direction?: "asc" | "desc" | undefined;
  hrefOf(changes: Readonly<Record<"sort" | "direction", string | undefined>>): string;
}

interface ColumnsOptions<Name extends string> {
  /** Says which columns are shown, where some may be hidden. */
  readonly address?: PageAddress | undefined;
  readonly sorting?: Sorting | undefined;
  /** Of columns that say something else on this page. */
  readonly labels?: Readonly<Partial<Record<Name, string>>> | undefined;
  /** Columns that this page has no use for. */
  readonly without?: readonly Name[] | undefined;
}

/** @returns the declared columns in their order, also those that are hidden now */
export function columnsOf<Table extends TableColumns>(
  table: Table,
  { address, sorting, labels, without = [] }: ColumnsOptions<ColumnName<Table>> = {},
): readonly TableColumn[] {
  const named: Readonly<Record<string, string | undefined>> = labels ?? {};
  const left: readonly string[] = without;
  const columns = Object.entries(table.columns).flatMap(([id, { fields: _fields, plain: _plain, sort, ...look }]) =>
    left.includes(id) ? [] : [{ ...look, id, label: named[id] ?? look.label, sort: sortLink(table, sort, sorting) }],
  );
  const shown = new Set(chosenColumns(columns, address && pageParam(address, "columns")).map(({ id }) => id));
  return columns.map((column) => ({ ...column, hidden: !shown.has(column.id) }));
}

function sortLink(
  { sorts }: TableColumns,
  sort: TableColumns["columns"][string]["sort"],
  sorting: Sorting | undefined,
): TableColumn["sort"] {
  if (sort === undefined || sorting === undefined) return undefined;
  const { direction = "desc" } = sorting;
  const on = sorting.sort === sort.by;
  const turned = on && direction === "desc" && sorting.direction !== undefined;
  return {
    href: sorting.hrefOf({
      sort: sort.by === sorts?.[0] ? undefined : sort.by,
      direction: turned ? "asc" : undefined,
    }),
    direction: on ? ((direction === "desc") === (sort.reversed === true) ? "asc" : "desc") : undefined,
  };
}

/** A cell for every declared column that is not plain: a column without a cell, or a cell without a column, does not compile. */
export type Cells<Table extends TableColumns, Row, Context = undefined> = Readonly<
  Record<DrawnName<Table>, (row: Row, context: Context) => ReactNode>
>;

/** @returns what draws the cells of a row, of the columns that are shown */
export function drawnCells<Table extends TableColumns, Row extends PlainRow<Table>, Context>(
  table: Table,
  columns: readonly TableColumn[],
  cells: Cells<Table, Row, Context>,
): (row: Row, context: Context) => TableRow["cells"] {
  const drawn: Readonly<Record<string, ((row: Row, context: Context) => ReactNode) | undefined>> = cells;
  const plain = (id: string, row: Row): ReactNode =>
    table.fields?.[table.columns[id]?.fields?.[0] ?? id]?.(row as never) ?? <None />;
  const shown = columns.filter(({ hidden }) => !hidden);
  const once = drawOnce();
  return (row, context) =>
    Object.fromEntries(
      shown.map(({ id }) => [id, once(drawn[id] === undefined ? plain(id, row) : drawn[id](row, context))]),
    );
}

/** For one list. @returns what gives the element of an earlier cell where a cell looks the same: React then renders and sends it once. */
function drawOnce(): (cell: ReactNode) => ReactNode {
  const earlier = new Map<unknown, Map<string, ReactElement>>();
  return (cell) => {
    if (!isValidElement<Readonly<Record<string, unknown>>>(cell) || cell.key !== null) return cell;
    if (!Object.values(cell.props).every(isPlain)) return cell;
    const ofType = earlier.get(cell.type) ?? new Map<string, ReactElement>();
    earlier.set(cell.type, ofType);
    const props = JSON.stringify(cell.props);
    const same = ofType.get(props);
    if (same === undefined) ofType.set(props, cell);
    return same ?? cell;
  };
}

/** Whether JSON tells it from any other: text, numbers and their like, in plain objects and lists; no function, and no element. */
function isPlain(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (isValidElement(value)) return false;
  return (
    (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) && Object.values(value).every(isPlain)
  );
}

export function None() {
  return (
    <span className="quiet" data-none>
      none
    </span>
  );
}
