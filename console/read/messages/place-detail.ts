import type { Queryable } from "@/db/client";
import { selectPlaceErrors, selectPlaceSeries } from "@/db/messages/select-place";
import type { PageRequest } from "@/db/paging";
import type { MessageSide } from "@/domain/messages/side";
import type { RouteTransport } from "@/domain/messages/topic-route";
import { buildPlaceChart } from "@/presentation/message/place-chart";
import { placeVerdict } from "@/presentation/message/places-verdict";
import { CHART_WINDOWS, lastEnd } from "@/presentation/metrics/series";
import type { ChartRange } from "@/presentation/views/common";
import type { PlaceDetail } from "@/presentation/views/place-pages";
import { type DeadFacts, readDeadFacts } from "./judged-rows";
import type { MessageDbRow } from "./message-rows";
import { idlePlace, readPlaces } from "./place-rows";

/** Rows of what waits longest. */
const OLDEST_SHOWN = 10;
const DEFAULT_PLACE_RANGE: ChartRange = "1h";

export interface PlaceInput<DbRow extends MessageDbRow, Row> {
  readonly side: MessageSide;
  readonly place: string;
  readonly label: string;
  readonly range?: ChartRange | undefined;
  /** OUTBOX_TRANSPORT. */
  readonly fallback: RouteTransport;
  /** What waits, the oldest first. */
  readonly waiting: (page: PageRequest) => Promise<DbRow[]>;
  readonly judged: (row: DbRow, dead: DeadFacts) => Row;
}

/** What the pages of a topic and of a consumer read alike. @returns `found`: something waits there, or was done in the last hour */
export async function readPlaceDetail<DbRow extends MessageDbRow, Row>(
  q: Queryable,
  tenantId: string,
  { side, place, label, range = DEFAULT_PLACE_RANGE, fallback, waiting, judged }: PlaceInput<DbRow, Row>,
): Promise<PlaceDetail<Row> & { readonly found: boolean }> {
  const places = await readPlaces(q, tenantId, side, { fallback });
  const known = places.rows.find((each) => each.place === place);
  const row = known ?? idlePlace(side, place, label);
  const window = CHART_WINDOWS[range];
  const samples = await selectPlaceSeries(q, tenantId, { side, place }, window);
  const errors = await selectPlaceErrors(q, tenantId, { side, place });
  const oldest = await waiting({ limit: OLDEST_SHOWN, direction: "asc" });
  const dead = await readDeadFacts(q, tenantId, side, oldest);
  return {
    found: known !== undefined,
    at: places.at,
    row,
    verdict: placeVerdict(row, places.at),
    chart: buildPlaceChart({
      range,
      end: lastEnd(places.at, window.bucketSeconds),
      rolledUpMs: places.rolledUpMs,
      samples,
    }),
    errors,
    waiting: oldest.slice(0, OLDEST_SHOWN).map((each) => judged(each, dead)),
  };
}
