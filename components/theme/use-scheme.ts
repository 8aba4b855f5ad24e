"use client";

import { COOKIE_PATH } from "@/components/ui/base-path";
import { useSyncExternalStore } from "react";
import { readScheme, SCHEME_COOKIE, type Scheme } from "./scheme";

const KEPT_SECONDS = 365 * 24 * 3600;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The choice as the page was written with it. */
export function useScheme(): Scheme {
  return useSyncExternalStore(
    subscribe,
    () => readScheme(document.documentElement.dataset["scheme"]),
    () => "system",
  );
}

/** Changes the colours at once and keeps the choice for the next answer of the server. */
export function setScheme(scheme: Scheme): void {
  const root = document.documentElement;
  if (scheme === "system") delete root.dataset["scheme"];
  else root.dataset["scheme"] = scheme;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${SCHEME_COOKIE}=${scheme}; Path=${COOKIE_PATH}; Max-Age=${String(KEPT_SECONDS)}; SameSite=Lax${secure}`;
  for (const listener of listeners) listener();
}
