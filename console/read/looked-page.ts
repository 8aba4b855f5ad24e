import { LOOKED_ROWS, type PageRequest, type Place } from "@/db/paging";
import type { Looked } from "@/presentation/views/common";
import { type Cursor, type Cut, encodeCursor } from "@/domain/lists/cursor";

/** Rows of a page and, where rare filters left it unfilled, the row at which its look ended. */
export interface LookedRows<Row> {
  readonly rows: Row[];
  readonly horizon: Place | undefined;
}

/**
 * Reads one page of a filtered list without ever walking more than LOOKED_ROWS of it.
 *
 * @param horizonOf asked only when the page is not full
 */
export async function lookThrough<Row>(
  page: Omit<PageRequest, "look">,
  select: (page: PageRequest) => Promise<Row[]>,
  horizonOf: (page: PageRequest & { readonly look: number }) => Promise<Place | undefined>,
): Promise<LookedRows<Row>> {
  const asked = { ...page, look: LOOKED_ROWS };
  const rows = await select(asked);
  return { rows, horizon: rows.length > page.limit ? undefined : await horizonOf(asked) };
}

/** @returns the page with its cursor at the row where its look ended, and how far it came, for its banner */
export function lookedSoFar<Row>(
  cut: Cut<Row>,
  cursor: Cursor | undefined,
  sort: string,
  horizon: Place | undefined,
): Cut<Row> & { readonly looked?: Looked } {
  if (horizon === undefined) return cut;
  const direction = cursor?.direction ?? "next";
  const further = encodeCursor({ sort, direction, ...horizon });
  return { ...cut, [direction]: further, looked: { rows: LOOKED_ROWS, until: horizon.value, further } };
}
