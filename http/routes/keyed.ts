import type { Context, Hono } from "hono";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import type { CallAction } from "@/domain/access/permission";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { bind } from "@/engine/execute/bind";
import type { EngineContext } from "@/engine/context";
import { executeBound } from "@/engine/execute/execute";
import type { ExecuteRequest } from "@/engine/execute/execute-request";
import type { OperationDefinition } from "@/engine/execute/operation";
import type { ParsedJson } from "../body/parse-json";
import { readJson } from "../body/read-json";
import { validateCommand, type CommandBody } from "../body/validate";
import { declare, type RouteDeclaration, type RouteName } from "../declare";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import { parseRequestTimeout } from "../guard/in-time";
import { actorOf, contextOf } from "../guard/request-context";
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

/** What runs at most once per key: a body that becomes the command of an operation. */
export interface KeyedCommand<B, C> {
  readonly definition: OperationDefinition<C>;
  readonly body: CommandBody<B>;
  /**
   * Turns the validated body into the command.
   * @throws AppError for what refers to nothing; nothing is recorded then
   */
  readonly command: (ctx: EngineContext, body: B, idInPath: string | undefined) => C | Promise<C>;
}

/**
 * The order is the contract: who calls and whether they may, how often, what they sent, under which key, whether it is a
 * command at all. Only then is anything recorded. The policy is read once and decides every step.
 */
export function declareKeyed<B, C>(
  app: Hono<ApiEnv>,
  services: Services,
  route: RouteName,
  declaration: KeyedCommand<B, C> & Omit<CallDeclaration, "body">,
): void {
  const { definition, body, command, ...about } = declaration;
  const handler = async (c: Context<ApiEnv>) => {
    const client = await enterCall(c, services, about.access);
    const json = await readJson(c.req.raw, { optional: about.bodyOptional ?? false });
    const key = requireKey(c);
    const ctx = keyedContext(c, client);
    const request = { key, receivedAt: c.get("receivedAt") };
    const input = { json, written: json, idInPath: c.req.param("id") };
    const { answer, policy } = await runKeyed(services, ctx, client, { definition, body, command }, input, request);
    return errorProfileOf(client.profile).answer(answer, policy, requestMetaOf(c));
  };
  declare(app, route, { ...about, body: body.schema, keyed: true }, handler);
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

export type KeyedRequest = Omit<ExecuteRequest<unknown>, "command" | "shape" | "sent">;

interface KeyedInput {
  readonly json: ParsedJson;
  /** The body with the names that its caller used. */
  readonly written: ParsedJson;
  readonly idInPath?: string | undefined;
}

/** Validates the body by the operation's policy and runs the command; a replay is not charged to the quota a second time. */
export async function runKeyed<B, C>(
  { limiters }: Services,
  ctx: EngineContext,
  client: ApiClient,
  keyed: KeyedCommand<B, C>,
  { json, written, idInPath }: KeyedInput,
  request: KeyedRequest,
): Promise<{ readonly answer: ExecuteAnswer; readonly policy: OperationPolicy }> {
  const definition = await bind(ctx, keyed.definition);
  const { policy } = definition;
  const command = await keyed.command(ctx, validateCommand(keyed.body, json, policy), idInPath);
  const shape = () => shapeOf(written, keyed.body);
  const answer = await executeBound(ctx, definition, { ...request, command, shape, sent: written.value });
  if (answer.outcome === "replayed") limiters.calls.restore(client.keyId);
  return { answer, policy };
}
