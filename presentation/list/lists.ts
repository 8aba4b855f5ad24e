import type { ExportedList } from "./columns";
import { DEAD_LETTERS, INBOX, OUTBOX } from "./message-lists";
import { ATTENTION, CONFLICTS, OPERATIONS } from "./operation-lists";
import { AUDIT, PLANS } from "./record-lists";
import type { ListPage } from "./saved-view";

/**
 * Every list of the console. The name of a column is its cell, its place in `columns=`, in saved views and in exports; the name of a
 * field is a column of a file and never changes.
 */
export const LISTS = {
  operations: OPERATIONS,
  attention: ATTENTION,
  conflicts: CONFLICTS,
  outbox: OUTBOX,
  inbox: INBOX,
  "dead-letters": DEAD_LETTERS,
  plans: PLANS,
  audit: AUDIT,
} satisfies Readonly<Record<ListPage, ExportedList>>;

export type ListRecord<Page extends ListPage> = NonNullable<(typeof LISTS)[Page]["record"]>;
