import {
  AUDIT_FILTERS,
  CONFLICT_FILTERS,
  DEAD_LETTER_FILTERS,
  type FilterSet,
  INBOX_FILTERS,
  METRIC_FILTERS,
  OPERATION_FILTERS,
  OUTBOX_FILTERS,
  PLAN_FILTERS,
} from "@/domain/lists/filters";
import { parserOf, searchWriter, type FilterProblem, type SearchInput } from "../filters/search";
import { filterSearch, pageParam } from "./page-address";
import { sourceOfPage, sourcePageFacts, type SourceViewPage } from "./source-view-page";

/** Longest name of a view, and most views of one list of a tenant. */
export const VIEW_NAME_MAX = 60;
export const VIEWS_MAX = 50;
const COLUMNS = /^[a-z-]{1,30}(,[a-z-]{1,30}){0,29}$/;

interface ViewPageFacts {
  readonly path: string;
  readonly title: string;
  readonly filters: FilterSet;
}

/** Lists, and the charts, whose filters, order and columns may be kept under a name. */
const PAGES = {
  operations: { path: "/operations", title: "Operations", filters: OPERATION_FILTERS },
  conflicts: { path: "/conflicts", title: "Conflicts", filters: CONFLICT_FILTERS },
  attention: { path: "/attention", title: "Unknown and stale", filters: {} },
  outbox: { path: "/outbox", title: "Outbox", filters: OUTBOX_FILTERS },
  inbox: { path: "/inbox", title: "Inbox", filters: INBOX_FILTERS },
  "dead-letters": { path: "/dead-letters", title: "Dead letters", filters: DEAD_LETTER_FILTERS },
  plans: { path: "/plans", title: "Plans", filters: PLAN_FILTERS },
  audit: { path: "/audit", title: "Audit", filters: AUDIT_FILTERS },
  metrics: { path: "/metrics", title: "Metrics", filters: METRIC_FILTERS },
} as const satisfies Record<string, ViewPageFacts>;

/** Pages of our own. */
export type OwnViewPage = keyof typeof PAGES;
/** A page whose views may be saved: one of ours, or a list of an attached database. */
export type ViewPage = OwnViewPage | SourceViewPage;
export const VIEW_PAGES = Object.keys(PAGES) as readonly OwnViewPage[];
/** Those of ours that have rows, which may be taken along as a file. */
export type ListPage = Exclude<OwnViewPage, "metrics">;
export const ROW_PAGES = VIEW_PAGES.filter(isListPage);

export function isListPage(page: ViewPage): page is ListPage {
  return isOwn(page) && page !== "metrics";
}

function isOwn(page: string): page is OwnViewPage {
  return Object.hasOwn(PAGES, page);
}

export function isViewPage(name: string): name is ViewPage {
  return isOwn(name) || sourceOfPage(name) !== undefined;
}

export function viewPage(page: ViewPage): ViewPageFacts {
  const facts = isOwn(page) ? PAGES[page] : sourcePageFacts(page);
  if (facts === undefined) throw new Error(`${page} is no page`);
  return facts;
}

/**
 * The part of an address that a view keeps: filters and order in their one form, and columns. Place in the list, open row and
 * dialog are left out. Total: what the list does not understand is named in `problems` and left out.
 *
 * @returns `search` as "" or "?a=b"
 */
export function keptSearch(
  page: ViewPage,
  search: SearchInput,
): { readonly search: string; readonly problems: readonly FilterProblem[] } {
  const { path, filters: set } = viewPage(page);
  const address = { path, search };
  const { filters, problems } = parserOf(set)({ ...filterSearch(address), cursor: undefined });
  // Which conflict is open is no part of a view.
  const found = { search: searchWriter(set)({ ...filters, conflict: undefined }), problems };
  const columns = pageParam(address, "columns");
  if (columns === undefined || !COLUMNS.test(columns)) return found;
  const query = new URLSearchParams(found.search);
  query.set("columns", columns);
  return { ...found, search: `?${query.toString()}` };
}

/** @returns every parameter of a query string, repeated ones as lists, as the parsers take them */
export function searchInput(text: string): SearchInput {
  const query = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** @returns where a saved view leads: its list with everything that it keeps, and which view that is */
export function viewHref(view: { readonly page: ViewPage; readonly id: string; readonly search: string }): string {
  const query = new URLSearchParams(view.search);
  query.set("view", view.id);
  return `${viewPage(view.page).path}?${query.toString()}`;
}

/** Views that need no saving, by list: `href` as the list writes it itself. */
export const SYSTEM_VIEWS: Readonly<
  Partial<Record<OwnViewPage, readonly { readonly name: string; readonly href: string }[]>>
> = {
  operations: [
    { name: "All", href: "/operations" },
    { name: "Unknown", href: "/operations?state=UNKNOWN_REQUIRES_RECOVERY" },
    { name: "Stale", href: "/operations?state=STALE" },
    { name: "Conflicted today", href: "/conflicts" },
    { name: "Largest today", href: "/operations?sort=amount" },
  ],
  conflicts: [
    { name: "Conflicted today", href: "/conflicts" },
    { name: "Conflicted this week", href: "/conflicts?range=7d" },
  ],
  outbox: [
    { name: "Open", href: "/outbox" },
    { name: "Waiting for over 10 minutes", href: "/outbox?state=pending&older=10m" },
    { name: "Published in the last hour", href: "/outbox?state=published&range=1h" },
  ],
  inbox: [
    { name: "All", href: "/inbox" },
    { name: "Waiting for over 10 minutes", href: "/inbox?state=recorded&older=10m" },
    { name: "Payload changed", href: "/inbox?mismatches=true&range=7d" },
  ],
  "dead-letters": [
    { name: "Open", href: "/dead-letters" },
    { name: "Most of one cause first", href: "/dead-letters?sort=count" },
    { name: "Include settled", href: "/dead-letters?settled=true" },
  ],
  plans: [
    { name: "All", href: "/plans" },
    { name: "Waiting for approval", href: "/plans?state=awaiting_approval" },
  ],
  audit: [
    { name: "Last 30 days", href: "/audit" },
    { name: "Decided by hand", href: "/audit?action=operations.resolve" },
    { name: "Bodies that were shown", href: "/audit?action=bodies.reveal" },
    { name: "Roles that were changed", href: "/audit?subjectType=operator" },
  ],
  metrics: [
    { name: "All that was measured of the last 6 hours", href: "/metrics" },
    { name: "Last 24 hours by client", href: "/metrics?range=24h&group=client" },
    { name: "Last 7 days by operation", href: "/metrics?range=7d&group=operation" },
  ],
};

/** Views of a page that need no saving; a list of an attached database has the one of all its rows. */
export function systemViews(page: ViewPage): readonly { readonly name: string; readonly href: string }[] {
  return isOwn(page) ? (SYSTEM_VIEWS[page] ?? []) : [{ name: "All", href: viewPage(page).path }];
}
