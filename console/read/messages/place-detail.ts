import type { Queryable } from "@/db/client";
import { selectPlaceErrors, selectPlaceSeries } from "@/db/messages/select-place";
import { selectMeasured } from "@/db/metrics/select-measures";
import { selectFrame } from "@/db/metrics/select-series";
import type { PageRequest } from "@/db/paging";
import type { MessageSide } from "@/domain/messages/side";
import type { RouteTransport } from "@/domain/messages/topic-route";
import { buildPlaceChart, type PlaceSample } from "@/presentation/message/place-chart";
import { placeVerdict } from "@/presentation/message/place-verdict";
import { CHART_WINDOWS, lastEnd } from "@/presentation/metrics/series";
import type { ChartRange } from "@/presentation/views/common";
import type { PlaceRow } from "@/presentation/views/places";
import type { MessageRow } from "@/presentation/views/messages";
import type { PlaceDetail } from "@/presentation/views/place-pages";
import { type DeadFacts, readDeadFacts } from "./judged-rows";
import type { MessageDbRow } from "./message-rows";
import { idlePlace, readPlaces, sampledOf } from "./place-rows";
import type { Opening } from "@/engine/messages/sealed-message";

/** Rows of what waits longest. */
const OLDEST_SHOWN = 10;
/** In these the newest whole minute is. */
const LATEST_MINUTES = 10;
const DEFAULT_PLACE_RANGE: ChartRange = "1h";

type Aged = Pick<MessageRow, "ageMs">;

export interface PlaceInput<DbRow extends MessageDbRow, Row extends Aged> {
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
export async function readPlaceDetail<DbRow extends MessageDbRow, Row extends Aged>(
  q: Queryable,
  ctx: Opening,
  { side, place, label, range = DEFAULT_PLACE_RANGE, fallback, waiting, judged }: PlaceInput<DbRow, Row>,
): Promise<PlaceDetail<Row> & { readonly found: boolean }> {
  const { tenantId } = ctx;
  const places = await readPlaces(q, tenantId, side, { fallback }, [place]);
  const known = places.rows.find((each) => each.place === place);
  const window = CHART_WINDOWS[range];
  const samples = await selectPlaceSeries(q, tenantId, { side, place }, window);
  const end = lastEnd(places.at, window.bucketSeconds);
  const length = window.bucketSeconds * window.buckets * 1_000;
  const shown = { ...window, from: new Date(Date.parse(end) - length).toISOString(), to: end };
  const errors = await selectPlaceErrors(q, tenantId, { side, place });
  const oldest = await waiting({ limit: OLDEST_SHOWN, direction: "asc" });
  const dead = await readDeadFacts(q, ctx, side, oldest);
  const found = known ?? { ...idlePlace(side, place, label), ...sampledOf(side, places.open.waiting) };
  const listed = oldest.map((each) => judged(each, dead));
  const row = withListed(found, listed);
  return {
    found: known !== undefined || listed.length > 0,
    at: places.at,
    row,
    verdict: placeVerdict({ row, at: places.at, rolledUpMs: places.rolledUpMs }),
    chart: buildPlaceChart({
      range,
      end,
      rolledUpMs: places.rolledUpMs,
      samples,
      measured: await selectMeasured(q, tenantId, shown),
      latest: await latestMinute(q, tenantId, { side, place }),
    }),
    errors,
    waiting: listed.slice(0, OLDEST_SHOWN),
  };
}

/**
 * What a consumer's page lists is read from all that waits: a whole list is all of it, and a longer one is at least that many, of which the first
 * has waited longest.
 */
function withListed(row: PlaceRow, listed: readonly Aged[]): PlaceRow {
  if (row.sampled !== true) return row;
  const oldestMs = listed[0]?.ageMs;
  return listed.length <= OLDEST_SHOWN
    ? { ...row, waiting: listed.length, oldestMs, sampled: undefined }
    : { ...row, waiting: Math.max(row.waiting, listed.length), oldestMs };
}

/** What was done in the newest whole minute; null: nothing. @returns undefined where none was rolled up lately */
async function latestMinute(
  q: Queryable,
  tenantId: string,
  place: { readonly side: MessageSide; readonly place: string },
): Promise<PlaceSample | null | undefined> {
  const { minute } = await selectFrame(q, tenantId);
  if (minute === undefined) return undefined;
  const samples = await selectPlaceSeries(q, tenantId, place, { bucketSeconds: 60, buckets: LATEST_MINUTES });
  return samples.find(({ bucket }) => Date.parse(bucket) === Date.parse(minute)) ?? null;
}
