"use client";

import { below, pathHere } from "./base-path";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useSyncExternalStore, useTransition } from "react";

/** Parameters of the address that change; undefined takes one away. */
export type PlaceChange = Readonly<Record<string, string | undefined>>;

export interface Place {
  /** What the address says, also where it changed since the page was read. */
  readonly query: URLSearchParams;
  /** The present address with these changes. */
  readonly hrefOf: (change: PlaceChange) => string;
  /** The present address says all of this. */
  readonly isAt: (place: PlaceChange) => boolean;
}

const listeners = new Set<() => void>();
/** How often the address changed without reading the page, now and when the page was last led to its address. */
let changed = 0;
let led: number | undefined;
/** For which address the page on the screen was read, once the address changed without reading it. */
let read: { readonly path: string; readonly search: string } | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

function shown(): string {
  return pathHere() + window.location.search;
}

/**
 * Where this page is now. The browser's address counts, not the router's: the router follows it only when what it is reading has
 * arrived, and a dialog opens and closes at once.
 */
export function usePlace(): Place {
  const path = usePathname();
  const routed = useSearchParams().toString();
  const at = useSyncExternalStore(subscribe, shown, () => (routed === "" ? path : `${path}?${routed}`));
  // While the router leads to another page, that page is drawn for its own address.
  const text = at === path ? "" : at.startsWith(`${path}?`) ? at.slice(path.length + 1) : routed;
  const query = useMemo(() => new URLSearchParams(text), [text]);
  const hrefOf = useCallback<Place["hrefOf"]>(
    (change) => {
      const next = new URLSearchParams(query);
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) next.delete(name);
        else next.set(name, value);
      }
      const search = next.toString();
      return search === "" ? path : `${path}?${search}`;
    },
    [path, query],
  );
  const isAt = useCallback<Place["isAt"]>(
    (place) => Object.entries(place).every(([name, value]) => query.get(name) === (value ?? null)),
    [query],
  );
  return { query, hrefOf, isAt };
}

/** Changes the address alone: what it names is on the page already, or is read by itself, so the page is not read again. */
export function goToPlace(href: string, how: "push" | "replace" = "push"): void {
  const path = pathHere();
  const { search } = window.location;
  if (read?.path !== path) read = { path, search };
  changed += 1;
  if (how === "push") window.history.pushState(null, "", below(href));
  else window.history.replaceState(null, "", below(href));
  tell();
}

/** Tells everybody that the router has led to another address: the browser says nothing of that. For one component that stays. */
export function useFollowRouter(): void {
  const path = usePathname();
  const query = useSearchParams();
  useEffect(tell, [path, query]);
}

function tell(): void {
  for (const listener of listeners) listener();
}

/**
 * Reads the page again where it is; for one component that stays, the others ask it. The router refreshes a page for the address that
 * it was read for, and takes the answer for another one as a mistake: after two of them it loads the whole document. So a page whose
 * address changed since is led to it. An address that changes on the way calls that off, and then it begins anew.
 */
export function useReadAgain(): () => void {
  const router = useRouter();
  const [leading, lead] = useTransition();
  const readAgain = useCallback(() => {
    const pathname = pathHere();
    const { search, hash } = window.location;
    if (read?.path !== pathname || read.search === search) {
      router.refresh();
      return;
    }
    led = changed;
    lead(() => {
      router.replace(pathname + search + hash, { scroll: false });
    });
  }, [router]);
  useEffect(() => {
    if (leading || led === undefined) return;
    const calledOff = led !== changed;
    led = undefined;
    if (calledOff) readAgain();
    else read = undefined;
  }, [leading, readAgain]);
  return readAgain;
}
