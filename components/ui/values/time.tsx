"use client";

import { useState } from "react";
import { formatAge, formatClock, formatDay, formatDuration, formatExactTime } from "@/presentation/format/display-time";
import { useTick } from "./use-tick";
import { useZone } from "./use-zone";

interface TimeProps {
  /** RFC 3339. */
  readonly at: string;
  /** Database time of the rendering, RFC 3339; ages count on from here. */
  readonly now: string;
  /**
   * `age` "41 min" · `ago` "41 min ago" · `fine` "2 min 10 s" · `clock` "14:02:09" · `millis` "14:02:09.114"
   * · `day` "20 Nov, 14:02" · `exact` "19 Nov 2026, 14:02:09.114 UTC". Default `age`.
   */
  readonly form?: "age" | "ago" | "fine" | "clock" | "millis" | "day" | "exact" | undefined;
}

const AGE_TICK_MS = 5000;

/** A time, relative or exact; the exact one with its zone shows on hover, in lists also on the focus of the row. The server writes UTC. */
export function Time({ at, now, form = "age" }: TimeProps) {
  const zone = useZone();
  const age = Date.parse(now) + useElapsed(now) - Date.parse(at);
  const text = {
    age: () => formatAge(age),
    ago: () => (age < 0 ? `in ${formatAge(-age)}` : `${formatAge(age)} ago`),
    fine: () => formatDuration(age),
    clock: () => formatClock(at, zone),
    millis: () => formatClock(at, zone, true),
    day: () => formatDay(at, zone, now),
    exact: () => formatExactTime(at, zone),
  }[form]();
  const exact = formatExactTime(at, zone);
  return (
    <time dateTime={at} title={exact} data-exact={form === "exact" ? undefined : exact}>
      {text}
    </time>
  );
}

/** Milliseconds since this rendering of the server reached the browser; 0 until alive. */
function useElapsed(now: string): number {
  const tick = useTick(AGE_TICK_MS);
  const [base, setBase] = useState<{ now: string; at: number }>();
  if (tick !== undefined && base?.now !== now) setBase({ now, at: tick });
  return tick === undefined || base?.now !== now ? 0 : Math.max(0, tick - base.at);
}
