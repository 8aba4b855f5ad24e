import type { PlaceRow } from "../views/places";
import { isLatePlace } from "./place-verdict";

/** Unreachable, paused, failing, late, dead: what the headline above the rows says comes before what is only dead. */
function trouble(row: PlaceRow): number {
  return (
    (row.outage === undefined ? 0 : 16) +
    (row.paused === undefined ? 0 : 8) +
    (row.failing > 0 ? 4 : 0) +
    (isLatePlace(row) ? 2 : 0) +
    (row.dead > 0 ? 1 : 0)
  );
}

/** @returns the places with what is wrong first, then by what waits and what was done in the last hour. */
export function worstFirst(rows: readonly PlaceRow[]): readonly PlaceRow[] {
  return rows.toSorted(
    (a, b) =>
      trouble(b) - trouble(a) ||
      b.waiting - a.waiting ||
      b.hour.succeeded - a.hour.succeeded ||
      (a.label < b.label ? -1 : 1),
  );
}
