import { Link } from "./link";
import type { ReactNode } from "react";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import type { FilterField } from "./filter-menu";
import { ZonedTime } from "./values/time-span";
import styles from "./filter-chips.module.css";

export interface FilterChip {
  readonly name: string;
  readonly value: string;
  /** Stands in the place of the value: a time in the person's zone. */
  readonly shown?: ReactNode;
  /** The address without this filter; without it the chip cannot be dropped. */
  readonly dropHref?: string | undefined;
}

/** @returns a chip for each field whose filter is on @param say in other words than the field and the filter's value */
export function chipsOf<Filters extends object>(
  fields: readonly FilterField<keyof Filters & string>[],
  filters: Filters,
  address: PageAddress,
  say: (name: keyof Filters & string, value: string) => Partial<FilterChip> = () => ({}),
): readonly FilterChip[] {
  return fields.flatMap(({ name, chip, time }) => {
    const value = filters[name];
    if (chip === undefined || typeof value !== "string") return [];
    const shown = time === true ? <ZonedTime at={value} now={value} /> : undefined;
    return [{ name: chip, value, shown, dropHref: filterHref(address, { [name]: undefined }), ...say(name, value) }];
  });
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
          <i>{chip.name}</i>{" "}
          <span title={chip.shown === undefined ? chip.value : undefined}>{chip.shown ?? chip.value}</span>
          {chip.dropHref !== undefined && (
            <Link href={chip.dropHref} data-plain className={styles["drop"]} aria-label={`Remove filter ${chip.name}`}>
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
