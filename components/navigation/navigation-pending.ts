"use client";

import { usePathname } from "next/navigation";
import { useLinkStatus } from "next/link";
import { useEffect, useSyncExternalStore } from "react";

/** Paths of pages that were asked for and have not arrived, by links and by the router; the newest is last. */
let underWay: readonly string[] = [];
const listeners = new Set<() => void>();

function change(to: readonly string[]): void {
  underWay = to;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Counts as under way for as long as there is a path and its component. */
export function useReportPending(path: string | undefined): void {
  useEffect(() => {
    if (path === undefined) return;
    change([...underWay, path]);
    return () => {
      const at = underWay.lastIndexOf(path);
      change(underWay.filter((_, index) => index !== at));
    };
  }, [path]);
}

/** Path of another page that was asked for and has not arrived. */
export function useNavigationPending(): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => underWay.at(-1),
    () => undefined,
  );
}

/** Where somebody is, or is going: places show it from the click on. */
export function usePathAhead(): string {
  const here = usePathname();
  return useNavigationPending() ?? here;
}

/** Inside a link: says that its page was asked for. The same page with other filters stays on the screen until it is read. */
export function LinkPending({ path }: { readonly path: string }) {
  const here = usePathname();
  const { pending } = useLinkStatus();
  useReportPending(pending && path !== "" && path !== here ? path : undefined);
  return null;
}
