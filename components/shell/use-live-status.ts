"use client";

import { askOwn } from "@/components/ui/base-path";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { LiveStatus } from "@/presentation/metrics/live-status";

const SHORTEST_MS = 2000;
const JITTER_MS = 3000;
const LONGEST_BACKOFF_MS = 30_000;
const TIMEOUT_MS = 10_000;
/** Nobody touched the page for so long: it asks less often until somebody does. */
const IDLE = [
  { afterMs: 600_000, everyMs: 30_000 },
  { afterMs: 120_000, everyMs: 10_000 },
] as const;
const ACTIVITY = ["pointermove", "pointerdown", "keydown", "wheel"] as const;
/** This many failures in a row, and the page says that it is not live. */
const LOST_AFTER = 2;
const SIGNED_OUT = 401;
const FINE = { lost: false, ended: false, silent: undefined, nextTryAt: undefined } as const;
const NO_DATABASE = "dependency.unavailable";

export type Silent = "server" | "database";

export interface LiveState {
  readonly status?: LiveStatus | undefined;
  /** The page that the live status is about: a new page waits for its own. */
  readonly about?: string | undefined;
  /** Which rows are on the screen that its `newer` is counted from. */
  readonly since?: string | undefined;
  /** When `status` itself came; what came later said that nothing changed. */
  readonly statusAt?: number | undefined;
  readonly lost: boolean;
  /** What does not answer, where that is known. */
  readonly silent?: Silent | undefined;
  /** The server said that nobody is signed in here any more. */
  readonly ended: boolean;
  readonly heardAt?: number | undefined;
  /** While nothing is heard: when it asks again. */
  readonly nextTryAt: number | undefined;
}

interface LiveQuery {
  readonly tenant: string;
  readonly page: string;
  readonly since: string;
  readonly paused: boolean;
  /** Another number asks at once. */
  readonly attempt: number;
}

function liveStatusUrl(tenant: string, page: string, since: string): string {
  const [name = "", filters = ""] = page.split("?", 2);
  const query = new URLSearchParams(filters);
  query.set("tenant", tenant);
  query.set("page", name);
  query.set("since", since);
  return `/api/v1/admin/pulse?${query.toString()}`;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => {
    document.removeEventListener("visibilitychange", listener);
  };
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}

/** @returns how long to wait after an answer. @param idleMs since somebody touched the page */
export function pauseAfter(failures: number, idleMs: number): number {
  if (failures > 0) return Math.min(LONGEST_BACKOFF_MS, SHORTEST_MS * 2 ** failures);
  return IDLE.find(({ afterMs }) => idleMs > afterMs)?.everyMs ?? SHORTEST_MS;
}

class Unheard extends Error {
  readonly status: number;
  /** Of the problem document. */
  readonly code: string | undefined;
  constructor(status: number, code: string | undefined) {
    super(`pulse answered ${String(status)}`);
    [this.status, this.code] = [status, code];
  }
}

/** @returns undefined where the answer is no problem document, such as one of a proxy */
async function codeOf(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === "object" && body !== null && "code" in body ? String(body.code) : undefined;
}

/** @returns undefined where something answered that is not known to be either */
export function silentPart(problem: unknown): Silent | undefined {
  if (!(problem instanceof Unheard)) return "server";
  return problem.code === NO_DATABASE ? "database" : undefined;
}

/** @throws Unheard for any answer that is no live status, and whatever fetch throws */
async function ask(
  url: string,
  known: string | undefined,
  signal: AbortSignal,
): Promise<"same" | { readonly pulse: LiveStatus; readonly tag: string | null }> {
  const headers: Record<string, string> = known === undefined ? {} : { "If-None-Match": known };
  const response = await askOwn(url, { headers, signal, cache: "no-store" });
  if (response.status === 304) return "same";
  if (!response.ok) throw new Unheard(response.status, await codeOf(response));
  return { pulse: (await response.json()) as LiveStatus, tag: response.headers.get("etag") };
}

/**
 * Polls every 2–5 s with jitter; longer while nobody touches the page and while the server does not answer; not at all while
 * hidden or paused. One poll for the whole page, whatever is on it.
 */
export function useLiveStatus({ tenant, page, since, paused, attempt }: LiveQuery): LiveState {
  const visible = useSyncExternalStore(onVisibility, isVisible, () => true);
  const [state, setState] = useState<LiveState>(FINE);
  const asked = useRef(attempt);
  const etag = useRef<{ url: string; tag: string }>(undefined);

  useEffect(() => {
    if (paused || !visible) return;
    const stop = new AbortController();
    const url = liveStatusUrl(tenant, page, since);
    // Somebody who asks again has heard nothing for a while: one more failure is enough.
    let failures = asked.current === attempt ? 0 : LOST_AFTER - 1;
    let ended = false;
    let silent: Silent | undefined;
    let touchedAt = performance.now();
    let asking = false;
    let timer: ReturnType<typeof setTimeout>;

    const listen = async (): Promise<void> => {
      asking = true;
      try {
        const known = etag.current?.url === url ? etag.current.tag : undefined;
        const heard = await ask(url, known, AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)]));
        const now = Date.now();
        if (heard === "same") {
          setState((was) => ({ ...was, ...FINE, heardAt: now }));
        } else {
          etag.current = heard.tag === null ? undefined : { url, tag: heard.tag };
          setState({ status: heard.pulse, about: page, since, statusAt: now, ...FINE, heardAt: now });
        }
        failures = 0;
        ended = false;
      } catch (problem) {
        if (stop.signal.aborted) return;
        failures += 1;
        if (problem instanceof Unheard) ended = problem.status === SIGNED_OUT;
        silent = silentPart(problem);
      }
      asking = false;
      const wait = pauseAfter(failures, performance.now() - touchedAt) + Math.random() * JITTER_MS;
      timer = setTimeout(() => void listen(), wait);
      if (ended || failures >= LOST_AFTER) {
        const nextTryAt = Date.now() + wait;
        setState((was) => ({ ...was, lost: true, ended, silent, nextTryAt }));
      }
    };
    const touched = (): void => {
      const idleMs = performance.now() - touchedAt;
      touchedAt = performance.now();
      // Somebody is back: what they see is made fresh at once.
      if (asking || pauseAfter(0, idleMs) === SHORTEST_MS) return;
      clearTimeout(timer);
      timer = setTimeout(() => void listen(), 0);
    };
    for (const name of ACTIVITY) document.addEventListener(name, touched, { passive: true });

    timer = setTimeout(() => void listen(), asked.current === attempt ? Math.random() * SHORTEST_MS : 0);
    asked.current = attempt;
    return () => {
      stop.abort();
      clearTimeout(timer);
      for (const name of ACTIVITY) document.removeEventListener(name, touched);
    };
  }, [tenant, page, since, paused, visible, attempt]);

  return state;
}
