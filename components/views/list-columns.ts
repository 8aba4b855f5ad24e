import type { TableColumn } from "@/components/table/types";
import { choiceOf, type ListColumnId } from "@/presentation/list/list-columns";
import type { ViewPage } from "@/presentation/list/saved-view";

/** The look of a list's columns, with what may be hidden from the one allow-list (presentation/list/list-columns.ts). */
export function listColumns<Page extends ViewPage>(
  page: Page,
  faces: readonly (Omit<TableColumn, "choice"> & { readonly id: ListColumnId<Page> })[],
): readonly TableColumn[] {
  return faces.map((face) => ({ ...face, choice: choiceOf(page, face.id) }));
}
