"use client";

import { useState } from "react";
import { formatClock } from "@/presentation/format/display-time";
import { useTick } from "@/components/ui/values/use-tick";
import { setZone, useZone } from "@/components/ui/values/use-zone";
import styles from "./top-bar.module.css";

const TICK_MS = 1000;

/** The database's clock with its zone; a click changes between UTC and local everywhere. */
export function ClockButton({ now }: { readonly now: string }) {
  const zone = useZone();
  const tick = useTick(TICK_MS);
  const [base, setBase] = useState<{ now: string; at: number }>();
  if (tick !== undefined && base?.now !== now) setBase({ now, at: tick });
  const elapsed = tick === undefined || base === undefined ? 0 : tick - base.at;
  const shown = new Date(Date.parse(now) + elapsed).toISOString();
  return (
    <button
      type="button"
      className={styles["item"]}
      data-wide
      title={zone === "utc" ? "Show local time" : "Show UTC"}
      onClick={() => {
        setZone(zone === "utc" ? "local" : "utc");
      }}
    >
      <b>{formatClock(shown, zone)}</b> <i>{zone === "utc" ? "UTC" : "local"}</i>
    </button>
  );
}
