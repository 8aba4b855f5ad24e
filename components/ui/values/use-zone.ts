"use client";

import { useSyncExternalStore } from "react";
import { readZone, type Zone } from "@/presentation/format/display-time";

const STORE_KEY = "onceboard-zone";
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function read(): Zone {
  try {
    return readZone(localStorage.getItem(STORE_KEY));
  } catch {
    return "utc";
  }
}

/** The chosen clock. The server always writes UTC; the choice of this browser applies once the page is alive. */
export function useZone(): Zone {
  return useSyncExternalStore(subscribe, read, () => "utc");
}

/** Remembers the choice in this browser and redraws every time on the page. */
export function setZone(zone: Zone): void {
  try {
    localStorage.setItem(STORE_KEY, zone);
  } catch {
    // A browser that keeps nothing still shows UTC.
  }
  for (const listener of listeners) listener();
}
