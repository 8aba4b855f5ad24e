import {
  columnVisibilityFeature,
  createColumnHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { TableColumn, TableRow } from "./columns";

/**
 * What our tables can do. Sorting, filtering and paging are the server's work and live in the address, so no client
 * row model is declared: a page of rows is drawn exactly as it came.
 */
export const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  columnMeta: {} as TableColumn,
});
const helper = createColumnHelper<typeof features, TableRow>();

/** TanStack's columns, in their order: the only place where they are made. */
export function definitionsOf(columns: readonly TableColumn[]) {
  return columns.map((column) =>
    helper.accessor((row): unknown => row.cells[column.id], {
      id: column.id,
      header: column.label,
      enableHiding: column.choice !== undefined,
      enableSorting: column.sort !== undefined,
      meta: column,
    }),
  );
}

/** What the address says of the columns, as TanStack keeps it. */
export function stateOf(columns: readonly TableColumn[]) {
  return {
    columnVisibility: Object.fromEntries(columns.map(({ id, hidden }) => [id, !hidden])),
    sorting: columns.flatMap(({ id, sort }) =>
      sort?.direction === undefined ? [] : [{ id, desc: sort.direction === "desc" }],
    ),
  };
}
