import type { Queryable } from "@/db/client";
import { PLACES, selectOpenPlaces, selectPlaceRates, SPARK_BARS, type PlaceOpenRow } from "@/db/messages/select-places";
import { selectSeriesFrame } from "@/db/metrics/select-series";
import { selectEndpointUrls, selectTopics, type TopicDbRow } from "@/db/outbox/topics";
import type { PlaceRow, PlacesView } from "@/presentation/views/places";
import { carrierOf, topicLabels, type Deployment } from "@/engine/outbox/topics";
import type { MessageSide } from "@/domain/messages/side";

const MINUTE_SECONDS = 60;
const IDLE: PlaceRow["hour"] = { succeeded: 0, failed: 0, dead: 0, spark: new Array<number>(SPARK_BARS).fill(0) };

/** Topics or consumers with what is open and what was done in the last hour; what is wrong comes first. */
export async function readPlaces(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  deployment: Pick<Deployment, "fallback">,
): Promise<PlacesView> {
  const open = await selectOpenPlaces(q, tenantId, side);
  const rates = await selectPlaceRates(q, tenantId, side);
  const topics = side === "outbox" ? await selectTopics(q, tenantId) : [];
  const labelOf = topicLabels(side === "outbox" ? await selectEndpointUrls(q, tenantId) : []);
  const frame = await selectSeriesFrame(q, tenantId, { bucketSeconds: MINUTE_SECONDS, buckets: 1 });
  const names = new Set([...open, ...rates].map((row) => row.place));
  for (const row of topics) names.add(row.topic);
  const rows = [...names].map((place): PlaceRow => {
    const rate = rates.find((row) => row.place === place);
    const settings = topics.find((row) => row.topic === place);
    return {
      ...openFacts(
        side,
        place,
        open.find((row) => row.place === place),
      ),
      label: labelOf(place),
      hour:
        rate === undefined
          ? IDLE
          : {
              succeeded: rate.succeeded,
              failed: rate.failed,
              dead: rate.dead,
              lagP95Ms: rate.lag_p95_ms ?? undefined,
              spark: rate.spark,
            },
      ...(side === "outbox" && topicFacts(place, settings, deployment.fallback)),
    };
  });
  rows.sort(
    (a, b) =>
      trouble(b) - trouble(a) ||
      b.waiting - a.waiting ||
      b.hour.succeeded - a.hour.succeeded ||
      (a.label < b.label ? -1 : 1),
  );
  return {
    side,
    at: frame.at,
    rows: rows.slice(0, PLACES),
    more: rows.length > PLACES,
    rolledUpMs: frame.rolled_up_ms ?? undefined,
  };
}

/** One of them, also when it is idle. */
export function idlePlace(side: MessageSide, place: string, label: string): PlaceRow {
  return { ...openFacts(side, place, undefined), label, hour: IDLE };
}

function openFacts(side: MessageSide, place: string, row: PlaceOpenRow | undefined): Omit<PlaceRow, "label" | "hour"> {
  return {
    side,
    place,
    waiting: row?.waiting ?? 0,
    failing: row?.failing ?? 0,
    dead: row?.dead ?? 0,
    alone: row?.alone ?? 0,
    oldestMs: row?.oldest_ms ?? undefined,
    nextFailingAt: row?.next_failing_at ?? undefined,
    outage: row?.outage ?? undefined,
  };
}

function topicFacts(
  topic: string,
  row: TopicDbRow | undefined,
  fallback: string,
): Pick<PlaceRow, "transport" | "paused"> {
  return { transport: carrierOf(topic, row?.transport, fallback), paused: pausedView(row) };
}

function pausedView(row: TopicDbRow | undefined): PlaceRow["paused"] {
  if (row === undefined || row.paused_at === null) return undefined;
  return { at: row.paused_at, by: row.paused_by ?? "somebody", reason: row.pause_reason ?? "" };
}

/** Dead before unreachable before paused before failing. */
function trouble(row: PlaceRow): number {
  return (
    (row.dead > 0 ? 8 : 0) +
    (row.outage === undefined ? 0 : 4) +
    (row.paused === undefined ? 0 : 2) +
    (row.failing > 0 ? 1 : 0)
  );
}
