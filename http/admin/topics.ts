import type { Context, Hono } from "hono";
import { z } from "zod";
import { parseOverviewFilters } from "@/domain/filters/overview";
import { DESTINATION_MAX, ROUTE_TRANSPORTS } from "@/domain/topic-route";
import type { ActionAnswer } from "@/engine/action-answer";
import { listConsumers, readConsumer } from "@/engine/read/read-consumer";
import { listTopics, readTopic } from "@/engine/read/read-topic";
import { pauseTopic, resumeTopic, routeTopic, type TopicClick } from "@/engine/set-topic";
import { deploymentOf, type Deployment } from "@/engine/topics";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { reason } from "./action-bodies";
import { actionAnswer, bodyOf } from "./actions";
import { found, searchOf, understood } from "./read-input";

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

/** Where messages wait: topics, which an operator may pause and route (S3.5), and consumers. */
export function registerAdminTopics(app: Hono<AdminEnv>): void {
  app.get("/topics", async (c) => jsonAnswer(c, await listTopics(c.get("ctx"), deployment(c))));
  app.get("/topics/:topic", async (c) => {
    const { range } = understood(parseOverviewFilters(searchOf(c))).filters;
    return jsonAnswer(c, found(await readTopic(c.get("ctx"), deployment(c), { topic: topicOf(c), range }), "topic"));
  });
  app.get("/consumers", async (c) => jsonAnswer(c, await listConsumers(c.get("ctx"))));
  app.get("/consumers/:consumer", async (c) => {
    const { range } = understood(parseOverviewFilters(searchOf(c))).filters;
    return jsonAnswer(
      c,
      found(await readConsumer(c.get("ctx"), { consumer: c.req.param("consumer"), range }), "consumer"),
    );
  });
  app.post(
    "/topics/:topic/pause",
    needsKey(async (c: Context<AdminEnv>) => {
      const result = await pauseTopic(c.get("ctx"), clickOf(c, await bodyOf(c, turnBody)));
      return actionAnswer(c, result, {
        message: said(result.answer, "It is paused. What is under way is finished; the rest waits."),
      });
    }),
  );
  app.post(
    "/topics/:topic/resume",
    needsKey(async (c: Context<AdminEnv>) => {
      const result = await resumeTopic(c.get("ctx"), clickOf(c, await bodyOf(c, turnBody)));
      return actionAnswer(c, result, { message: said(result.answer, "It goes on, in order.") });
    }),
  );
  app.post(
    "/topics/:topic/route",
    needsKey(async (c: Context<AdminEnv>) => {
      const body = await bodyOf(c, routeBody);
      const { transport, destination } = body;
      const result = await routeTopic(c.get("ctx"), deployment(c), clickOf(c, body), { transport, destination });
      return actionAnswer(c, result, {
        message: said(result.answer, "From the relays' next turn on it travels like that."),
      });
    }),
  );
}

function said({ changed, skipped }: ActionAnswer, done: string): string {
  return changed ? done : `Nothing changed. ${skipped[0]?.why ?? ""}`;
}

function clickOf(
  c: Context<AdminEnv>,
  body: { readonly expectedVersion: number; readonly reason: string },
): TopicClick {
  return {
    topic: topicOf(c),
    expectedVersion: body.expectedVersion,
    reason: body.reason,
    idempotencyKey: requireKey(c),
    receivedAt: c.get("receivedAt"),
  };
}

function topicOf(c: Context<AdminEnv>): string {
  return c.req.param("topic") ?? "";
}

function deployment(c: Context<AdminEnv>): Deployment {
  return deploymentOf(c.get("deps").config);
}
