import { isLater } from "@/domain/soon";
import type { Context, Hono } from "hono";
import { AppError } from "@/domain/errors";
import {
  isKeyed,
  type DocumentedAnswer,
  type RouteFields,
  type KeyedRoute,
  type PlainRoute,
  type Route,
  type Values,
} from "@/engine/module/route";
import { readJson } from "../body/read-json";
import { validate, zodFindingsOf, type Finding } from "../body/validate";
import { declare, type RouteAnswer, type RouteName } from "../declare";
import type { ApiEnv } from "../env";
import { nothingHere } from "../guard/readable-path";
import { givenKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { errorProfileOf } from "../profiles/profiles";
import { requestMetaOf } from "../profiles/request-meta";
import type { Services } from "../services";
import {
  API_VERSION,
  declareCall,
  enterCall,
  keyedContext,
  keyMadeFor,
  runKeyed,
  versionHeader,
  type CallDeclaration,
} from "./keyed";

const PREFIX = "/api/v1";

/** Registers every route of the modules. */
export function registerModules(app: Hono<ApiEnv>, services: Services): void {
  for (const route of services.deps.modules.routes) {
    if (isKeyed(route)) registerKeyed(app, services, route);
    else registerPlain(app, services, route);
  }
}

/**
 * The order is the contract: who calls and whether they may, how often, what they sent, under which key, whether it is a
 * command at all. Only then is anything recorded. The policy is read once and decides every step.
 */
function registerKeyed(app: Hono<ApiEnv>, services: Services, route: KeyedRoute<unknown, unknown>): void {
  const headers = versionHeader(route.operation);
  const about = { ...declarationOf(route), body: route.body.schema, keyed: true, headers };
  declare(app, nameOf(route), about, async (c) => {
    const entering = enterCall(c, services, route.scopes);
    const client = isLater(entering) ? await entering : entering;
    const json = await readJson(c.req.raw, { optional: route.bodyOptional ?? false });
    const given = givenKey(c);
    const ctx = keyedContext(c, client);
    const asked = valuesOf(headers, (name) => c.req.header(name))[API_VERSION];
    const key = given ?? (await keyMadeFor(c, ctx, route));
    const request = { key, receivedAt: c.get("receivedAt"), apiVersion: asked as string | undefined };
    const input = { json, written: json, params: () => paramsOf(c, route) };
    const { answer, policy } = await runKeyed(services, ctx, client, route, input, request);
    return errorProfileOf(client.profile).answer(answer, policy, requestMetaOf(c));
  });
}

function registerPlain(app: Hono<ApiEnv>, services: Services, route: PlainRoute): void {
  const { query = {}, headers = {}, body, otherwise } = route;
  const about = {
    ...declarationOf(route),
    ...(route.query && { query }),
    ...(route.headers && { headers }),
    ...(body && { body }),
    ...(otherwise !== undefined && { otherwise }),
  };
  declareCall(app, services, nameOf(route), about, async (c, ctx) => {
    const result = await route.handle(ctx, {
      body: body && validate(body, await readJson(c.req.raw)),
      params: paramsOf(c, route),
      query: valuesOf(query, (name) => c.req.query(name)),
      headers: valuesOf(headers, (name) => c.req.header(name)),
    });
    return jsonAnswer(c, result.body, {
      ...(result.status !== undefined && { status: result.status }),
      ...(result.headers && { headers: result.headers }),
    });
  });
}

function nameOf({ method, path }: Route): RouteName {
  return `${method} ${PREFIX}${path.replace(/\{(\w+)\}/g, ":$1")}` as RouteName;
}

/** What the document says of any route of a module. */
function declarationOf({
  id,
  summary,
  description,
  scopes,
  params,
  answers,
  errors,
  ...route
}: Route): CallDeclaration {
  return {
    id,
    summary,
    ...(description !== undefined && { description }),
    access: scopes,
    ...(params && { params }),
    ...("bodyOptional" in route && { bodyOptional: route.bodyOptional ?? false }),
    answers: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, documented(answer)])),
    ...(errors && { errors }),
  };
}

/** An answer that has no schema has no body. */
function documented(answer: DocumentedAnswer): RouteAnswer {
  return answer.schema === undefined ? { ...answer, types: [] } : answer;
}

/** What is no parameter at all is not found either, and never reaches the database. @throws AppError 404 */
function paramsOf(c: Context<ApiEnv>, { params = {}, absent }: Route): Values<RouteFields> {
  const { values, findings } = parsed(params, (name) => c.req.param(name));
  if (findings.length === 0) return values;
  if (absent === undefined) throw nothingHere();
  throw new AppError(absent.code, 404, absent.title);
}

/** @throws AppError `validation.parameters` 400 */
function valuesOf(fields: RouteFields, read: (name: string) => string | undefined): Values<RouteFields> {
  const { values, findings } = parsed(fields, read);
  if (findings.length === 0) return values;
  throw new AppError("validation.parameters", 400, "A parameter or a header is not valid", {
    detail: "Nothing was recorded.",
    extensions: { errors: findings },
  });
}

function parsed(fields: RouteFields, read: (name: string) => string | undefined) {
  const values: Record<string, unknown> = {};
  const findings: Finding[] = [];
  for (const [name, schema] of Object.entries(fields)) {
    const result = schema.safeParse(read(name));
    if (result.success) values[name] = result.data;
    else findings.push(...zodFindingsOf(result.error).map((finding) => ({ ...finding, path: name })));
  }
  return { values, findings };
}
