import { hrefWith } from "@/domain/page-address";
import type { MeasureList } from "@/domain/views/metrics";
import { bucketMs } from "./axis";

/** The list behind some buckets: with their time where the list knows one. @param more further filters of the list */
export function listHref(
  list: MeasureList,
  times: readonly string[],
  first: number,
  last: number,
  more: Readonly<Record<string, string>> = {},
): string {
  const window = list.windowed
    ? {
        from: whole(times[first]),
        to: whole(new Date(Date.parse(times[last] ?? "") + bucketMs(times)).toISOString()),
      }
    : {};
  return hrefWith({ path: list.path, search: { ...list.search, ...more } }, window);
}

/** Buckets begin at whole minutes: no need for milliseconds in an address. */
export function whole(iso: string | undefined): string | undefined {
  return iso?.replace(/\.\d+Z$/, "Z");
}
