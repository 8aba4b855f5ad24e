import { ATTACHMENT_NAME } from "@/domain/attachments/name";
import { choice, type FilterSet } from "@/domain/lists/filters";
import { SOURCE_PAGES, SOURCE_STATES, sourceHref } from "../sources/source-words";
import { SOURCE_VIEWS, type SourceViewName } from "../views/sources";

/** A list of an attached database, as its saved views name it: `sources/orders-db/outbox`. */
export type SourceViewPage = `sources/${string}/${string}`;

/** Parts of the addresses of lists of attached databases. */
export const SOURCE_PATHS = SOURCE_VIEWS.map((view) => SOURCE_PAGES[view].path);

export const sourceViewPage = (name: string, view: SourceViewName): SourceViewPage =>
  `sources/${name}/${SOURCE_PAGES[view].path}`;

/** @returns whose list it is, and which; undefined: of no attached database */
export function sourceOfPage(page: string): { readonly name: string; readonly view: SourceViewName } | undefined {
  const [first, name = "", path, more] = page.split("/");
  const view = SOURCE_VIEWS.find((each) => SOURCE_PAGES[each].path === path);
  if (first !== "sources" || view === undefined || more !== undefined || !ATTACHMENT_NAME.test(name)) return undefined;
  return { name, view };
}

/** Where a list of an attached database is, and what a saved view of it keeps. */
export function sourcePageFacts(
  page: SourceViewPage,
): { readonly path: string; readonly title: string; readonly filters: FilterSet } | undefined {
  const of = sourceOfPage(page);
  if (of === undefined) return undefined;
  const { path, label } = SOURCE_PAGES[of.view];
  return {
    path: sourceHref(of.name, path),
    title: `${label} of ${of.name}`,
    filters: { state: choice(SOURCE_STATES[of.view]) },
  };
}
