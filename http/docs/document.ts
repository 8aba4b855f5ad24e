import { ERRORS, type ErrorRow } from "./errors";
import { OPERATIONS, ref, type Operation } from "./paths";
import { schemas, type JsonSchema } from "./schemas";

/** Errors of every call, of every call with a body, and of every call with a key. */
const COMMON = [
  "auth.unauthenticated",
  "auth.forbidden",
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
const KEYED = ERRORS.filter(({ group }) => group === "IDEMPOTENCY").map(({ code }) => code);

export interface DocumentOptions {
  readonly publicUrl: string;
  /** How long a key is remembered. */
  readonly ttlHours: number;
}

/** @returns the OpenAPI 3.1 document: the header, its format, its window, and every error of every call (S2.3). */
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
      parameters: { IdempotencyKey: keyParameter(options) },
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key; it fixes tenant, client, scopes and wire profile",
        },
      },
      headers: responseHeaders(),
    },
    "x-errors": ERRORS,
  };
}

function keyParameter({ ttlHours }: DocumentOptions): JsonSchema {
  return {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description: `One key per business action, the same on every retry. A Structured Fields string ("abc") or bare (abc: 1 to 255 visible ASCII characters without comma, quote, semicolon or space); both are the same key. Remembered for ${String(ttlHours)} hours per tenant and operation; a later retry is answered 410 and never executed.`,
    schema: { type: "string", minLength: 1, maxLength: 512 },
    examples: { bare: { value: "till-3-order-4711-pay-1" }, quoted: { value: '"till-3-order-4711-pay-1"' } },
    "x-idempotency-window": `PT${String(ttlHours)}H`,
  };
}

function responseHeaders(): Readonly<Record<string, JsonSchema>> {
  const text = (description: string): JsonSchema => ({ description, schema: { type: "string" } });
  return {
    "Idempotency-Key": text("The key, echoed as it was sent"),
    "Idempotency-Status": {
      description: "Whether this is the first answer or a replay",
      schema: { enum: ["stored", "replayed"] },
    },
    "Idempotent-Replayed": { description: "On a replay only", schema: { enum: ["true"] } },
    "Idempotency-Expires": text("Until when the key is remembered"),
    "Operation-Id": text("What the key stands for, see GET /operations/{operationId}"),
    "Request-Id": text("Of this one exchange"),
    "Retry-After": text("Seconds, where a retry helps"),
    "x-should-retry": {
      description: "`false` where no retry helps; also sent as stripe-should-retry",
      schema: { enum: ["false"] },
    },
    Location: text("Of what was made"),
    ETag: text("Version of the account"),
  };
}

function operationObject(operation: Operation, options: DocumentOptions): JsonSchema {
  const { keyed = false, body, params = [] } = operation;
  const codes = [
    ...COMMON,
    ...(body ? WITH_BODY : []),
    ...(keyed ? [...KEYED, "validation.request_timeout"] : []),
    ...operation.errors,
  ];
  const parameters: JsonSchema[] = [...params];
  if (keyed) parameters.push({ $ref: "#/components/parameters/IdempotencyKey" }, ...optionalHeaders());
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(operation.scopes && { "x-scopes": operation.scopes }),
    ...(keyed && { "x-idempotency-window": `PT${String(options.ttlHours)}H` }),
    parameters,
    ...(body && {
      requestBody: { required: body.required, content: { [body.type ?? "application/json"]: { schema: body.schema } } },
    }),
    responses: {
      ...successes(operation),
      ...failures(
        ERRORS.filter(({ code }) => codes.includes(code)),
        keyed,
      ),
    },
  };
}

function optionalHeaders(): JsonSchema[] {
  return [
    {
      name: "X-Request-Timeout",
      in: "header",
      required: false,
      description: "Milliseconds that the caller waits for this answer",
      schema: { type: "integer", minimum: 1 },
    },
    {
      name: "Prefer",
      in: "header",
      required: false,
      description: "return=minimal leaves the body of a success out; not part of the fingerprint",
      schema: { type: "string" },
    },
    {
      name: "traceparent",
      in: "header",
      required: false,
      description: "W3C trace context",
      schema: { type: "string" },
    },
  ];
}

function headersOf(names: readonly string[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function successes(operation: Operation): Record<string, JsonSchema> {
  const names = ["Request-Id"];
  if (operation.keyed === true)
    names.push(
      "Idempotency-Key",
      "Idempotency-Status",
      "Idempotent-Replayed",
      "Idempotency-Expires",
      "Operation-Id",
      "Location",
    );
  if (operation.path.startsWith("/accounts/")) names.push("ETag");
  if (operation.id === "readOperation") names.push("Retry-After");
  return Object.fromEntries(
    operation.ok.map(({ status, schema, text, type = "application/json" }) => [
      String(status),
      { description: text, headers: headersOf(names), ...(schema && { content: { [type]: { schema } } }) },
    ]),
  );
}

function failures(errors: readonly ErrorRow[], keyed: boolean): Record<string, JsonSchema> {
  const byStatus = new Map<number, ErrorRow[]>();
  for (const error of errors) {
    for (const status of error.status) byStatus.set(status, [...(byStatus.get(status) ?? []), error]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => {
      const names = ["Request-Id", "x-should-retry"];
      if (rows.some(({ retryable }) => retryable)) names.push("Retry-After");
      if (keyed) names.push("Idempotency-Key", "Operation-Id");
      return [
        String(status),
        {
          description: rows.map(({ code, means }) => `\`${code}\`: ${means}`).join("\n\n"),
          headers: headersOf(names),
          content: {
            "application/problem+json": { schema: { ...ref("Problem"), "x-codes": rows.map(({ code }) => code) } },
          },
        },
      ];
    }),
  );
}
