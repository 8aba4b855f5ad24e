import type { Queryable } from "@/db/client";
import { windowHours, type TimeWindow } from "@/domain/filters/search";
import { iso } from "../sql-text";

/** Both ends as the database sees them now, so that all pages of one read are of the same window. RFC 3339. */
export interface ExportWindow {
  /** Inclusive; null: from the beginning. */
  readonly from: string | null;
  /** Exclusive. */
  readonly until: string;
  /** When that was. */
  readonly at: string;
}

export async function resolveWindow(q: Queryable, window: TimeWindow): Promise<ExportWindow> {
  const hours = windowHours(window) ?? null;
  const { rows } = await q.query<ExportWindow>({
    text: `select ${iso("coalesce($1::timestamptz, now() - make_interval(hours => $3::integer))")} as from, ${iso("coalesce($2::timestamptz, now())")} as until,
  ${iso("now()")} as at`,
    values: [window.from ?? null, window.to ?? null, hours],
  });
  const [resolved] = rows;
  if (resolved === undefined) throw new Error("a select without from answers one row");
  return resolved;
}
