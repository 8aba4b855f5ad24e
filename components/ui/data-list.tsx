import type { ReactNode } from "react";
import { present } from "@/presentation/format/present";
import styles from "./data-list.module.css";

export interface DataListProps {
  /** What has no value is left out. */
  readonly items: readonly ({ readonly name: string; readonly value: ReactNode } | false | undefined)[];
  /** Width of the names: 124 px, or 96 in a pane. */
  readonly narrow?: boolean | undefined;
  /** Values at the right, for a pane. */
  readonly right?: boolean | undefined;
}

export function DataList({ items, narrow = false, right = false }: DataListProps) {
  return (
    <dl className={styles["list"]} data-narrow={narrow || undefined} data-right={right || undefined}>
      {present(items).map(
        ({ name, value }, index) =>
          value !== undefined && (
            <div key={`${name} ${String(index)}`}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
