"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { Scheme } from "@/components/theme/scheme";
import { setScheme, useScheme } from "@/components/theme/use-scheme";
import { formatAge, formatClock, zoneWord } from "@/presentation/format/display-time";
import { Popup } from "@/components/ui/popup";
import { useTick } from "@/components/ui/values/use-tick";
import { usePersonZone, useZone } from "@/components/ui/values/use-zone";
import { useLive } from "./live-provider";
import styles from "./top-bar.module.css";

const TICK_MS = 1000;
/** Not needed before somebody opens it. */
const ZoneChoice = dynamic(async () => (await import("./zone-choice")).ZoneChoice, { ssr: false });

/** "Live 2 s ago", "Live 2 s ago, replica 1 s behind" or "Paused 14:43:20, 7 new"; a click pauses and goes on. */
export function LiveButton() {
  const { status, at, heardAt, newer, reads, toggle } = useLive();
  const tick = useTick(TICK_MS);
  const zone = useZone();
  const age = heardAt === undefined || tick === undefined ? undefined : formatAge(tick - heardAt);
  const since = formatClock(at, zone);
  const words = {
    live: { state: "Live", note: liveNote(age, reads?.lag), action: "Pause" },
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

function liveNote(age: string | undefined, lag: string | undefined): string {
  return [age === undefined ? undefined : `${age} ago`, lag].filter((part) => part !== undefined).join(", ");
}

/** The database's clock with its zone; it opens the choice of the zone of every time on the page. */
export function ClockButton({ now }: { readonly now: string }) {
  const { choice, zone } = usePersonZone();
  const tick = useTick(TICK_MS);
  const [base, setBase] = useState<{ now: string; at: number }>();
  if (tick !== undefined && base?.now !== now) setBase({ now, at: tick });
  const elapsed = tick === undefined || base === undefined ? 0 : tick - base.at;
  const shown = new Date(Date.parse(now) + elapsed).toISOString();
  const words = (
    <>
      <b>{formatClock(shown, zone)}</b> <i>{zoneWord(choice === "local" && zone !== "utc" ? choice : zone)}</i>
    </>
  );
  return (
    <Popup wide label="Times in" className={styles["item"]} button={words}>
      <ZoneChoice />
    </Popup>
  );
}

const NEXT: Readonly<Record<Scheme, Scheme>> = { light: "dark", dark: "system", system: "light" };

const WORD: Readonly<Record<Scheme, string>> = { light: "Light", dark: "Dark", system: "System" };

export function ThemeButton() {
  const scheme = useScheme();
  return (
    <button
      type="button"
      className={styles["item"]}
      data-wide
      onClick={() => {
        setScheme(NEXT[scheme]);
      }}
    >
      <i>Theme</i> <b className={styles["themeWord"]}>{WORD[scheme]}</b>
    </button>
  );
}
