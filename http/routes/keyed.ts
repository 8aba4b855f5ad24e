import type { Context, Hono } from "hono";
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
import { declare, type RouteDeclaration, type RouteName } from "../declare";
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

type CallDeclaration = RouteDeclaration & { readonly access: CallAction };

/** Registers a call without a key: who calls and whether they may, how often, and then the handler. */
export function declareCall(
  app: Hono<ApiEnv>,
  services: Services,
  route: RouteName,
  about: CallDeclaration,
  run: (c: Context<ApiEnv>, ctx: EngineContext) => Promise<Response>,
): void {
  declare(app, route, about, async (c) => {
    const client = await enterCall(c, services, about.access);
    return run(c, contextOf(c, client.tenantId, actorOf(client)));
  });
}

/** A POST that runs at most once per key. */
interface KeyedDeclaration<B, C> extends Omit<CallDeclaration, "body"> {
  readonly definition: OperationDefinition<C>;
  readonly body: CommandBody<B>;
  /**
   * Turns the validated body into the command.
   * @throws AppError for what refers to nothing; nothing is recorded then
   */
  readonly command: (ctx: EngineContext, body: B, c: Context<ApiEnv>) => C | Promise<C>;
}

/**
 * The order is the contract: who calls and whether they may, how often, what they sent, under which key, whether it is a
 * command at all. Only then is anything recorded. The policy is read once and decides every step.
 */
export function declareKeyed<B, C>(
  app: Hono<ApiEnv>,
  services: Services,
  route: RouteName,
  { definition: unbound, body, command, ...about }: KeyedDeclaration<B, C>,
): void {
  const handler = needsKey(async (c: Context<ApiEnv>) => {
    const client = await enterCall(c, services, about.access);
    const json = await readJson(c.req.raw, { optional: about.bodyOptional ?? false });
    const key = requireKey(c);
    const ctx = keyedContext(c, client);
    const definition = await bind(ctx, unbound);
    const request = {
      key,
      command: await command(ctx, validateCommand(body, json, definition.policy), c),
      receivedAt: c.get("receivedAt"),
      shape: shapeOf(json, body),
    };
    const answer = await runKeyed(services, ctx, client, definition, request);
    return errorProfileOf(client.profile).answer(answer, definition.policy, requestMetaOf(c));
  });
  declare(app, route, { ...about, body: body.schema }, handler);
}

/** The first two steps of every call. @throws AppError 401, 403, 429 */
export async function enterCall(c: Context<ApiEnv>, services: Services, action: CallAction): Promise<ApiClient> {
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
