import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import type { Hono } from "hono";
import type { z } from "zod";
import { basePathOf } from "@/domain/access/base-path";
import type { ErrorEntry } from "@/engine/module/module";
import type { ApiEnv } from "../env";
import { idempotencyOptions } from "../mesh/idempotency-extension";
import type { AnswerTypes } from "./answer-types";
import { errorRows } from "./errors";
import { keyHeader } from "./key-header";
import { declaredRoutes, describeOperation, PREFIX } from "./operation";
import { PROFILES } from "./profiles";
import { responseHeaders } from "./responses";
import * as schemas from "./schemas";
import type { JsonSchema } from "./schemas";

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

export interface DocumentOptions {
  readonly app: Pick<Hono<ApiEnv>, "routes">;
  /** Codes of the modules that the app runs. */
  readonly moduleErrors: Readonly<Record<string, ErrorEntry>>;
  /** What admin routes answer. */
  readonly answers: AnswerTypes;
  /** Where people reach the console: origin and base path. */
  readonly publicUrl: string;
  /** How long a key is remembered. */
  readonly ttlHours: number;
}

/**
 * @returns the OpenAPI 3.1 document of every route that the app has
 * @throws Error for a route that is not declared, or declares an error that nobody knows
 */
export function openApiDocument({ app, moduleErrors, answers, publicUrl, ttlHours }: DocumentOptions): JsonSchema {
  const writer = new OpenAPIHono();
  const registry = writer.openAPIRegistry;
  const refused = createRefusals();
  const errors = errorRows(moduleErrors);
  const parts = { answers, errors, refused: refused.of, ttlHours, basePath: basePathOf(publicUrl) };
  for (const route of declaredRoutes(app)) registry.registerPath(createRoute(describeOperation(route, parts)));
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
        "One effect per key while its window is open, however often it is sent. A 2xx is done; a 4xx other than 408 and 429 is final, so stop; after a 5xx or a broken connection send the same request with the same key.",
    },
    servers: [{ url: `${publicUrl}${PREFIX}` }],
    security: [{ apiKey: [] }],
    "x-profiles": PROFILES,
    "x-errors": errors,
  }) as unknown as JsonSchema;
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

/** Refusals that several calls have are one component each. */
function createRefusals() {
  const names = new Map<string, string>();
  const perStatus = new Map<number, number>();
  return {
    of: (status: number, response: JsonSchema): JsonSchema => {
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
