import { TimeSpan } from "../values/time-span";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import type { FilterChip } from "../filter-chips";
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
  const own = hasOwnTime(window);
  const dropped = own ? { from: undefined, to: undefined } : { range: undefined };
  return {
    name: "time",
    value: own ? `${from ?? range} ${to ?? ""}` : WINDOW_WORDS[range],
    shown: own ? <WindowWords window={window} now={now} /> : undefined,
    dropHref: own || address.search["range"] !== undefined ? filterHref(address, dropped) : undefined,
  };
}

/** @returns whether it does not end now, or does not begin a range ago */
export function hasOwnTime({ from, to }: TimeWindow): boolean {
  return from !== undefined || to !== undefined;
}

/** "22 Nov, 14:02 to 14:03 UTC" or "last 24 h, before 22 Nov, 14:03 UTC"; nothing where the window is a range that ends now. */
export function WindowWords({ window, now }: { readonly window: TimeWindow; readonly now: string }) {
  const { range, from, to } = window;
  return (
    <>
      {from === undefined && to !== undefined && `${WINDOW_WORDS[range]}, `}
      <TimeSpan from={from} to={to} now={now} />
    </>
  );
}
