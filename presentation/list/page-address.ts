import type { SearchInput } from "../filters/search";

/** Where a page of the console is: every filter, sort, open row and dialog is in here (the URL is the state of a screen). */
export interface PageAddress {
  readonly path: string;
  readonly search: SearchInput;
}

/** Parameters of a page that are not filters of its list. */
const PAGE_PARAMS = ["open", "row", "dialog", "verify", "table", "columns", "view"] as const;
export type PageParam = (typeof PAGE_PARAMS)[number];
/** A new filter starts at the first page of the list, with nothing open. */
const DROPPED_BY_FILTER = ["cursor", "dialog", "open", "row"];

/** @returns one value of a parameter that is no filter; a repeated one counts as its first value. */
export function pageParam(address: PageAddress, name: PageParam): string | undefined {
  const value = address.search[name];
  const first = typeof value === "string" ? value : value?.[0];
  return first === undefined || first === "" ? undefined : first;
}

/** @returns whether the address is of a page behind the first one of its list: what it lacks may stand before it. */
export function isLaterPage({ search: { cursor } }: PageAddress): boolean {
  return cursor !== undefined && cursor !== "";
}

/** @returns the search as the filter parsers want it: without what only this page understands. */
export function filterSearch(address: PageAddress): SearchInput {
  return Object.fromEntries(
    Object.entries(address.search).filter(([name]) => !(PAGE_PARAMS as readonly string[]).includes(name)),
  );
}

/** @returns the same page with these parameters set, or dropped where undefined; everything else stays. */
export function hrefWith(address: PageAddress, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(address.search)) {
    if (value === undefined || name in changes) continue;
    for (const item of typeof value === "string" ? [value] : value) query.append(name, item);
  }
  for (const [name, value] of Object.entries(changes)) if (value !== undefined) query.append(name, value);
  const text = query.toString();
  return text === "" ? address.path : `${address.path}?${text}`;
}

/** @returns the same list under another filter: from its first page, with nothing open. */
export function filterHref(address: PageAddress, changes: Readonly<Record<string, string | undefined>>): string {
  return hrefWith(address, { ...Object.fromEntries(DROPPED_BY_FILTER.map((name) => [name, undefined])), ...changes });
}
