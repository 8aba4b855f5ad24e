import type { ReactNode } from "react";
import { OpenRows } from "./open-rows";
import styles from "./list-pane.module.css";

export interface ListPaneProps {
  /** Accessible name of the pane: "Current message". */
  readonly label: string;
  /** What is known of the open row; without it the list has the whole width. */
  readonly pane: ReactNode | undefined;
  /** The list, whose rows say where they open (`href`) and where their own page is (`page`). */
  readonly children: ReactNode;
}

/** A list with its open row beside it: 344 px where there is room, below that a row opens its own page. */
export function ListPane({ label, pane, children }: ListPaneProps) {
  const open = pane !== undefined;
  return (
    <OpenRows>
      <div className={styles["columns"]} data-pane={open || undefined}>
        <div className={styles["list"]}>{children}</div>
        {open && (
          <aside className={styles["pane"]} aria-label={label}>
            <div className={styles["stick"]}>{pane}</div>
          </aside>
        )}
      </div>
    </OpenRows>
  );
}
