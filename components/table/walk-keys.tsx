"use client";

import { goToPlace, usePlace } from "@/components/ui/place";
import { useKeys } from "@/components/ui/use-keys";

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
  useKeys((event) => {
    if (index < 0) return;
    const open = event.key === "j" ? ids[index + 1] : event.key === "k" ? ids[index - 1] : undefined;
    if (open === undefined || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    goToPlace(hrefOf({ open }), "replace");
  });
  return null;
}
