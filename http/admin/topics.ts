import type { Hono } from "hono";
import { z } from "zod";
import { parseOverviewFilters } from "@/presentation/filters/parsers";
import { DESTINATION_MAX, ROUTE_TRANSPORTS } from "@/domain/messages/topic-route";
import { listConsumers, readConsumer } from "@/console/read/messages/read-consumer";
import { listTopics, readTopic } from "@/console/read/messages/read-topic";
import { pauseTopic, resumeTopic, routeTopic, type TopicActionRequest } from "@/console/actions/set-topic";
import { deploymentOf, type Deployment } from "@/engine/outbox/topics";
import type { AdminEnv } from "../env";
import { actionOrigin, withMessage } from "./action-answer";
import { reason } from "./action-bodies";
import { act, list, read, type AdminCall } from "./declare";

const VERSION_MAX = 2_147_483_646;
const expectedVersion = z.int("must be the version that was looked at").min(0).max(VERSION_MAX);
const turnBody = z.strictObject({ expectedVersion, reason });
/** A form sends an empty text where nothing is chosen. */
const emptyIsNone = z.literal("").transform(() => undefined);
const routeBody = z.strictObject({
  expectedVersion,
  reason,
  transport: z.union([emptyIsNone, z.enum(ROUTE_TRANSPORTS)]).optional(),
  destination: z.union([emptyIsNone, z.string().trim().min(1).max(DESTINATION_MAX)]).optional(),
});
const errors = ["topic.not_found", "topic.version_conflict"];

/** Where messages wait: topics, which an operator may pause and route, and consumers. */
export function registerAdminTopics(app: Hono<AdminEnv>): void {
  read(app, "/topics", { id: "listTopics", summary: "Topics and what waits in them" }, (c) =>
    listTopics(c.get("ctx"), deployment(c)),
  );
  const filters = parseOverviewFilters;
  list(app, "/topics/:topic", { id: "readTopic", summary: "A topic", filters, notFound: "topic" }, (c, input) =>
    readTopic(c.get("ctx"), deployment(c), { topic: topicOf(c), range: input.filters.range }),
  );
  read(app, "/consumers", { id: "listConsumers", summary: "Consumers and what waits for them" }, (c) =>
    listConsumers(c.get("ctx")),
  );
  const consumer = { id: "readConsumer", summary: "A consumer", filters, notFound: "consumer" };
  list(app, "/consumers/:consumer", consumer, (c, input) =>
    readConsumer(c.get("ctx"), { consumer: c.req.param("consumer") ?? "", range: input.filters.range }),
  );
  const pause = { id: "pauseTopic", summary: "Send nothing of a topic for now", body: turnBody, errors };
  act(app, "/topics/:topic/pause", pause, async (c, body) => {
    const result = await pauseTopic(c.get("ctx"), topicRequestOf(c, body));
    return withMessage(c, result, "It is paused. What is under way is finished; the rest waits.");
  });
  const resume = { id: "resumeTopic", summary: "Send a topic again", body: turnBody, errors };
  act(app, "/topics/:topic/resume", resume, async (c, body) =>
    withMessage(c, await resumeTopic(c.get("ctx"), topicRequestOf(c, body)), "It goes on, in order."),
  );
  const route = {
    id: "routeTopic",
    summary: "Say what carries a topic, and where to",
    body: routeBody,
    errors: [...errors, "topic.transport_not_configured", "validation.topic"],
  };
  act(app, "/topics/:topic/route", route, async (c, body) => {
    const { transport, destination } = body;
    const result = await routeTopic(c.get("ctx"), deployment(c), topicRequestOf(c, body), { transport, destination });
    return withMessage(c, result, "From the relays' next turn on it travels like that.");
  });
}

function topicRequestOf(
  c: AdminCall,
  body: { readonly expectedVersion: number; readonly reason: string },
): TopicActionRequest {
  return { topic: topicOf(c), expectedVersion: body.expectedVersion, ...actionOrigin(c, body.reason) };
}

function topicOf(c: AdminCall): string {
  return c.req.param("topic") ?? "";
}

function deployment(c: AdminCall): Deployment {
  return deploymentOf(c.get("deps").config);
}
