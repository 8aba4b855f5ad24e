import Link from "next/link";
import type { ReactNode } from "react";
import styles from "./filter-chips.module.css";

export interface FilterChip {
  readonly name: string;
  readonly value: string;
  /** The address without this filter; without it the chip cannot be dropped. */
  readonly dropHref?: string | undefined;
}

export interface FilterChipsProps {
  readonly chips: readonly FilterChip[];
  /** The "Add filter" control: a `<FilterMenu>` or nothing. */
  readonly add?: ReactNode;
  /** "11,204 match, exact" and small buttons at the right. */
  readonly right?: ReactNode;
}

/** The filters that are on, as words in boxes; each × is a link to the same list without it. */
export function FilterChips({ chips, add, right }: FilterChipsProps) {
  return (
    <div className={styles["filters"]} role="group" aria-label="Filters">
      {chips.map((chip) => (
        <span key={`${chip.name}=${chip.value}`} className={styles["chip"]}>
          <i>{chip.name}</i> <span title={chip.value}>{chip.value}</span>
          {chip.dropHref !== undefined && (
            <Link href={chip.dropHref} data-plain className={styles["drop"]} aria-label={`Drop filter ${chip.name}`}>
              ×
            </Link>
          )}
        </span>
      ))}
      {add}
      {right !== undefined && <span className={styles["right"]}>{right}</span>}
    </div>
  );
}
