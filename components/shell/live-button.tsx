"use client";

import { formatAge, formatClock } from "@/presentation/format/display-time";
import { useTick } from "@/components/ui/values/use-tick";
import { useZone } from "@/components/ui/values/use-zone";
import { useLive } from "./live-provider";
import styles from "./top-bar.module.css";

const TICK_MS = 1000;

/** "Live 2 s ago" or "Paused 14:43:20, 7 new"; a click pauses and goes on. */
export function LiveButton() {
  const { status, at, heardAt, newer, toggle } = useLive();
  const tick = useTick(TICK_MS);
  const zone = useZone();
  const age = heardAt === undefined || tick === undefined ? undefined : formatAge(tick - heardAt);
  const since = formatClock(at, zone);
  const words = {
    live: { state: "Live", note: age === undefined ? "" : `${age} ago`, action: "Pause" },
    paused: { state: "Paused", note: newer > 0 ? `${since}, ${String(newer)} new` : since, action: "Go on" },
    lost: { state: "Not live", note: `since ${since}`, action: "Pause" },
    ended: { state: "Signed out", note: "", action: "Pause" },
  }[status];
  return (
    <button type="button" className={styles["item"]} onClick={toggle} title={words.action} data-status={status}>
      <span className={styles["dot"]} data-status={status} />
      <b>{words.state}</b>
      <i className={styles["liveNote"]}>{words.note}</i>
    </button>
  );
}
