"use client";

import { formatAge, formatClock } from "@/domain/display-time";
import { Button } from "@/components/ui/button";
import { useLive } from "@/components/shell/live-provider";
import { useTick } from "@/components/ui/use-tick";
import { useZone } from "@/components/ui/use-zone";
import styles from "./notice.module.css";

const TICK_MS = 1000;

/** Stands above the page while the server does not answer; nothing while all is well. */
export function LostConnection() {
  const { status, at, heardAt, show } = useLive();
  const tick = useTick(TICK_MS);
  const zone = useZone();
  if (status !== "lost") return null;
  const age = tick === undefined || heardAt === undefined ? undefined : formatAge(tick - heardAt);
  return (
    <div className={styles["lost"]} role="status">
      <b>Not live since {formatClock(at, zone)}.</b>
      <span>{age === undefined ? "What you see may be old." : `What you see is ${age} old.`} Actions are off.</span>
      <Button small onClick={show}>
        Try now
      </Button>
    </div>
  );
}
