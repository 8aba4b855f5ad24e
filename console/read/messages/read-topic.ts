import { readWithin } from "@/db/bounded-read";
import { selectOutbox } from "@/db/outbox/select-outbox";
import { selectTopic, topicExists, type TopicDbRow } from "@/db/outbox/topics";
import { actionView } from "@/presentation/operation/allowed-actions";
import { isTopicName } from "@/domain/messages/topic-route";
import type { TopicRoute, TopicView } from "@/presentation/views/place-pages";
import type { PlaceRow, PlacesView } from "@/presentation/views/places";
import type { EngineContext } from "@/engine/context";
import { carrierOf, hasOwnWay, otherwiseOf, type Deployment } from "@/engine/outbox/topics";
import { endpointLabels } from "./endpoint-labels";
import { judgedOutboxRow } from "./judged-rows";
import { readPlaceDetail } from "./place-detail";
import { readPlaces } from "./place-rows";
import { requirePermission, roleOf } from "@/engine/actions/require";
import type { ChartRange } from "@/presentation/views/common";

/** All topics with what waits in them. @throws AppError `auth.forbidden` 403, `dependency.timeout` 504 */
export async function listTopics(ctx: EngineContext, deployment: Deployment): Promise<PlacesView> {
  requirePermission(ctx, "outbox.read");
  return readWithin(ctx.db, "list", (q) => readPlaces(q, ctx.tenantId, "outbox", deployment));
}

/**
 * One topic: how it does, what waits, how it travels and what may be done about it.
 * @returns undefined when nothing was ever written to it and nobody decided anything about it
 */
export async function readTopic(
  ctx: EngineContext,
  deployment: Deployment,
  input: { topic: string; range?: ChartRange | undefined },
): Promise<TopicView | undefined> {
  requirePermission(ctx, "outbox.read");
  const { topic, range } = input;
  if (!isTopicName(topic)) return undefined;
  const { fallback } = deployment;
  const read = await readWithin(ctx.db, "detail", async (q) => {
    if (!(await topicExists(q, ctx.tenantId, topic))) return undefined;
    const { found: _, ...detail } = await readPlaceDetail(q, ctx, {
      side: "outbox",
      place: topic,
      label: (await endpointLabels(q, ctx.tenantId))(topic),
      range,
      fallback,
      waiting: (page) => selectOutbox(q, ctx.tenantId, { state: "pending", topic, range: "all" }, page, fallback),
      judged: (row, dead) => judgedOutboxRow(row, dead, fallback),
    });
    return { detail, settings: await selectTopic(q, ctx.tenantId, topic) };
  });
  if (read === undefined) return undefined;
  const { detail, settings } = read;
  return { ...detail, route: routeOf(topic, settings, deployment), actions: actionsOf(ctx, topic, detail.row) };
}

function routeOf(topic: string, settings: TopicDbRow | undefined, deployment: Deployment): TopicRoute {
  const transport = carrierOf(topic, settings?.transport, deployment.fallback);
  return {
    transport,
    chosen: settings?.transport,
    destination: hasOwnWay(topic) ? undefined : settings?.destination,
    otherwise: otherwiseOf(topic, transport),
    offered: hasOwnWay(topic) ? [] : deployment.offered,
    fallback: deployment.fallback,
    version: settings?.version ?? 0,
    updatedAt: settings?.updatedAt,
    updatedBy: settings?.updatedBy,
  };
}

function actionsOf(ctx: EngineContext, topic: string, row: PlaceRow): TopicView["actions"] {
  const role = roleOf(ctx);
  const paused = row.paused !== undefined;
  return {
    pause: actionView("pause", role, "topics.pause", paused ? "It is paused already." : undefined),
    resume: actionView("resume", role, "topics.resume", paused ? undefined : "It is not paused."),
    route: actionView("route", role, "topics.route", hasOwnWay(topic) ? OWN_WAY : undefined),
  };
}

/** Why nobody chooses how such a topic travels. */
export const OWN_WAY = "Mail and merchants' webhooks have a way of their own.";
