import type { Queryable } from "@/db/client";
import type { PageRequest } from "@/db/queries/paging";

/** A value of an export: masked like the list, never a body. Money is decimal text. */
export type ExportCell = string | number | null;

/** A list as an export reads it: in its order, page after page by its keyset. */
export interface ListSource<Row> {
  readonly columns: readonly string[];
  readonly direction: "asc" | "desc";
  /** @returns `limit + 1` rows where there are more. */
  read(q: Queryable, page: PageRequest): Promise<readonly Row[]>;
  /** What the next page goes on from. */
  place(row: Row): { readonly value: string; readonly id: string };
  /** As many as `columns`, in their order. */
  cells(row: Row): readonly ExportCell[];
}
