import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { z } from "zod";
import { needsConfirmation, requiredScopes, rolesOf, type Action } from "@/domain/permission";
import { declarationOf, type RouteAnswer, type RouteDeclaration } from "../declare";
import type { ApiEnv } from "../env";
import { routeFacts } from "../guard/keyed-routes";
import { ADMIN_POLICIES, ADMIN_PREFIX, OTHER_POLICIES } from "../guard/route-policies";
import { idempotencyOptions } from "../mesh/idempotency-extension";
import type { AnswerTypes } from "./answer-types";
import { ERRORS } from "./errors";
import { keyHeader, optionalHeaders } from "./key-header";
import { filterParameters } from "./parameters";
import { PROFILES } from "./profiles";
import { accepted, failures, headersOf, KEPT, KEPT_ACTION, KEPT_IN_MESH, responseHeaders } from "./responses";
import * as schemas from "./schemas";
import type { JsonSchema } from "./schemas";

const PREFIX = "/api/v1";
/** Of the login library, which answers the console's own sign-in page and no program. */
const UNDECLARED = new Set(["ALL /api/auth/*"]);

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
const KEYED = [
  ...ERRORS.filter(({ group }) => group === "IDEMPOTENCY").map(({ code }) => code),
  "validation.request_timeout",
];
const KEYED_ACTION = [
  "idempotency.key_missing",
  "idempotency.key_invalid",
  "idempotency.payload_mismatch",
  "idempotency.in_progress",
  "idempotency.key_expired",
];

/** Schemas that a part of the document refers to by name. */
const NAMED: readonly z.ZodType[] = [
  schemas.accepted,
  schemas.problem,
  schemas.playbookError,
  schemas.fault,
  schemas.articleError,
  schemas.meshRefusal,
  idempotencyOptions.meta({
    id: "MeshIdempotencyOptions",
    description:
      "key is needed, by the rules of Idempotency-Key. ttl asks for a shorter window than the operation's; a longer one is cut to it.",
  }),
];

interface Route {
  readonly method: "get" | "post" | "put";
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

export interface DocumentOptions {
  readonly app: Pick<Hono<ApiEnv>, "routes">;
  /** What admin routes answer. */
  readonly answers: AnswerTypes;
  readonly publicUrl: string;
  /** How long a key is remembered. */
  readonly ttlHours: number;
}

/**
 * @returns the OpenAPI 3.1 document of every route that the app has
 * @throws Error for a route that is not declared, or declares an error that nobody knows
 */
export function openApiDocument({ app, answers, publicUrl, ttlHours }: DocumentOptions): JsonSchema {
  const writer = new OpenAPIHono();
  const registry = writer.openAPIRegistry;
  const refused = createRefusals();
  for (const route of declaredRoutes(app))
    registry.registerPath(createRoute(operationOf(route, answers, refused.of, ttlHours)));
  // A clone has the methods that zod-openapi adds; these schemas may be older.
  for (const schema of NAMED) registry.register(schema.meta()?.id ?? "", schema.clone());
  for (const [name, schema] of answers.named) registry.registerComponent("schemas", name, schema);
  for (const [name, response] of refused.shared()) registry.registerComponent("responses", name, response);
  for (const [name, header] of Object.entries(responseHeaders())) registry.registerComponent("headers", name, header);
  registry.registerComponent("parameters", "IdempotencyKey", keyHeader(ttlHours) as never);
  for (const [name, parameter] of Object.entries(TENANT)) registry.registerComponent("parameters", name, parameter);
  for (const [name, scheme] of Object.entries(SECURITY)) registry.registerComponent("securitySchemes", name, scheme);
  return writer.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Onceboard",
      version: "v1",
      description:
        "One effect per key, however often it is sent. A 2xx is done; a 4xx other than 408 and 429 is final, so stop; after a 5xx or a broken connection send the same request with the same key.",
    },
    servers: [{ url: `${publicUrl}${PREFIX}` }],
    security: [{ apiKey: [] }],
    "x-profiles": PROFILES,
    "x-errors": ERRORS,
  }) as unknown as JsonSchema;
}

/** @returns every route of the app with its declaration and policy */
export function declaredRoutes(app: Pick<Hono<ApiEnv>, "routes">): Route[] {
  const keyed = new Map(routeFacts(app).map((fact) => [`${fact.method} ${fact.path}`, fact.keyed]));
  return app.routes.flatMap(({ method, path, handler }): Route[] => {
    const name = `${method} ${path}`;
    const about = declarationOf(handler);
    if (about === undefined) {
      if (method === "ALL" || UNDECLARED.has(name)) return [];
      throw new Error(`${name} has no declaration`);
    }
    const braces = path.replace(/:(\w+)/g, "{$1}");
    const policy = OTHER_POLICIES[name];
    return [
      {
        method: method.toLowerCase() as Route["method"],
        pattern: path,
        path: braces.startsWith(`${PREFIX}/`) ? braces.slice(PREFIX.length) : braces,
        about,
        keyed: keyed.get(`${method} ${braces}`) ?? false,
        action: path.startsWith(ADMIN_PREFIX)
          ? ADMIN_POLICIES[`${method} ${path.slice(ADMIN_PREFIX.length)}`]
          : undefined,
        scopes:
          policy === undefined || policy === "public" || policy === "sign-in"
            ? undefined
            : requiredScopes(policy === "signature" ? "events.send" : policy),
      },
    ];
  });
}

const TENANT = {
  Tenant: {
    name: "tenant",
    in: "query",
    required: false,
    description: "Which tenant a person looks at, where there are several; a key has one of its own",
    schema: { type: "string", pattern: "^[a-z0-9-]{1,63}$" },
  },
} as const;

const SECURITY = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "An API key; it fixes tenant, client, scopes and wire profile",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Secure-onceboard.session_token",
    description:
      "A person who signed in to the console (over http the name has no __Secure-). A POST needs an Origin of the console.",
  },
  webhookSignature: {
    type: "apiKey",
    in: "header",
    name: "webhook-signature",
    description: "Standard Webhooks: signed with a secret of the source",
  },
} as const;

function operationOf(
  route: Route,
  answers: AnswerTypes,
  refused: (name: number, response: JsonSchema) => JsonSchema,
  ttlHours: number,
): Parameters<typeof createRoute>[0] {
  const { about, keyed, action, scopes } = route;
  const mesh = about.dress === "mesh";
  const asks = (keyed && action === undefined) || mesh;
  const failed = failures(errorsOf(route), { keyed, mesh });
  return {
    method: route.method,
    path: route.path.startsWith("/api/") ? route.path.slice("/api".length) : route.path,
    operationId: about.id,
    summary: about.summary,
    ...(about.description !== undefined && { description: about.description }),
    tags: [tagOf(route)],
    ...(route.path.startsWith("/api/") && { servers: [{ url: "/api" }] }),
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
    } as never,
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
const ALSO_FOR_KEYS = new Set(["listAudit", "verifyAudit", "readAuditEntry"]);

/** @throws Error for a code that is not in the list of errors */
function errorsOf({ about, keyed, action, scopes }: Route) {
  const codes = new Set(about.errors);
  const add = (...more: readonly string[]) => more.forEach((code) => codes.add(code));
  if (action !== undefined || scopes !== undefined) add(...EVERY, ...AUTHENTICATED);
  if (action !== undefined) {
    add(...ADMIN);
    if (needsConfirmation(action)) add("auth.step_up_required");
    if (keyed) add(...KEYED_ACTION);
    if (about.filters !== undefined) add("validation.filter");
  } else if (scopes !== undefined) {
    add("tenant.wrong_region");
    if (keyed || about.dress === "mesh") add(...KEYED);
  }
  if (about.body !== undefined) add(...WITH_BODY);
  const unknown = [...codes].filter((code) => !ERRORS.some((row) => row.code === code));
  if (unknown.length > 0) throw new Error(`${about.id} declares errors that nobody knows: ${unknown.join(", ")}`);
  return ERRORS.filter(({ code }) => codes.has(code));
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
  const told = Object.entries(about.answers).map(([status, answer]) => [
    status,
    {
      description: answer.text,
      headers: headersOf([...names, ...(answer.headers ?? [])]),
      ...contentOf(route, answer, answers),
    },
  ]);
  const all = Object.fromEntries(told) as Record<string, JsonSchema>;
  return keyed && action === undefined ? { ...all, "202": accepted() } : all;
}

function contentOf({ method, pattern }: Route, { schema, types }: RouteAnswer, { bodies }: AnswerTypes): JsonSchema {
  if (types?.length === 0) return {};
  const name = `${method.toUpperCase()} /${pattern.slice(ADMIN_PREFIX.length)}`;
  const body = schema ?? bodies.get(name);
  if (body === undefined) throw new Error(`Nothing says what ${name} answers`);
  return { content: Object.fromEntries((types ?? ["application/json"]).map((type) => [type, { schema: body }])) };
}

/** Refusals that several calls have are one component each. */
function createRefusals() {
  const names = new Map<string, string>();
  const perStatus = new Map<number, number>();
  return {
    of(status: number, response: JsonSchema): JsonSchema {
      const text = JSON.stringify(response);
      const nth = (perStatus.get(status) ?? 0) + 1;
      const name = names.get(text) ?? `Refused${String(status)}${nth === 1 ? "" : `.${String(nth)}`}`;
      if (!names.has(text)) perStatus.set(status, nth);
      names.set(text, name);
      return { $ref: `#/components/responses/${name}` };
    },
    shared: () => [...names].map(([text, name]): [string, JsonSchema] => [name, JSON.parse(text) as JsonSchema]),
  };
}
