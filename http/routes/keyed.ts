import type { Context, Handler } from "hono";
import type { ApiClient } from "@/auth/api-keys";
import type { CallAction } from "@/domain/permission";
import type { OperationPolicy } from "@/domain/policy";
import type { Answer } from "@/engine/answer";
import type { EngineContext } from "@/engine/context";
import { execute, type ExecuteRequest } from "@/engine/execute";
import type { OperationDefinition } from "@/engine/operation";
import type { ParsedJson } from "../body/parse-json";
import { readJson } from "../body/read-json";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import { parseRequestTimeout } from "../guard/in-time";
import { actorOf, contextOf } from "../guard/request-context";
import { needsKey } from "../guard/keyed-routes";
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
  command(ctx: EngineContext, body: ParsedJson, policy: OperationPolicy, c: Context<ApiEnv>): C | Promise<C>;
}

/**
 * The order is the contract: who calls and whether they may, how often, what they sent, under which key, whether it is a
 * command at all. Only then is anything recorded (C16).
 */
export function keyedHandler<C>(services: Services, route: KeyedRoute<C>): Handler<ApiEnv> {
  const { definition } = route;
  return needsKey(async (c: Context<ApiEnv>) => {
    const client = await enterKeyed(c, services, route.action);
    const body = await readJson(c.req.raw, { optional: route.bodyOptional ?? false });
    const key = requireKey(c);
    const ctx = keyedContext(c, client);
    const policy = await ctx.policies.of(ctx.tenantId, definition);
    const command = await route.command(ctx, body, policy, c);
    const request = { key, command, receivedAt: c.get("receivedAt"), shape: shapeOf(body) };
    const answer = await runKeyed(services, ctx, client, definition, request);
    return profileOf(client.profile).answer(answer, policy, askedOf(c));
  });
}

/** The first two steps of every keyed call. @throws AppError 401, 403, 429 */
export async function enterKeyed(c: Context<ApiEnv>, services: Services, action: CallAction): Promise<ApiClient> {
  const client = await requireClient(c, action);
  services.limiters.calls.take(client.keyId);
  return client;
}

/** @throws AppError `validation.request_timeout` 400 */
export function keyedContext(c: Context<ApiEnv>, client: ApiClient): EngineContext {
  parseRequestTimeout(c.req.header("x-request-timeout"));
  return contextOf(c, client.tenantId, actorOf(client));
}

/** Runs the operation; a replay is not charged to the quota a second time (C16). */
export async function runKeyed<C>(
  { limiters }: Services,
  ctx: EngineContext,
  client: ApiClient,
  definition: OperationDefinition<C>,
  request: ExecuteRequest<C>,
): Promise<Answer> {
  const answer = await execute(ctx, definition, request);
  if (answer.outcome === "replayed") limiters.calls.giveBack(client.keyId);
  return answer;
}
