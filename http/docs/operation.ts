import type { createRoute } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { z } from "zod";
import { needsConfirmation, rolesOf, type Action } from "@/domain/access/permission";
import type { RouteMethod } from "@/engine/module/route";
import { ADMIN_PREFIX, declarationOf, type RouteAnswer, type RouteDeclaration } from "../declare";
import type { ApiEnv } from "../env";
import type { AnswerTypes } from "./answer-types";
import { KEY_CODES, type ErrorRow } from "./errors";
import { optionalHeaders } from "./key-header";
import { acceptedSchema, failures, headersOf, KEPT, KEPT_ACTION, KEPT_IN_MESH } from "./responses";
import type { JsonSchema } from "./schemas";
import type { Filter } from "@/domain/lists/filters";
import { type FilterParser, MAX_FILTER_TEXT } from "@/presentation/filters/search";

export const PREFIX = "/api/v1";
/** What is no route: the guards, and the login library, which answers the console's own sign-in page and no program. */
const UNDECLARED = new Set(["ALL /*", "ALL /api/v1/admin/*", "ALL /api/auth/*"]);

/** Errors of every call of a kind. */
const EVERY = ["dependency.unavailable", "transient.contention", "transient.internal"];
const AUTHENTICATED = ["auth.unauthenticated", "auth.forbidden", "rate_limit.exceeded"];
const ADMIN = ["auth.tenant", "auth.cross_site", "tenant.missing", "tenant.not_found", "validation.content_type"];
const WITH_BODY = [
  "validation.json",
  "validation.encoding",
  "validation.too_large",
  "validation.content_type",
  "validation.body",
];
const KEYED = [...KEY_CODES, "validation.request_timeout"];
const KEYED_ACTION = [
  "idempotency.key_missing",
  "idempotency.key_invalid",
  "idempotency.payload_mismatch",
  "idempotency.in_progress",
  "idempotency.key_expired",
];

interface Route {
  readonly method: Lowercase<RouteMethod>;
  /** As the app has it, and as the document writes it below its server. */
  readonly pattern: string;
  readonly path: string;
  readonly about: RouteDeclaration;
  readonly keyed: boolean;
  /** Of the admin API: what it asks of a role. */
  readonly action: Action | undefined;
  /** Of the others: the scopes of which one suffices; none for what is public. */
  readonly scopes: readonly string[] | undefined;
}

/** @returns every route of the app with its declaration and policy */
export function declaredRoutes(app: Pick<Hono<ApiEnv>, "routes">): Route[] {
  return app.routes.flatMap(({ method, path, handler }): Route[] => {
    const name = `${method} ${path}`;
    const about = declarationOf(handler);
    if (about === undefined) {
      if (UNDECLARED.has(name)) return [];
      throw new Error(`${name} has no declaration`);
    }
    const braces = path.replace(/:(\w+)/g, "{$1}");
    const { access = "public" } = about;
    return [
      {
        method: method.toLowerCase() as Route["method"],
        pattern: path,
        path: braces.startsWith(`${PREFIX}/`) ? braces.slice(PREFIX.length) : braces,
        about,
        keyed: about.keyed === true,
        action: about.permission,
        scopes: access === "public" ? undefined : access === "signature" ? ["events"] : access,
      },
    ];
  });
}

/** What the description of a route needs besides the route. */
interface DocumentParts {
  readonly answers: AnswerTypes;
  /** Every error that there is. */
  readonly errors: readonly ErrorRow[];
  /** Names a refusal that several calls have. */
  readonly refused: (name: number, response: JsonSchema) => JsonSchema;
  readonly ttlHours: number;
  readonly basePath: string;
}

export function describeOperation(
  route: Route,
  { answers, errors, refused, ttlHours, basePath }: DocumentParts,
): Parameters<typeof createRoute>[0] {
  const { about, keyed, action, scopes } = route;
  const mesh = about.dress === "mesh";
  const asks = (keyed && action === undefined) || mesh;
  const failed = failures(errorsOf(route, errors), { keyed, mesh });
  return {
    method: route.method,
    path: route.path.startsWith("/api/") ? route.path.slice("/api".length) : route.path,
    operationId: about.id,
    summary: about.summary,
    ...(about.description !== undefined && { description: about.description }),
    tags: [tagOf(route)],
    ...(route.path.startsWith("/api/") && { servers: [{ url: `${basePath}/api` }] }),
    security: securityOf(route),
    ...(scopes && { "x-scopes": scopes }),
    ...(action && { "x-scopes": ["admin"], "x-permission": action, "x-roles": rolesOf(action) }),
    ...(keyed && { "x-idempotency-window": `PT${String(ttlHours)}H` }),
    ...(about.errors && { "x-errors": about.errors }),
    ...(mesh && { "x-dress": "mesh" }),
    parameters: parametersOf(route, asks) as never,
    request: requestOf(about),
    responses: {
      ...successesOf(route, answers),
      ...Object.fromEntries([...failed].map(([status, response]) => [String(status), refused(status, response)])),
    },
  };
}

function tagOf({ path, action }: Route): string {
  const [, first = ""] = path.split("/");
  return action === undefined ? first : `admin/${path.split("/")[2] ?? ""}`;
}

function securityOf({ about, action, scopes }: Route): Record<string, string[]>[] {
  if (action !== undefined) {
    const personal = about.errors?.includes("auth.person_only") === true && !ALSO_FOR_KEYS.has(about.id);
    return personal ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }];
  }
  if (scopes === undefined) return [];
  return about.id === "receiveEvent" ? [{ webhookSignature: [] }, { apiKey: [] }] : [{ apiKey: [] }];
}

/** Only one chain of the audit is kept from keys. */
const ALSO_FOR_KEYS = new Set(["listAudit", "verifyAudit", "readAuditEntry", "exportAudit"]);

/** @throws Error for a code that is not in the list of errors */
function errorsOf({ about, keyed, action, scopes }: Route, errors: readonly ErrorRow[]): readonly ErrorRow[] {
  const codes = new Set(about.errors);
  const add = (...more: readonly string[]) => more.forEach((code) => codes.add(code));
  if (action !== undefined || scopes !== undefined) add(...EVERY, ...AUTHENTICATED);
  if (action !== undefined) {
    add(...ADMIN);
    if (needsConfirmation(action)) add("auth.step_up_required");
    if (keyed) add(...KEYED_ACTION);
    if (about.filters !== undefined) add("validation.filter");
    if (about.paged === true) add("validation.cursor");
  } else if (scopes !== undefined) {
    add("tenant.wrong_region");
    if (keyed || about.dress === "mesh") add(...KEYED);
  }
  if (about.body !== undefined) add(...WITH_BODY);
  // What may be left out and has no rule cannot be wrong.
  if (action === undefined && scopes !== undefined && mayBeWrong({ ...about.query, ...about.headers })) {
    add("validation.parameters");
  }
  const unknown = [...codes].filter((code) => !errors.some((row) => row.code === code));
  if (unknown.length > 0) throw new Error(`${about.id} declares errors that nobody knows: ${unknown.join(", ")}`);
  return errors.filter(({ code }) => codes.has(code));
}

function mayBeWrong(fields: Readonly<Record<string, z.ZodType>>): boolean {
  return Object.values(fields).some((schema) => !schema.safeParse(undefined).success || !schema.safeParse("").success);
}

function parametersOf({ about, keyed, action, path }: Route, asks: boolean): JsonSchema[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const missing = named.filter((name) => about.params?.[name] === undefined);
  return [
    ...missing.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: PATH_NAMES[name] ?? { type: "string", maxLength: 300 },
    })),
    ...(keyed ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(asks ? optionalHeaders(about.dress ?? "profile") : []),
    ...(about.filters ? filterParameters(about.filters) : []),
    ...(about.paged === true ? [CURSOR] : []),
    ...(action === undefined ? [] : [{ $ref: "#/components/parameters/Tenant" }]),
  ];
}

const PATH_NAMES: Readonly<Record<string, JsonSchema>> = { id: { type: "string", format: "uuid" } };
const CURSOR = {
  name: "cursor",
  in: "query",
  required: false,
  description: "The place in the list, from the answer before",
  schema: { type: "string" },
};

function requestOf({ params, query, headers, body, bodyOptional }: RouteDeclaration) {
  return {
    ...(params && { params: z.object(params) }),
    ...(query && { query: z.object(query) }),
    ...(headers && { headers: z.object(headers) }),
    ...(body && { body: { required: bodyOptional !== true, content: { "application/json": { schema: body } } } }),
  };
}

function successesOf(route: Route, answers: AnswerTypes): Record<string, JsonSchema> {
  const { about, keyed, action } = route;
  const names = ["Request-Id"];
  if (keyed) names.push(...(action === undefined ? KEPT : KEPT_ACTION));
  if (about.dress === "mesh") names.push(...KEPT_IN_MESH);
  const entries = Object.entries(about.answers).map(([status, answer]) => [
    status,
    {
      description: answer.text,
      headers: headersOf([...names, ...(answer.headers ?? [])]),
      ...contentOf(route, answer, answers),
    },
  ]);
  const all = Object.fromEntries(entries) as Record<string, JsonSchema>;
  return keyed && action === undefined ? { ...all, "202": acceptedSchema(all["202"]) } : all;
}

function contentOf({ method, pattern }: Route, { schema, types }: RouteAnswer, { bodies }: AnswerTypes): JsonSchema {
  if (types?.length === 0) return {};
  const name = `${method.toUpperCase()} /${pattern.slice(ADMIN_PREFIX.length)}`;
  const body = schema ?? bodies.get(name);
  if (body === undefined) throw new Error(`Nothing says what ${name} answers`);
  return { content: Object.fromEntries((types ?? ["application/json"]).map((type) => [type, { schema: body }])) };
}

/** What one filter takes; `many` is repeated, or separated by commas. */
const SCHEMAS: Readonly<Record<Filter<unknown>["kind"], (filter: Filter<unknown>) => JsonSchema>> = {
  text: () => ({ type: "string", maxLength: MAX_FILTER_TEXT }),
  many: ({ values = [] }) => ({ type: "array", items: { enum: [...values] } }),
  choice: ({ values = [], otherwise }) => ({
    enum: [...values],
    ...(otherwise !== undefined && { default: otherwise }),
  }),
  flag: () => ({ type: "boolean" }),
  time: () => ({ type: "string", format: "date-time" }),
  amount: () => ({ type: "string", examples: ["12.50"] }),
  uuid: () => ({ type: "string", format: "uuid" }),
};

/** @returns the filters of a list as query parameters */
function filterParameters({ filters }: FilterParser): JsonSchema[] {
  return Object.entries(filters).map(([member, filter]) => ({
    name: filter.as ?? member,
    in: "query",
    required: false,
    schema: SCHEMAS[filter.kind](filter),
  }));
}
