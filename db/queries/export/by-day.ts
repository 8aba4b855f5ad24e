import type { Conditions } from "../sql-text";
import type { ExportWindow } from "./resolve-window";

/** Where a page ends in a table that is kept by day: ids are UUIDv7, so (day, id) is the order of time. */
export interface DayPlace {
  readonly day: string;
  readonly id: string;
}

/** Adds the window and what comes after a place; days are named too, so that only their partitions are read. */
export function withinDays(where: Conditions, alias: string, window: ExportWindow, after: DayPlace | undefined): void {
  const until = where.param(window.until);
  where.add(`${alias}.at < ${until}::timestamptz and ${alias}.day <= (${until}::timestamptz at time zone 'utc')::date`);
  if (window.from !== null) {
    const from = where.param(window.from);
    where.add(
      `${alias}.at >= ${from}::timestamptz and ${alias}.day >= (${from}::timestamptz at time zone 'utc')::date`,
    );
  }
  if (after !== undefined) {
    const day = where.param(after.day);
    where.add(
      `${alias}.day >= ${day}::date and (${alias}.day, ${alias}.id) > (${day}::date, ${where.param(after.id)}::uuid)`,
    );
  }
}
