import type { Context, Handler } from "hono";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import type { CallAction } from "@/domain/access/permission";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { bind } from "@/engine/execute/bind";
import type { EngineContext } from "@/engine/context";
import { executeBound } from "@/engine/execute/execute";
import type { ExecuteRequest } from "@/engine/execute/execute-request";
import type { BoundOperation, OperationDefinition } from "@/engine/execute/operation";
import { readJson } from "../body/read-json";
import { validateCommand, type CommandBody } from "../body/validate";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import { parseRequestTimeout } from "../guard/in-time";
import { actorOf, contextOf } from "../guard/request-context";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { requestMetaOf } from "../profiles/request-meta";
import { errorProfileOf } from "../profiles/profiles";
import type { Services } from "../services";
import { shapeOf } from "./shape";

/** A POST that runs at most once per key. */
export interface KeyedRoute<B, C> {
  readonly action: CallAction;
  readonly definition: OperationDefinition<C>;
  readonly body: CommandBody<B>;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  /**
   * Turns the validated body into the command.
   * @throws AppError for what refers to nothing; nothing is recorded then
   */
  command(ctx: EngineContext, body: B, c: Context<ApiEnv>): C | Promise<C>;
}

/**
 * The order is the contract: who calls and whether they may, how often, what they sent, under which key, whether it is a
 * command at all. Only then is anything recorded. The policy is read once and decides every step.
 */
export function keyedHandler<B, C>(services: Services, route: KeyedRoute<B, C>): Handler<ApiEnv> {
  return needsKey(async (c: Context<ApiEnv>) => {
    const client = await enterKeyed(c, services, route.action);
    const json = await readJson(c.req.raw, { optional: route.bodyOptional ?? false });
    const key = requireKey(c);
    const ctx = keyedContext(c, client);
    const definition = await bind(ctx, route.definition);
    const command = await route.command(ctx, validateCommand(route.body, json, definition.policy), c);
    const shape = shapeOf(json, route.body);
    const request = { key, command, receivedAt: c.get("receivedAt"), shape };
    const answer = await runKeyed(services, ctx, client, definition, request);
    return errorProfileOf(client.profile).answer(answer, definition.policy, requestMetaOf(c));
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

/** Runs the operation; a replay is not charged to the quota a second time. */
export async function runKeyed<C>(
  { limiters }: Services,
  ctx: EngineContext,
  client: ApiClient,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
): Promise<ExecuteAnswer> {
  const answer = await executeBound(ctx, definition, request);
  if (answer.outcome === "replayed") limiters.calls.restore(client.keyId);
  return answer;
}
