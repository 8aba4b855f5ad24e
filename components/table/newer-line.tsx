"use client";

import { formatCount } from "@/domain/display-time";
import { useLive } from "@/components/shell/live-provider";
import styles from "./data-table.module.css";

/** The first line of a live list. It is always there, so that nothing moves when newer rows arrive. */
export function NewerLine({ noun, span }: { readonly noun: string; readonly span: number }) {
  const { newer, show, status } = useLive();
  return (
    <tr className={styles["newer"]}>
      <td colSpan={span} aria-live="polite">
        {newer > 0 ? (
          <>
            <button type="button" onClick={show}>
              {formatCount(newer)} newer {newer === 1 ? noun.replace(/ies$/, "y").replace(/s$/, "") : noun}.{" "}
              {newer === 1 ? "Show it." : "Show them."}
            </button>{" "}
            Rows stay where they are until you do.
          </>
        ) : status === "live" ? (
          `No newer ${noun}.`
        ) : (
          "Not watching for newer rows."
        )}
      </td>
    </tr>
  );
}
