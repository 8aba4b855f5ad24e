import type { Action } from "@/domain/permission";
import type { ViewPage } from "@/domain/saved-view";

/** Whoever may read a list may read its views, and take it along as a file. */
export const VIEW_READ: Readonly<Record<ViewPage, Action>> = {
  operations: "operations.read",
  conflicts: "conflicts.read",
  attention: "operations.read",
  outbox: "outbox.read",
  inbox: "inbox.read",
  "dead-letters": "dead_letters.read",
  plans: "plans.read",
  audit: "audit.read",
};
