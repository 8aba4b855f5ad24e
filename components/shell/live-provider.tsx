"use client";

import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useReadAgain } from "@/components/ui/place";
import type { NavCounts, LiveStatus, SourceNews } from "@/presentation/metrics/live-status";
import type { DownView } from "@/presentation/metrics/down";
import type { PageReadsView } from "@/presentation/metrics/page-reads";
import { useLiveStatus, type LiveState, type Silent } from "./use-live-status";

export interface LivePage {
  /** Name of the page and its filters as a query string, e.g. `operations?state=COMPLETED`. */
  readonly page: string;
  /** Database time at which the rows on the screen were read, RFC 3339. */
  readonly since: string;
  /** `always`: the whole page is read again when something changed (overview). `ask`: rows wait behind a line. */
  readonly refresh: "always" | "ask";
  /** Counts of the navigation that the page says itself, as it read them. */
  readonly counts?: NavCounts | undefined;
}

export interface Live {
  /** `ended`: nobody is signed in here any more. */
  readonly status: "live" | "paused" | "lost" | "ended";
  /** Database time of the last answer, RFC 3339. */
  readonly at: string;
  /** Milliseconds of this browser's clock at which that answer arrived. */
  readonly heardAt: number | undefined;
  readonly counts: NavCounts;
  /** What the page on the screen says of them, where that is older: the page stands still, they do not. */
  readonly onPage: NavCounts;
  /** Whose rows are on the screen; every call names it, so that another tab's choice changes nothing here. */
  readonly tenant: string;
  /** Rows that arrived after the ones on the screen, whatever its filters. */
  readonly newer: number;
  /** The list on the screen has filters, which those newer rows may not match. */
  readonly filtered: boolean;
  /** Of the list of an attached database on the screen: what its database was last heard to say. */
  readonly source: SourceNews | undefined;
  /** Why nothing can be done now, whatever the person may do. */
  readonly whyOff: string | undefined;
  /** What does not answer while nothing is heard, where that is known. */
  readonly silent: Silent | undefined;
  /** What does not run, as of the last answer. */
  readonly down: DownView;
  /** In a deployment with a read replica: where the last answer was read. */
  readonly reads?: PageReadsView | undefined;
  /** While nothing is heard: milliseconds of this browser's clock at which it asks again. */
  readonly nextTryAt: number | undefined;
  readonly retry: () => void;
  readonly toggle: () => void;
  /** Reads the page again: after an action, and when newer rows are to be shown. */
  readonly show: () => void;
  readonly follow: (page: LivePage | undefined) => void;
}

export const LiveContext = createContext<Live | undefined>(undefined);

export interface LiveProviderProps {
  /** Counts and database time of the first rendering. */
  readonly initial: Pick<LiveStatus, "at" | "counts" | "down" | "reads">;
  readonly tenant: string;
  readonly children: ReactNode;
}

/**
 * Keeps counts live by one small poll and refreshes what may move. Rows never move under the pointer: lists learn how
 * many newer rows there are and show them when asked.
 */
export function LiveProvider({ initial, tenant, children }: LiveProviderProps) {
  const readAgain = useReadAgain();
  const [page, setPage] = useState<LivePage>();
  const [paused, setPaused] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const heard = useLiveStatus({
    tenant,
    page: page?.page ?? "",
    since: page?.since ?? initial.at,
    paused,
    attempt,
  });
  const { status, about, lost } = heard;
  const read = useRef<{ page: string; mark: string }>(undefined);

  useEffect(() => {
    if (status === undefined || page === undefined || about !== page.page) return;
    // The first live status of a page counts as a change: nobody knows what happened between its reading and that live status.
    const changed = read.current?.page !== about || read.current.mark !== status.mark;
    read.current = { page: about, mark: status.mark };
    if (changed && page.refresh === "always") readAgain();
  }, [status, about, page, readAgain]);

  useReadWhenBack(lost, page?.refresh, readAgain);

  const live = useMemo<Live>(() => {
    const state = paused ? "paused" : heard.ended ? "ended" : heard.lost ? "lost" : "live";
    const at = lastHeard(initial.at, heard);
    return {
      status: state,
      whyOff: OFF[state],
      silent: heard.silent,
      down: heard.status?.down ?? initial.down,
      reads: heard.status === undefined ? initial.reads : heard.status.reads,
      nextTryAt: heard.nextTryAt,
      retry: () => {
        setAttempt((before) => before + 1);
      },
      at,
      heardAt: heard.heardAt,
      ...countsBeside({ ...initial.counts, ...heard.status?.counts }, at, page),
      // Once they are shown, the count of those before is over.
      newer:
        page === undefined || heard.since !== page.since || heard.about !== page.page ? 0 : (heard.status?.newer ?? 0),
      source: page !== undefined && heard.about === page.page ? heard.status?.source : undefined,
      filtered: page?.page.includes("?") === true,
      tenant,
      toggle: () => {
        setPaused((was) => !was);
      },
      show: readAgain,
      follow: setPage,
    };
  }, [paused, heard, initial, tenant, page, readAgain]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Rows of a list wait until they are asked for; everything else is read again when the server is back. */
function useReadWhenBack(lost: boolean, refresh: LivePage["refresh"] | undefined, readAgain: () => void): void {
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !lost && refresh !== "ask") readAgain();
    wasLost.current = lost;
  }, [lost, refresh, readAgain]);
}

const OFF: Readonly<Partial<Record<Live["status"], string>>> = {
  lost: "Live updates do not come, so actions are off.",
  ended: "You are signed out: sign in again to act.",
};

/**
 * What stands beside the places. A page that was read after the last poll knows better than that poll; one that was read before it keeps
 * what it said, beside what is now.
 * @param at database time of the last poll
 */
export function countsBeside(
  live: NavCounts,
  at: string,
  page: Pick<LivePage, "counts" | "since" | "refresh"> | undefined,
): Pick<Live, "counts" | "onPage"> {
  if (page?.counts === undefined) return { counts: live, onPage: {} };
  if (Date.parse(page.since) >= Date.parse(at)) return { counts: { ...live, ...page.counts }, onPage: {} };
  return { counts: live, onPage: page.refresh === "ask" ? page.counts : {} };
}

/** Database time of the last answer: one that said "nothing changed" has no time of its own, but came so much later. */
function lastHeard(first: string, { status, statusAt, heardAt }: LiveState): string {
  const at = status?.at ?? first;
  if (statusAt === undefined || heardAt === undefined) return at;
  return new Date(Date.parse(at) + heardAt - statusAt).toISOString();
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("useLive needs a LiveProvider above it");
  return live;
}

/** Placed once on a page: says to the poll what is on the screen. Draws only what is inside it. */
export function FollowPage({ page, since, refresh, counts, children }: LivePage & { readonly children?: ReactNode }) {
  const { follow } = useLive();
  useEffect(() => {
    follow({ page, since, refresh, counts });
    return () => {
      follow(undefined);
    };
  }, [follow, page, since, refresh, counts]);
  return children;
}
