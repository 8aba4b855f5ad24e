"use client";

import { usePathname } from "next/navigation";
import { useLive } from "@/components/shell/live-provider";
import styles from "./notice.module.css";

/** Stands above the page while something beside it does not run, or it is not read where it should be. While nothing is heard, nothing is known. */
export function WhatIsDown() {
  const { status, down, reads } = useLive();
  // The overview has the loops in its verdict.
  const here = usePathname() === "/" ? [] : down.loops;
  const [first, ...rest] = [...down.parts, ...here, ...(reads?.trouble ?? [])];
  if (first === undefined || status === "lost" || status === "ended") return null;
  return (
    <div className={styles["lost"]} role="status">
      <b>{first}</b>
      {rest.length > 0 && <span>{rest.join(" ")}</span>}
    </div>
  );
}
