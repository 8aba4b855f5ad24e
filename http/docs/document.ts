import { ERRORS } from "./errors";
import { keyHeader, optionalHeaders } from "./key-header";
import { OPERATIONS, type Operation } from "./paths";
import { PROFILES } from "./profiles";
import { failures, responseHeaders, successes } from "./responses";
import { schemas, type JsonSchema } from "./schemas";

/** Errors of every call, of every call with a body, and of every call with a key. */
const COMMON = [
  "auth.unauthenticated",
  "auth.forbidden",
  "tenant.wrong_region",
  "rate_limit.exceeded",
  "dependency.unavailable",
  "transient.contention",
  "transient.internal",
];
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

export interface DocumentOptions {
  readonly publicUrl: string;
  /** How long a key is remembered. */
  readonly ttlHours: number;
}

/**
 * @returns the OpenAPI 3.1 document: the key's header, format and window, every call, and every error of every call in every
 *   dress
 */
export function openApiDocument(options: DocumentOptions): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation, options) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Onceboard",
      version: "v1",
      description:
        "One effect per key, however often it is sent. A 2xx is done; a 4xx other than 408 and 429 is final, so stop; after a 5xx or a broken connection send the same request with the same key.",
    },
    servers: [{ url: `${options.publicUrl}/api/v1` }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: schemas(),
      parameters: { IdempotencyKey: keyHeader(options.ttlHours) },
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key; it fixes tenant, client, scopes and wire profile",
        },
      },
      headers: responseHeaders(),
    },
    "x-profiles": PROFILES,
    "x-errors": ERRORS,
  };
}

function operationObject(operation: Operation, options: DocumentOptions): JsonSchema {
  const { keyed = false, dress, body, params = [] } = operation;
  const asks = keyed || dress === "mesh";
  const codes = [...COMMON, ...(body ? WITH_BODY : []), ...(asks ? KEYED : []), ...operation.errors];
  const parameters: JsonSchema[] = [...params];
  if (keyed) parameters.push({ $ref: "#/components/parameters/IdempotencyKey" });
  if (asks) parameters.push(...optionalHeaders(keyed ? "profile" : "mesh"));
  const errors = ERRORS.filter(({ code }) => codes.includes(code));
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(operation.scopes && { "x-scopes": operation.scopes }),
    ...(asks && { "x-idempotency-window": `PT${String(options.ttlHours)}H` }),
    parameters,
    ...(body && {
      requestBody: { required: body.required, content: { [body.type ?? "application/json"]: { schema: body.schema } } },
    }),
    responses: { ...successes(operation), ...failures(errors, operation) },
  };
}
