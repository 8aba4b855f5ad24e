"use client";

import { COOKIE_PATH } from "@/components/ui/base-path";
import { useSyncExternalStore } from "react";
import { DENSITY_COOKIE, readDensity, type Density } from "@/presentation/list/density";

const YEAR_SECONDS = 31_536_000;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The frame around every page carries it; rows follow by style alone. */
function frame(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-density]");
}

function read(): Density {
  return readDensity(frame()?.dataset["density"]);
}

export function useDensity(): Density {
  return useSyncExternalStore(subscribe, read, () => "standard");
}

/** Changes every list of this page at once and remembers it in this browser. */
export function setDensity(density: Density): void {
  const element = frame();
  if (element !== null) element.dataset["density"] = density;
  document.cookie = `${DENSITY_COOKIE}=${density}; path=${COOKIE_PATH}; max-age=${String(YEAR_SECONDS)}; samesite=lax`;
  for (const listener of listeners) listener();
}
