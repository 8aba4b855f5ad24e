import { randomUUID } from "node:crypto";
import type { Context, Hono } from "hono";
import { z } from "zod";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { isLater, whenThere, type Soon } from "@/domain/soon";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { bind } from "@/engine/execute/bind";
import type { EngineContext } from "@/engine/context";
import { executeBound } from "@/engine/execute/execute";
import type { ExecuteRequest } from "@/engine/execute/execute-request";
import type { OperationDefinition } from "@/engine/execute/operation";
import type { RouteFields, KeyedCommand, Values } from "@/engine/module/route";
import type { ParsedJson } from "../body/parse-json";
import { validateCommand } from "../body/validate";
import { declare, type RouteDeclaration, type RouteName } from "../declare";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import { parseRequestTimeout } from "../guard/in-time";
import { actorOf, contextOf } from "../guard/request-context";
import { keyMissing } from "../guard/require-key";
import type { Services } from "../services";
import { shapeOf } from "./shape";

/** Of a route that API keys of some scopes may call. */
export type CallDeclaration = RouteDeclaration & { readonly access: readonly string[] };

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

/**
 * The policy may let a request run without a key: then it has one that nobody can repeat before its answer names it.
 * @throws AppError `idempotency.key_missing` 400
 */
export async function keyMadeFor(
  c: Context<ApiEnv>,
  ctx: EngineContext,
  { operation }: Pick<KeyedCommand<unknown, unknown>, "operation">,
): Promise<string> {
  const { policy } = await bind(ctx, operation);
  if (policy.key === "required") throw keyMissing("An Idempotency-Key header is needed");
  const key = `unkeyed-${randomUUID()}`;
  c.set("keyEcho", key);
  c.set("unkeyed", true);
  return key;
}

/** The first two steps of every call. @param scopes of which one suffices @throws AppError 401, 403, 429 */
export function enterCall(c: Context<ApiEnv>, services: Services, scopes: readonly string[]): Soon<ApiClient> {
  return whenThere(requireClient(c, scopes), (client) => {
    services.limiters.calls.take(client.keyId);
    return client;
  });
}

/** @throws AppError `validation.request_timeout` 400 */
export function keyedContext(c: Context<ApiEnv>, client: ApiClient): EngineContext {
  parseRequestTimeout(c.req.header("x-request-timeout"));
  return contextOf(c, client.tenantId, actorOf(client));
}

export type KeyedRequest = Omit<ExecuteRequest<unknown>, "command" | "shape" | "sent">;

/** By which a caller asks for a version of the contract. */
export const API_VERSION = "API-Version";

/** @returns the header as a schema, for an operation of several versions */
export function versionHeader({ versions }: Pick<OperationDefinition<unknown>, "versions">): RouteFields {
  if (versions === undefined) return {};
  const known = z.enum(Object.keys(versions) as [string, ...string[]]).optional();
  return { [API_VERSION]: known.describe("Version of the contract; the first request of a key decides it") };
}

interface KeyedInput {
  readonly json: ParsedJson;
  /** The body with the names that its caller used. */
  readonly written: ParsedJson;
  /**
   * Of the path.
   * @throws AppError 404 for what cannot be there
   */
  readonly params: () => Values<RouteFields>;
}

/** Validates the body by the operation's policy and runs the command; a replay is not charged to the quota a second time. */
export async function runKeyed(
  { limiters }: Services,
  ctx: EngineContext,
  client: ApiClient,
  keyed: KeyedCommand<unknown, unknown>,
  { json, written, params }: KeyedInput,
  request: KeyedRequest,
): Promise<{ readonly answer: ExecuteAnswer; readonly policy: OperationPolicy }> {
  const binding = bind(ctx, keyed.operation);
  const definition = isLater(binding) ? await binding : binding;
  const { policy } = definition;
  const made = keyed.command(ctx, validateCommand(keyed.body, json, policy), params());
  const command = isLater(made) ? await made : made;
  const shape = () => shapeOf(written, keyed.body);
  const { key, receivedAt, ttlSeconds, budgetMs, apiVersion } = request;
  const asked = { key, receivedAt, ttlSeconds, budgetMs, apiVersion, command, shape, sent: written.value };
  const answer = await executeBound(ctx, definition, asked);
  if (answer.outcome === "replayed") limiters.calls.restore(client.keyId);
  return { answer, policy };
}
