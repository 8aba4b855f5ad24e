import type { Queryable } from "@/db/client";
import type { PagePosition, PageRequest } from "@/db/paging";
import type { OperationKinds } from "@/domain/operation-kind";
import type { FieldName } from "@/presentation/list/columns";
import type { ListRecord, LISTS } from "@/presentation/list/lists";
import type { ListPage } from "@/presentation/list/saved-view";

/** @returns whether a file has one of these columns */
export function wants<Field extends string>(
  wanted: ReadonlySet<Field> | undefined,
  ...columns: readonly Field[]
): boolean {
  return wanted === undefined || columns.some((column) => wanted.has(column));
}

/** A row of a list: what the values of a file are read from, and what the next page goes on from. */
export interface SourceRow<Page extends ListPage> {
  readonly record: ListRecord<Page>;
  readonly place: PagePosition;
}

/** A list as an export reads it: in its order, page after page by its keyset. */
export interface ListSource<Page extends ListPage> {
  readonly direction: "asc" | "desc";
  /**
   * @param wanted columns of the file, all of them without it: what only others need is not read
   * @returns `limit + 1` rows where there are more
   */
  read(
    q: Queryable,
    page: PageRequest,
    wanted: ReadonlySet<FieldName<(typeof LISTS)[Page]>> | undefined,
    kinds: OperationKinds,
  ): Promise<readonly SourceRow<Page>[]>;
}
