"use client";

import { formatDay, zoneWord } from "@/presentation/format/display-time";
import { useZone } from "./use-zone";

export interface TimeSpanProps {
  /** RFC 3339; one of the two at least. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Database time of the rendering, RFC 3339. */
  readonly now: string;
}

/** "22 Nov, 14:02 to 14:03 UTC", "from 22 Nov, 14:02 UTC", "before 22 Nov, 14:03 UTC", in the person's zone, which it names. */
export function TimeSpan({ from, to, now }: TimeSpanProps) {
  const zone = useZone();
  const moment = (iso: string): string => formatDay(iso, zone, now);
  const word = zoneWord(zone);
  if (from === undefined) return to === undefined ? null : `before ${moment(to)} ${word}`;
  if (to === undefined) return `from ${moment(from)} ${word}`;
  const [begin, end] = [moment(from), moment(to)];
  const day = `${begin.split(", ")[0] ?? ""}, `;
  return `${begin} to ${end.startsWith(day) ? end.slice(day.length) : end} ${word}`;
}

/** "22 Nov, 14:02 UTC". */
export function ZonedTime({ at, now }: { readonly at: string; readonly now: string }) {
  const zone = useZone();
  return `${formatDay(at, zone, now)} ${zoneWord(zone)}`;
}
