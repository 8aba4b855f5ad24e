import type { Queryable } from "@/db/client";
import type { PageRequest } from "@/db/paging";
import type { ExportCell } from "@/presentation/list/export-writer";

/** @returns whether a file has one of these columns */
export function wants(wanted: ReadonlySet<string> | undefined, ...columns: readonly string[]): boolean {
  return wanted === undefined || columns.some((column) => wanted.has(column));
}

/** A list as an export reads it: in its order, page after page by its keyset. */
export interface ListSource<Row> {
  /** All that a file may have, in its order. */
  readonly columns: readonly string[];
  readonly direction: "asc" | "desc";
  /**
   * @param wanted columns of the file, all of them without it: what only others need is not read
   * @returns `limit + 1` rows where there are more
   */
  read(q: Queryable, page: PageRequest, wanted?: ReadonlySet<string>): Promise<readonly Row[]>;
  /** What the next page goes on from. */
  place(row: Row): { readonly value: string; readonly id: string };
  /** As many as `columns`, in their order. */
  cells(row: Row): readonly ExportCell[];
}
