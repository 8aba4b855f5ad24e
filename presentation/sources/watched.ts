import { sourceViewPage } from "../list/source-view-page";
import type { SourceListView } from "../views/sources";

/** Rows above those on the screen are asked for on the first page of all states: elsewhere there always are some. */
export function isWatched({ page, state }: SourceListView): boolean {
  return page.kind === "rows" && page.previous === undefined && state === undefined;
}

/** @returns what the live updates of a list of an attached database are asked for; undefined where it is not watched */
export function watchedPage(list: SourceListView): string | undefined {
  if (!isWatched(list) || list.page.kind !== "rows") return undefined;
  const page = sourceViewPage(list.source.name, list.view);
  const [first] = list.page.rows;
  return first === undefined ? page : `${page}?above=${first.place}`;
}
