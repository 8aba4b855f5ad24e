import type { Context, Handler } from "hono";
import type { CallAction } from "@/domain/permission";
import type { EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute";
import type { OperationDefinition } from "@/engine/operation";
import type { ParsedJson } from "../body/parse-json";
import { readJson } from "../body/read-json";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import { actorOf, contextOf, parseRequestTimeout } from "../guard/request-context";
import { requireKey } from "../guard/require-key";
import { askedOf } from "../profiles/asked";
import { profileOf } from "../profiles/profiles";
import type { Services } from "../services";
import { shapeOf } from "./shape";

/** A POST that runs at most once per key. */
export interface KeyedRoute<C> {
  readonly action: CallAction;
  readonly definition: OperationDefinition<C>;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  /**
   * Turns the request into a validated command.
   * @throws AppError for what is malformed or refers to nothing; nothing is recorded then
   */
  command(ctx: EngineContext, body: ParsedJson, c: Context<ApiEnv>): C | Promise<C>;
}

/**
 * The order is the contract: who calls and whether they may, how often, what they sent, under which key, whether it is a
 * command at all. Only then is anything recorded (C16).
 */
export function keyedHandler<C>(services: Services, route: KeyedRoute<C>): Handler<ApiEnv> {
  const { limiters, metrics } = services;
  const { definition } = route;
  return async (c) => {
    const client = await requireClient(c, route.action);
    limiters.calls.take(client.keyId);
    const body = await readJson(c.req.raw, { optional: route.bodyOptional ?? false });
    const key = requireKey(c);
    const budgetMs = parseRequestTimeout(c.req.header("x-request-timeout"));
    const ctx = contextOf(c, client.tenantId, actorOf(client), budgetMs);
    const command = await route.command(ctx, body, c);
    const answer = await execute(ctx, definition, {
      key,
      command,
      receivedAt: c.get("receivedAt"),
      shape: shapeOf(body),
    });
    if (answer.outcome === "replayed") limiters.calls.giveBack(client.keyId);
    metrics.answered(definition.name, answer.outcome);
    return profileOf(client.profile).answer(answer, definition.policy, askedOf(c));
  };
}
