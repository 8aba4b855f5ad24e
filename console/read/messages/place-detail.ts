import type { Queryable } from "@/db/client";
import { selectPlaceErrors, selectPlaceSeries } from "@/db/messages/select-place";
import { selectSeriesFrame } from "@/db/metrics/select-series";
import { buildPlaceChart } from "@/presentation/message/place-chart";
import { CHART_WINDOWS } from "@/presentation/metrics/series";
import type { PlaceChart, PlaceError } from "@/presentation/views/places";
import type { MessageSide } from "@/domain/messages/side";
import type { ChartRange } from "@/presentation/views/common";

/** Rows of what waits longest. */
export const OLDEST_SHOWN = 10;
export const DEFAULT_PLACE_RANGE: ChartRange = "1h";

export interface PlaceInput {
  readonly place: string;
  readonly range?: ChartRange | undefined;
}

/** What the pages of a topic and of a consumer read alike: the chart from the roll-ups, and the errors of what is open. */
export async function readPlaceDetail(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  { place, range = DEFAULT_PLACE_RANGE }: PlaceInput,
): Promise<{ chart: PlaceChart; errors: readonly PlaceError[] }> {
  const window = CHART_WINDOWS[range];
  const frame = await selectSeriesFrame(q, tenantId, window);
  const samples = await selectPlaceSeries(q, tenantId, { side, place }, window);
  const errors = await selectPlaceErrors(q, tenantId, { side, place });
  return {
    chart: buildPlaceChart({ range, end: frame.end, rolledUpMs: frame.rolled_up_ms ?? undefined, samples }),
    errors: errors.map((row) => ({
      code: row.code,
      error: row.error,
      fingerprint: row.fingerprint ?? undefined,
      waiting: row.waiting,
      dead: row.dead,
      lastAt: row.last_at ?? undefined,
    })),
  };
}
