import { SCAN_LIMIT, type PageRequest, type PagePosition } from "@/db/paging";
import type { ScanLimit } from "@/presentation/views/common";
import { type Cursor, type Cut, encodeCursor } from "@/domain/lists/cursor";

/** Rows of a page and, where a rare filter left it unfilled, the row at which the scan ended. */
export interface ScannedRows<Row> {
  readonly rows: Row[];
  readonly horizon: PagePosition | undefined;
}

/**
 * Reads one page of a filtered list without ever walking more than SCAN_LIMIT of it.
 * @param horizonOf asked only when the page is not full
 */
export async function scanPage<Row>(
  page: Omit<PageRequest, "scanLimit">,
  select: (page: PageRequest) => Promise<Row[]>,
  horizonOf: (page: PageRequest & { readonly scanLimit: number }) => Promise<PagePosition | undefined>,
): Promise<ScannedRows<Row>> {
  const asked = { ...page, scanLimit: SCAN_LIMIT };
  const rows = await select(asked);
  return { rows, horizon: rows.length > page.limit ? undefined : await horizonOf(asked) };
}

/** @returns the page with its cursor at the row where the scan ended, and how far it came, for its banner */
export function withScanLimit<Row>(
  cut: Cut<Row>,
  cursor: Cursor | undefined,
  sort: string,
  horizon: PagePosition | undefined,
): Cut<Row> & { readonly looked?: ScanLimit } {
  if (horizon === undefined) return cut;
  const direction = cursor?.direction ?? "next";
  const further = encodeCursor({ sort, direction, ...horizon });
  return { ...cut, [direction]: further, looked: { rows: SCAN_LIMIT, until: horizon.value, further } };
}
