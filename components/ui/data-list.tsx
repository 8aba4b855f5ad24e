import type { ReactNode } from "react";
import { present } from "@/presentation/format/present";
import styles from "./data-list.module.css";

export interface DataListProps {
  readonly items: readonly ({ readonly name: string; readonly value: ReactNode } | false | undefined)[];
  /** Width of the names: 124 px, or 96 in a pane. */
  readonly narrow?: boolean | undefined;
  /** Values at the right, for a pane. */
  readonly right?: boolean | undefined;
}

export function DataList({ items, narrow = false, right = false }: DataListProps) {
  return (
    <dl className={styles["list"]} data-narrow={narrow || undefined} data-right={right || undefined}>
      {present(items).map((item, index) => (
        <div key={`${item.name} ${String(index)}`}>
          <dt>{item.name}</dt>
          <dd>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
