"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { useLive } from "@/components/shell/live-provider";

/**
 * Closes what a parameter of the address opened. Asking the server for the same page once more would, without a connection,
 * leave the page for the browser's own error; then the address alone changes.
 */
export function useDropParam(param: string): () => void {
  const query = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const { whyOff } = useLive();
  return useCallback(() => {
    const rest = new URLSearchParams(query);
    rest.delete(param);
    const text = rest.toString();
    const href = text === "" ? path : `${path}?${text}`;
    if (whyOff !== undefined || !navigator.onLine) window.history.replaceState(null, "", href);
    else router.replace(href, { scroll: false });
  }, [query, param, path, router, whyOff]);
}
