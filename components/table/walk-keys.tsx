"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { isTyping } from "@/components/ui/is-typing";

export interface WalkKeysProps {
  readonly nextHref?: string | undefined;
  readonly previousHref?: string | undefined;
}

/** `j` and `k` walk from one open thing to the next where there is no table to walk. Draws nothing. */
export function WalkKeys({ nextHref, previousHref }: WalkKeysProps) {
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const href = event.key === "j" ? nextHref : event.key === "k" ? previousHref : undefined;
      if (href === undefined) return;
      event.preventDefault();
      router.replace(href, { scroll: false });
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
    };
  }, [router, nextHref, previousHref]);
  return null;
}
