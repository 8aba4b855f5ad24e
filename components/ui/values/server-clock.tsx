"use client";

import { formatClock } from "@/presentation/format/display-time";
import { useZone } from "./use-zone";

interface ServerClockProps {
  /** As the server wrote it, in UTC: "14:02", "14:02:09", "02:09.114" or "14:02:09.114". */
  readonly text: string;
  /** The moment, epoch milliseconds; without it the text is marked as UTC in any other zone. */
  readonly at?: number | undefined;
}

/** A clock that the server put into a drawing, in the zone that the person reads times in. What is no clock stays. */
export function ServerClock({ text, at }: ServerClockProps) {
  const zone = useZone();
  if (zone === "utc" || !/^\d\d:\d\d/.test(text)) return text;
  if (at === undefined) return `${text} UTC`;
  const clock = formatClock(new Date(at).toISOString(), zone, true);
  return /^\d\d:\d\d\.\d{3}$/.test(text) ? clock.slice(3) : clock.slice(0, text.length);
}
