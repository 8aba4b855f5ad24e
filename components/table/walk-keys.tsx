"use client";

import { useEffect } from "react";
import { isTyping } from "@/components/ui/is-typing";
import { goToPlace, usePlace } from "@/components/ui/place";

export interface WalkKeysProps {
  /** Ids in order, as `open=` names them. */
  readonly ids: readonly string[];
  /** The open one; default what the address says. */
  readonly current?: string | undefined;
}

/** `j` and `k` walk from one open thing to the next where there is no table to walk. Draws nothing. */
export function WalkKeys({ ids, current }: WalkKeysProps) {
  const { query, hrefOf } = usePlace();
  const index = ids.indexOf(current ?? query.get("open") ?? "");
  useEffect(() => {
    if (index < 0) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const open = event.key === "j" ? ids[index + 1] : event.key === "k" ? ids[index - 1] : undefined;
      if (open === undefined) return;
      event.preventDefault();
      goToPlace(hrefOf({ open }), "replace");
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
    };
  }, [hrefOf, ids, index]);
  return null;
}
