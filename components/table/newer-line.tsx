"use client";

import { formatCount } from "@/presentation/format/display-time";
import { useLive } from "@/components/shell/live-provider";
import styles from "./data-table.module.css";

/** The first line of a live list. It is always there, so that nothing moves when newer rows arrive. */
export function NewerLine({ noun, span }: { readonly noun: string; readonly span: number }) {
  return (
    <tr className={styles["newer"]}>
      <td colSpan={span} aria-live="polite">
        <NewerText noun={noun} />
      </td>
    </tr>
  );
}

/** "7 newer operations. Show them.": where rows are no table. */
export function NewerText({ noun }: { readonly noun: string }) {
  const { newer, filtered, show, status } = useLive();
  return (
    <>
      {newer > 0 ? (
        <>
          <button type="button" onClick={show}>
            {formatCount(newer)} newer {newer === 1 ? noun.replace(/ies$/, "y").replace(/s$/, "") : noun}.{" "}
            {newer === 1 ? "Show it." : "Show them."}
          </button>{" "}
          {filtered ? "Some may not match the filters. " : ""}Rows stay where they are until you do, or act.
        </>
      ) : status === "live" ? (
        `No newer ${noun}.`
      ) : (
        "Not watching for newer rows."
      )}
    </>
  );
}
