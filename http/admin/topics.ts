import type { Hono } from "hono";
import { z } from "zod";
import { parseFlowWindow, parseOverviewFilters } from "@/presentation/filters/parsers";
import { DESTINATION_MAX, ROUTE_TRANSPORTS } from "@/domain/messages/topic-route";
import { listConsumers, readConsumer } from "@/console/read/messages/read-consumer";
import { readFlow } from "@/console/read/messages/read-flow";
import { listTopics, readTopic } from "@/console/read/messages/read-topic";
import { pauseTopic, resumeTopic, routeTopic, type TopicActionRequest } from "@/console/actions/set-topic";
import { deploymentOf, type Deployment } from "@/engine/outbox/topics";
import { isPlain, PLAIN_RULE } from "@/domain/plain-text";
import type { AdminEnv } from "../env";
import { withMessage } from "./action-answer";
import { reason } from "./action-bodies";
import { act, list, read, type ActionCall, type AdminCall } from "./declare";

const VERSION_MAX = 2_147_483_646;
const expectedVersion = z.int("must be the version that was looked at").min(0).max(VERSION_MAX);
const turnBody = z.strictObject({ expectedVersion, reason });
/** A form sends an empty text where nothing is chosen. */
const emptyIsNone = z.literal("").transform(() => undefined);
const routeBody = z.strictObject({
  expectedVersion,
  reason,
  transport: z.union([emptyIsNone, z.enum(ROUTE_TRANSPORTS)]).optional(),
  destination: z
    .union([emptyIsNone, z.string().trim().min(1).max(DESTINATION_MAX).refine(isPlain, PLAIN_RULE)])
    .optional(),
});
const errors = ["topic.not_found", "topic.version_conflict"];

/** Where messages wait: topics, which an operator may pause and route, and consumers. */
export function registerAdminTopics(app: Hono<AdminEnv>): void {
  const topics = { id: "listTopics", summary: "Topics and what waits in them" };
  read(app, "outbox.read", "/topics", topics, (ctx, c) => listTopics(ctx, deployment(c)));
  const flow = {
    id: "readFlow",
    summary: "What moves from operations to topics, consumers, endpoints and the ledger",
    filters: parseFlowWindow,
  };
  list(app, "outbox.read", "/flow", flow, (ctx, input, c) => readFlow(ctx, deployment(c), input.filters));
  const filters = parseOverviewFilters;
  const topic = { id: "readTopic", summary: "A topic", filters, notFound: "topic" };
  list(app, "outbox.read", "/topics/:topic", topic, (ctx, input, c) =>
    readTopic(ctx, deployment(c), { topic: topicOf(c), range: input.filters.range }),
  );
  const consumers = { id: "listConsumers", summary: "Consumers and what waits for them" };
  read(app, "inbox.read", "/consumers", consumers, (ctx) => listConsumers(ctx));
  const consumer = { id: "readConsumer", summary: "A consumer", filters, notFound: "consumer" };
  list(app, "inbox.read", "/consumers/:consumer", consumer, (ctx, input, c) =>
    readConsumer(ctx, { consumer: c.req.param("consumer") ?? "", range: input.filters.range }),
  );
  const pause = { id: "pauseTopic", summary: "Pause a topic", body: turnBody, errors };
  act(app, "topics.pause", "/topics/:topic/pause", pause, async (call, body) => {
    const result = await pauseTopic(call.ctx, topicRequestOf(call, body));
    return withMessage(
      call.c,
      result,
      "It is paused. What relays have taken already may still be sent; the rest waits.",
    );
  });
  const resume = { id: "resumeTopic", summary: "Resume a topic", body: turnBody, errors };
  act(app, "topics.resume", "/topics/:topic/resume", resume, async (call, body) =>
    withMessage(call.c, await resumeTopic(call.ctx, topicRequestOf(call, body)), "Resumed, in order."),
  );
  const route = {
    id: "routeTopic",
    summary: "Change the route of a topic",
    body: routeBody,
    errors: [...errors, "topic.transport_not_configured", "validation.topic"],
  };
  act(app, "topics.route", "/topics/:topic/route", route, async (call, body) => {
    const { transport, destination } = body;
    const request = topicRequestOf(call, body);
    const result = await routeTopic(call.ctx, deployment(call.c), request, { transport, destination });
    return withMessage(call.c, result, "The new route applies from the relays' next turn.");
  });
}

function topicRequestOf({ c, origin }: ActionCall, body: { readonly expectedVersion: number }): TopicActionRequest {
  return { topic: topicOf(c), expectedVersion: body.expectedVersion, ...origin };
}

function topicOf(c: AdminCall): string {
  return c.req.param("topic") ?? "";
}

function deployment(c: AdminCall): Deployment {
  return deploymentOf(c.get("deps").config);
}
