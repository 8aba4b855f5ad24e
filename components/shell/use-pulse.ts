"use client";

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Pulse } from "@/domain/pulse";

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

interface PulseState {
  readonly pulse: Pulse | undefined;
  /** The page that the pulse is about: a new page waits for its own. */
  readonly about: string | undefined;
  /** Which rows are on the screen that its `newer` is counted from. */
  readonly since: string | undefined;
  /** When `pulse` itself came; what came later said that nothing changed. */
  readonly pulseAt: number | undefined;
  readonly lost: boolean;
  readonly heardAt: number | undefined;
}

interface PulseQuery {
  readonly tenant: string;
  readonly page: string;
  readonly since: string;
  readonly paused: boolean;
}

function pulseUrl(tenant: string, page: string, since: string): string {
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

/**
 * Polls every 2–5 s with jitter; longer while nobody touches the page and while the server does not answer; not at all while
 * hidden or paused. One poll for the whole page, whatever is on it.
 */
export function usePulse({ tenant, page, since, paused }: PulseQuery): PulseState {
  const visible = useSyncExternalStore(onVisibility, isVisible, () => true);
  const [state, setState] = useState<PulseState>({
    pulse: undefined,
    about: undefined,
    since: undefined,
    pulseAt: undefined,
    lost: false,
    heardAt: undefined,
  });
  const etag = useRef<{ url: string; tag: string }>(undefined);

  useEffect(() => {
    if (paused || !visible) return;
    const stop = new AbortController();
    const url = pulseUrl(tenant, page, since);
    let failures = 0;
    let touchedAt = performance.now();
    let asking = false;
    let timer: ReturnType<typeof setTimeout>;

    const listen = async (): Promise<void> => {
      asking = true;
      try {
        const known = etag.current?.url === url ? etag.current.tag : undefined;
        const response = await fetch(url, {
          headers: known === undefined ? {} : { "If-None-Match": known },
          signal: AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)]),
          cache: "no-store",
        });
        if (response.status === 304) {
          setState((was) => ({ ...was, lost: false, heardAt: Date.now() }));
        } else if (response.ok) {
          const pulse = (await response.json()) as Pulse;
          const tag = response.headers.get("etag");
          etag.current = tag === null ? undefined : { url, tag };
          const now = Date.now();
          setState({ pulse, about: page, since, pulseAt: now, lost: false, heardAt: now });
        } else {
          throw new Error(`pulse answered ${String(response.status)}`);
        }
        failures = 0;
      } catch {
        if (stop.signal.aborted) return;
        failures += 1;
        if (failures >= LOST_AFTER) setState((was) => ({ ...was, lost: true }));
      }
      asking = false;
      timer = setTimeout(
        () => void listen(),
        pauseAfter(failures, performance.now() - touchedAt) + Math.random() * JITTER_MS,
      );
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

    timer = setTimeout(() => void listen(), Math.random() * SHORTEST_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
      for (const name of ACTIVITY) document.removeEventListener(name, touched);
    };
  }, [tenant, page, since, paused, visible]);

  return state;
}
