import type { Queryable } from "@/db/client";
import { only as onlyOf } from "@/db/query";
import { PLACES, selectOpenPlaces, selectPlaceRates, SPARK_BARS } from "@/db/messages/select-places";
import { type OpenCountsRow, selectOpenCounts } from "@/db/metrics/counts";
import { selectFrame } from "@/db/metrics/select-series";
import { selectEndpointUrls, selectTopics, type TopicDbRow } from "@/db/outbox/topics";
import { worstFirst } from "@/presentation/message/place-order";
import type { PlaceRow, PlacesView } from "@/presentation/views/places";
import { carrierOf, topicLabels, type Deployment } from "@/engine/outbox/topics";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import type { MessageSide } from "@/domain/messages/side";

const IDLE: PlaceRow["hour"] = { succeeded: 0, failed: 0, dead: 0, spark: new Array<number>(SPARK_BARS).fill(0) };

/**
 * Topics or consumers with what is open and what was done in the last hour; what is wrong comes first.
 * @param only these, however many others there are
 */
export async function readPlaces(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  deployment: Pick<Deployment, "fallback">,
  only?: readonly string[],
): Promise<PlacesView> {
  const counts = await selectOpenCounts(q, tenantId);
  const open = await selectOpenPlaces(q, tenantId, side, only);
  const rates = await selectPlaceRates(q, tenantId, side, only);
  const topics = side === "outbox" ? await selectTopics(q, tenantId) : [];
  const labelOf = topicLabels(side === "outbox" ? await selectEndpointUrls(q, tenantId) : []);
  const frame = await selectFrame(q, tenantId);
  const names = new Set([...open, ...rates].map((row) => row.place));
  for (const { topic } of topics) if (only?.includes(topic) ?? true) names.add(topic);
  const unsorted = [...names].map((place): PlaceRow => {
    const rate = rates.find((row) => row.place === place);
    const settings = topics.find((row) => row.topic === place);
    return {
      ...idlePlace(side, place, labelOf(place)),
      ...open.find((row) => row.place === place),
      ...sampledOf(side, counts.inboxRecorded),
      ...(rate && { hour: onlyOf(rate, "succeeded", "failed", "dead", "lagP95Ms", "spark") }),
      ...(side === "outbox" && topicFacts(place, settings, deployment.fallback)),
    };
  });
  return {
    side,
    at: frame.at,
    rows: worstFirst(unsorted).slice(0, PLACES),
    more: unsorted.length > PLACES,
    open: openOf(counts, side),
    rolledUpMs: frame.rolledUpMs,
  };
}

/** Over all places, however many: the numbers of the navigation. */
function openOf(counts: OpenCountsRow, side: MessageSide): PlacesView["open"] {
  return side === "outbox"
    ? { waiting: counts.outboxPending, dead: counts.outboxDead, oldestMs: counts.oldestOutboxMs }
    : { waiting: counts.inboxRecorded, dead: counts.inboxDead, oldestMs: counts.oldestInboxMs };
}

/** @param waiting in the inbox, as far as it is counted */
export function sampledOf(side: MessageSide, waiting: number): Pick<PlaceRow, "sampled"> {
  return side === "inbox" && waiting >= WAITING_COUNTED ? { sampled: true } : {};
}

/** One of them, also when it is idle. */
export function idlePlace(side: MessageSide, place: string, label: string): PlaceRow {
  return { side, place, label, waiting: 0, failing: 0, dead: 0, alone: 0, hour: IDLE };
}

function topicFacts(
  topic: string,
  row: TopicDbRow | undefined,
  fallback: string,
): Pick<PlaceRow, "transport" | "paused"> {
  const { transport, pausedAt: at, pausedBy: by = "somebody", pauseReason: reason = "" } = row ?? {};
  return {
    transport: carrierOf(topic, transport, fallback),
    paused: at === undefined ? undefined : { at, by, reason },
  };
}
