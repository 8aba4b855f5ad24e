"use client";

import { usePathname } from "next/navigation";
import { useLinkStatus } from "next/link";
import { useEffect, useSyncExternalStore } from "react";

/** Navigations to another page that were begun and have not arrived, of links and of the router. */
let underWay = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  underWay += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Counts one for as long as it is pending and its component is there. */
export function useReportPending(pending: boolean): void {
  useEffect(() => {
    if (!pending) return;
    change(1);
    return () => {
      change(-1);
    };
  }, [pending]);
}

/** Whether another page was asked for and has not arrived. */
export function useNavigationPending(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => underWay > 0,
    () => false,
  );
}

/** Inside a link: says that its page was asked for. The same page with other filters stays on the screen until it is read. */
export function LinkPending({ path }: { readonly path: string }) {
  const here = usePathname();
  const { pending } = useLinkStatus();
  useReportPending(pending && path !== "" && path !== here);
  return null;
}
