import type { ViewPage } from "@/presentation/list/saved-view";

/** A list with its filters, order and columns under a name, shared by all who see the tenant. */
export interface SavedView {
  readonly id: string;
  readonly page: ViewPage;
  readonly name: string;
  /** "" or "?a=b", in the list's one form. */
  readonly search: string;
  /** The list with its filters, order and columns. */
  readonly href: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  /** Whether this person may rename, overwrite or delete it: their own, and an admin all. */
  readonly mayChange: boolean;
}

export interface SavedViews {
  readonly rows: readonly SavedView[];
}
