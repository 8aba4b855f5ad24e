import {
  selectTopic,
  setTopic as writeTopic,
  type TopicDbRow,
  topicExists,
  type TopicSettings,
} from "@/db/outbox/topics";
import { AppError } from "@/domain/errors";
import { routeProblem, isTopicName, type RouteTransport } from "@/domain/messages/topic-route";
import {
  changedOutcome,
  unchangedOutcome,
  type ActionFacts,
  type ActionOrigin,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { OWN_WAY } from "@/console/read/messages/read-topic";
import { hasOwnWay, type Deployment } from "@/engine/outbox/topics";
import { destinationProblem as unsafeDestination } from "@/engine/outbox/transports/safe-destination";

export interface TopicActionRequest extends ActionOrigin {
  readonly topic: string;
  /** The version that was looked at; 0 while nobody decided anything. */
  readonly expectedVersion: number;
}

export interface TopicRouteChange {
  /** Undefined: as the deployment says. */
  readonly transport: RouteTransport | undefined;
  /** Undefined: the transport's own. */
  readonly destination: string | undefined;
}

/** Of a topic, what an action may change; everything else stays. */
type Decision = Pick<TopicSettings, "transport" | "destination" | "paused">;

const ALREADY = {
  "topics.pause": "It is paused already.",
  "topics.resume": "It is not paused.",
  "topics.route": "It has this route already.",
} as const;
type TopicAction = keyof typeof ALREADY;

/**
 * Pauses a topic. Relays take no more of its messages; what they have taken may still be sent; nothing is lost.
 * @throws AppError `auth.forbidden` 403, `topic.not_found` 404, `topic.version_conflict` 409 when somebody was first
 */
export function pauseTopic(ctx: EngineContext, request: TopicActionRequest): Promise<ActionResult> {
  return change(ctx, "topics.pause", request, {}, (now) => ({ ...now, paused: true }));
}

/** Resumes a topic; its messages leave in their order. @throws AppError as pauseTopic */
export function resumeTopic(ctx: EngineContext, request: TopicActionRequest): Promise<ActionResult> {
  return change(ctx, "topics.resume", request, {}, (now) => ({ ...now, paused: false }));
}

/**
 * Decides by what and where to a topic travels from the relays' next turn on; ids and bodies of messages stay the same.
 * @throws AppError as pauseTopic; `validation.topic` 422 for a destination that its transport cannot use or a topic that has a
 * way of its own, `topic.transport_not_configured` 422
 */
export async function routeTopic(
  ctx: EngineContext,
  deployment: Deployment,
  request: TopicActionRequest,
  route: TopicRouteChange,
): Promise<ActionResult> {
  requireUsable(request.topic, deployment, route);
  const input = { transport: route.transport ?? null, destination: route.destination ?? null };
  return change(ctx, "topics.route", request, input, (now) => ({ ...now, ...route }));
}

async function change(
  ctx: EngineContext,
  action: TopicAction,
  { topic, expectedVersion, ...origin }: TopicActionRequest,
  input: ActionRequest["input"],
  decide: (now: Decision) => Decision,
): Promise<ActionResult> {
  if (!isTopicName(topic)) throw notFound("Nothing was changed. A topic cannot have this name.");
  const request: ActionRequest = {
    ...origin,
    action,
    subject: { type: "topic", id: topic },
    input: { ...input, expectedVersion: String(expectedVersion) },
  };
  return operatorAction(ctx, request, async (tx) => {
    if (!(await topicExists(tx, ctx.tenantId, topic))) throw notFound();
    const row = await selectTopic(tx, ctx.tenantId, topic);
    if ((row?.version ?? 0) !== expectedVersion) throw changedMeanwhile(row);
    const before = decisionOf(row);
    const after = decide(before);
    const unchanged =
      before.transport === after.transport &&
      before.destination === after.destination &&
      before.paused === after.paused;
    if (unchanged) return unchangedOutcome(topic, ALREADY[action], factsOf(before, expectedVersion));
    const settings = { tenantId: ctx.tenantId, topic, version: expectedVersion, ...after };
    const written = await writeTopic(tx, { ...settings, reason: origin.reason ?? "", actor: ctx.actor.name });
    if (written === undefined) throw changedMeanwhile(await selectTopic(tx, ctx.tenantId, topic));
    return changedOutcome(factsOf(before, expectedVersion), factsOf(after, written.version));
  });
}

function decisionOf(row: TopicDbRow | undefined): Decision {
  return {
    transport: row?.transport,
    destination: row?.destination,
    paused: row !== undefined && row.pausedAt !== undefined,
  };
}

function factsOf({ transport, destination, paused }: Decision, version: number): ActionFacts {
  return { transport: transport ?? null, destination: destination ?? null, paused, version };
}

function requireUsable(topic: string, deployment: Deployment, { transport, destination }: TopicRouteChange): void {
  if (hasOwnWay(topic)) throw invalid(OWN_WAY);
  const carrier = transport ?? deployment.fallback;
  if (!deployment.offered.includes(carrier)) {
    const name = `${carrier.toUpperCase()}_URL`;
    throw new AppError("topic.transport_not_configured", 422, "This deployment has no such transport", {
      detail: `Nothing was changed. ${name} is not set, so a message of this topic could not leave.`,
    });
  }
  const problem = destination === undefined ? undefined : problemOf(carrier, destination, deployment);
  if (problem !== undefined) throw invalid(problem);
}

function problemOf(
  carrier: RouteTransport,
  destination: string,
  { allowPrivate = false }: Deployment,
): string | undefined {
  const problem = routeProblem(carrier, destination);
  if (problem !== undefined || carrier !== "http") return problem;
  return unsafeDestination(new URL(destination), { allowPrivate });
}

function invalid(why: string): AppError {
  return new AppError("validation.topic", 422, "This route is not possible for the topic", {
    detail: `Nothing was changed. ${why}`,
  });
}

function notFound(detail = "Nothing was changed. No message, setting or endpoint of this name was found."): AppError {
  return new AppError("topic.not_found", 404, "There is no such topic", { detail });
}

function changedMeanwhile(now: TopicDbRow | undefined): AppError {
  return new AppError("topic.version_conflict", 409, "This topic is at another version", {
    detail:
      now === undefined
        ? "Nothing was changed. Look again."
        : `Nothing was changed. ${now.updatedBy} made version ${String(now.version)}. Look again, then decide.`,
    ...(now !== undefined && { extensions: { version: now.version } }),
  });
}
