"use client";

import { useState } from "react";
import { formatAge, formatClock, formatDay, formatDuration, formatExactTime } from "@/presentation/format/display-time";
import { useTick } from "./use-tick";
import { useZone } from "./use-zone";
import styles from "./time.module.css";

export interface TimeProps {
  /** RFC 3339. */
  readonly at: string;
  /** Database time of the rendering, RFC 3339; ages count on from here. */
  readonly now: string;
  /**
   * `age` "41 min" · `ago` "41 min ago" · `fine` "2 min 10 s" · `clock` "14:02:09" · `millis` "14:02:09.114"
   * · `day` "20 Nov, 14:02" · `exact` "19 Nov 2026, 14:02:09.114 UTC". Default `age`.
   */
  readonly form?: "age" | "ago" | "fine" | "clock" | "millis" | "day" | "exact" | undefined;
  /** May be reached with Tab, so that the exact time can be read by keyboard. Lists leave it out and rely on their row. */
  readonly focusable?: boolean | undefined;
}

const AGE_TICK_MS = 5000;

/** A time, relative or exact; the exact one with its zone shows on hover and on focus, in lists on the focus of the row. The server writes UTC. */
export function Time({ at, now, form = "age", focusable }: TimeProps) {
  const zone = useZone();
  const relative = form === "age" || form === "ago" || form === "fine";
  const elapsed = useElapsed(now);
  const age = Date.parse(now) + elapsed - Date.parse(at);
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
    <time
      className={styles["time"]}
      dateTime={at}
      title={exact}
      data-exact={form === "exact" ? undefined : exact}
      tabIndex={(focusable ?? false) && relative ? 0 : undefined}
    >
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
