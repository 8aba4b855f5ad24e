import { formatDay } from "@/presentation/format/display-time";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import type { FilterChip } from "./filter-chips";
import { type Range, RANGES, type TimeWindow } from "@/domain/lists/window";

export const WINDOW_WORDS: Readonly<Record<Range, string>> = {
  "1h": "last hour",
  "6h": "last 6 h",
  "24h": "last 24 h",
  "7d": "last 7 d",
  "30d": "last 30 d",
  all: "all that is kept",
};

/** A choice of times for the form of a list. */
export function rangeOptions(ranges: readonly Range[] = RANGES): readonly { value: string; label: string }[] {
  return ranges.map((value) => ({ value, label: WINDOW_WORDS[value] }));
}

/** The time of a list as one chip; a time of its own is dropped as a whole, back to the standard range. @param now RFC 3339 */
export function windowChip(window: TimeWindow, address: PageAddress, now: string): FilterChip {
  const { range, from, to } = window;
  const own = from !== undefined || to !== undefined;
  const dropped = own ? { from: undefined, to: undefined } : { range: undefined };
  return {
    name: "time",
    value: windowWords(window, now) ?? WINDOW_WORDS[range],
    dropHref: own || address.search["range"] !== undefined ? filterHref(address, dropped) : undefined,
  };
}

/** @returns "22 Nov, 14:02 to 14:03 UTC"; undefined where the window is a range that ends now */
export function windowWords({ range, from, to }: TimeWindow, now: string): string | undefined {
  if (from === undefined) return to === undefined ? undefined : `${WINDOW_WORDS[range]}, before ${moment(to, now)} UTC`;
  if (to === undefined) return `from ${moment(from, now)} UTC`;
  const [begin, end] = [moment(from, now), moment(to, now)];
  const day = `${begin.split(", ")[0] ?? ""}, `;
  return `${begin} to ${end.startsWith(day) ? end.slice(day.length) : end} UTC`;
}

function moment(iso: string, now: string): string {
  return formatDay(iso, "utc", now);
}
