"use client";

import { formatAge, formatClock } from "@/presentation/format/display-time";
import { usePlace } from "@/components/ui/place";
import { Button, ButtonLink } from "@/components/ui/button";
import { useLive, type Live } from "@/components/shell/live-provider";
import type { Silent } from "@/components/shell/use-live-status";
import { useTick } from "@/components/ui/values/use-tick";
import { useZone } from "@/components/ui/values/use-zone";
import styles from "./notice.module.css";

const TICK_MS = 1000;
const SILENT: Readonly<Record<Silent, string>> = {
  server: "The server does not answer.",
  database: "The database does not answer.",
};

/** Stands above the page while the server does not answer, or knows nobody here any more; nothing while all is well. */
export function LostConnection() {
  const live = useLive();
  if (live.status === "ended") return <SignedOut />;
  return live.status === "lost" ? <Lost live={live} /> : null;
}

function Lost({ live }: { readonly live: Live }) {
  const { at, heardAt, nextTryAt, silent, retry } = live;
  const tick = useTick(TICK_MS);
  const zone = useZone();
  const age = tick === undefined || heardAt === undefined ? undefined : formatAge(tick - heardAt);
  const wait = tick === undefined || nextTryAt === undefined ? 0 : nextTryAt - tick;
  return (
    <div className={styles["lost"]} role="status">
      <b>Not live since {formatClock(at, zone)}.</b>
      {/* Said once: whoever listens is not told every second. */}
      <span aria-live="off">
        {silent === undefined ? "" : `${SILENT[silent]} `}
        {age === undefined ? "What you see may be old." : `What you see is ${age} old.`} Actions are off until the
        connection is back; {wait >= TICK_MS ? `next try in ${formatAge(wait)}.` : "trying now."}
      </span>
      <Button small onClick={retry}>
        Try now
      </Button>
    </div>
  );
}

function SignedOut() {
  const here = usePlace().hrefOf({});
  return (
    <div className={styles["lost"]} role="status">
      <b>You are signed out.</b>
      <span>
        Your session ended; what you see is not renewed and actions are off. What you wrote here stays if you sign in in
        another tab.
      </span>
      <ButtonLink small href={`/sign-in?next=${encodeURIComponent(here)}`}>
        Sign in
      </ButtonLink>
    </div>
  );
}
