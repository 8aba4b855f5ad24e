import type { Queryable } from "@/db/client";
import {
  selectTopic,
  setTopic as writeTopic,
  type TopicDbRow,
  topicExists,
  type TopicSettings,
} from "@/db/outbox/topics";
import { AppError } from "@/domain/errors";
import { routeProblem, isTopicName, type RouteTransport } from "@/domain/messages/topic-route";
import type { ActionOutcome, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { OWN_WAY } from "@/console/read/messages/read-topic";
import { hasOwnWay, type Deployment } from "@/engine/outbox/topics";
import { destinationProblem as unsafeDestination } from "@/engine/outbox/transports/safe-destination";

export interface TopicActionRequest extends Pick<ActionRequest, "idempotencyKey" | "receivedAt" | "reason"> {
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

/**
 * Pauses a topic. Relays take none of its messages from their next turn on; deliveries under way are finished; nothing is lost.
 * @throws AppError `auth.forbidden` 403, `topic.not_found` 404, `topic.version_conflict` 409 when somebody was first
 */
export function pauseTopic(ctx: EngineContext, click: TopicActionRequest): Promise<ActionResult> {
  return change(ctx, "topics.pause", click, {}, (now) => ({ ...now, paused: true }));
}

/** Resumes a topic; its messages leave in their order. @throws AppError as pauseTopic */
export function resumeTopic(ctx: EngineContext, click: TopicActionRequest): Promise<ActionResult> {
  return change(ctx, "topics.resume", click, {}, (now) => ({ ...now, paused: false }));
}

/**
 * Decides by what and where to a topic travels from the relays' next turn on; ids and bodies of messages stay the same.
 *
 * @throws AppError as pauseTopic; `validation.topic` 422 for a destination that its transport cannot use or a topic that has a way
 * of its own, `topic.transport_not_configured` 422
 */
export async function routeTopic(
  ctx: EngineContext,
  deployment: Deployment,
  click: TopicActionRequest,
  route: TopicRouteChange,
): Promise<ActionResult> {
  requireUsable(click.topic, deployment, route);
  const input = { transport: route.transport ?? null, destination: route.destination ?? null };
  return change(ctx, "topics.route", click, input, (now) => ({ ...now, ...route }));
}

async function change(
  ctx: EngineContext,
  action: "topics.pause" | "topics.resume" | "topics.route",
  { topic, expectedVersion, ...click }: TopicActionRequest,
  input: ActionRequest["input"],
  decide: (now: Decision) => Decision,
): Promise<ActionResult> {
  if (!isTopicName(topic)) throw notFound();
  const request: ActionRequest = {
    ...click,
    action,
    subject: { type: "topic", id: topic },
    input: { ...input, expectedVersion: String(expectedVersion) },
  };
  return operatorAction(ctx, request, async (tx): Promise<ActionOutcome> => {
    if (!(await topicExists(tx, ctx.tenantId, topic))) throw notFound();
    const row = await selectTopic(tx, ctx.tenantId, topic);
    if ((row?.version ?? 0) !== expectedVersion) throw changedMeanwhile(row);
    const before = decisionOf(row);
    const after = decide(before);
    if (same(before, after))
      return {
        changed: false,
        affected: 0,
        skipped: [{ id: topic, why: already(action) }],
        before: facts(row),
        after: facts(row),
      };
    return {
      changed: true,
      affected: 1,
      skipped: [],
      before: facts(row),
      after: await write(ctx, tx, topic, expectedVersion, after, click.reason),
    };
  });
}

async function write(
  ctx: EngineContext,
  tx: Queryable,
  topic: string,
  version: number,
  decision: Decision,
  reason: string | undefined,
): Promise<ActionOutcome["after"]> {
  const settings = { tenantId: ctx.tenantId, topic, version, ...decision, reason: reason ?? "", actor: ctx.actor.name };
  const written = await writeTopic(tx, settings);
  if (written === undefined) throw changedMeanwhile(await selectTopic(tx, ctx.tenantId, topic));
  return {
    ...decision,
    transport: decision.transport ?? null,
    destination: decision.destination ?? null,
    version: written.version,
  };
}

function decisionOf(row: TopicDbRow | undefined): Decision {
  return {
    transport: row?.transport ?? undefined,
    destination: row?.destination ?? undefined,
    paused: row !== undefined && row.paused_at !== null,
  };
}

function same(a: Decision, b: Decision): boolean {
  return a.transport === b.transport && a.destination === b.destination && a.paused === b.paused;
}

function facts(row: TopicDbRow | undefined): Readonly<Record<string, unknown>> {
  const { transport = null, destination = null, paused } = decisionOf(row);
  return { transport, destination, paused, version: row?.version ?? 0 };
}

function already(action: "topics.pause" | "topics.resume" | "topics.route"): string {
  if (action === "topics.route") return "It travels like that already.";
  return action === "topics.pause" ? "It is paused already." : "It is not paused.";
}

function requireUsable(topic: string, deployment: Deployment, { transport, destination }: TopicRouteChange): void {
  if (hasOwnWay(topic)) throw invalid(OWN_WAY);
  const carrier = transport ?? deployment.fallback;
  if (!deployment.offered.includes(carrier)) {
    const name = carrier === "nats" ? "NATS_URL" : "RABBITMQ_URL";
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

function notFound(): AppError {
  return new AppError("topic.not_found", 404, "There is no such topic", {
    detail: "Nothing was changed. Nothing was ever written to it, and no endpoint has it.",
  });
}

function changedMeanwhile(now: TopicDbRow | undefined): AppError {
  return new AppError("topic.version_conflict", 409, "Somebody changed this topic meanwhile", {
    detail:
      now === undefined
        ? "Nothing was changed. Look again."
        : `Nothing was changed. ${now.updated_by} made version ${String(now.version)}. Look again, then decide.`,
    ...(now !== undefined && { extensions: { version: now.version } }),
  });
}
