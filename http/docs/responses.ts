import { z } from "zod";
import { accepted, type JsonSchema } from "./schemas";
import type { ErrorRow } from "./errors";

/** Headers of answers, by name. */
export function responseHeaders(): Readonly<Record<string, JsonSchema>> {
  const text = (description: string): JsonSchema => ({ description, schema: { type: "string" } });
  return {
    "Idempotency-Key": text("The key, echoed as it was sent"),
    "Idempotency-Status": {
      description: "Whether this is the first answer or a replay",
      schema: { enum: ["stored", "replayed"] },
    },
    "Idempotent-Replayed": { description: "On a replay only", schema: { enum: ["true"] } },
    "Idempotency-Replay": {
      description: "`reference` where a replay is the resource as it is now instead of the stored bytes",
      schema: { enum: ["reference"] },
    },
    "Idempotency-Expires": text("Until when the key is remembered"),
    "Response-Schema-Version": text("Version of the body's shape: that of the first answer, also after a deploy"),
    "Preference-Applied": text("`return=minimal` when the body was left out as asked"),
    "Operation-Id": text("What the key stands for, see GET /operations/{operationId}"),
    "Request-Id": text("Of this one exchange"),
    "Error-Code": text("Profile playbook: the code that is the same in every profile"),
    "Retry-After": text("Seconds, where a retry helps"),
    "x-should-retry": {
      description: "`false` where no retry helps; also sent as stripe-should-retry",
      schema: { enum: ["false"] },
    },
    Location: text("Of what was made, or of the operation to look at"),
    ETag: text("Version of what is answered"),
  };
}

/** Headers of the answer that a key of the public API keeps, of the mesh's and of an admin action's. */
export const KEPT = [
  "Idempotency-Key",
  "Idempotency-Status",
  "Idempotent-Replayed",
  "Idempotency-Replay",
  "Idempotency-Expires",
  "Response-Schema-Version",
  "Preference-Applied",
  "Operation-Id",
  "Location",
];
export const KEPT_IN_MESH = ["Operation-Id", "Idempotency-Status", "Idempotency-Expires"];
export const KEPT_ACTION = ["Idempotency-Key", "Idempotency-Status", "Idempotent-Replayed", "Operation-Id"];

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export function headersOf(names: readonly string[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const IN_PROGRESS =
  "Only where the operation's policy answers so while a request of the key is in progress (else 409 `idempotency.in_progress`): look at Location, or come back with the same key.";

/** @param own what the operation itself answers with 202, once and for every repeat: that one has an Idempotency-Status */
export function acceptedSchema(own?: JsonSchema): JsonSchema {
  const names = ["Request-Id", "Idempotency-Key", "Operation-Id", "Idempotency-Expires", "Location", "Retry-After"];
  const json = (schema: unknown) => ({ "application/json": { schema } });
  const content = json(ref("Accepted"));
  if (own === undefined) return { description: IN_PROGRESS, headers: headersOf(names), content };
  const answered = (own["content"] ?? {}) as Readonly<Record<string, { readonly schema: z.ZodType }>>;
  const schema = answered["application/json"]?.schema;
  return {
    description: `${String(own["description"])}. It has an Idempotency-Status. Without one: ${IN_PROGRESS}`,
    headers: { ...(own["headers"] as JsonSchema), ...headersOf(names) },
    content: { ...answered, ...(schema === undefined ? content : json(z.union([schema, accepted]))) },
  };
}

/** Statuses of one error that a profile does not follow. */
const FAULT_STATUS = 422;
const PLAYBOOK_STATUS = 409;

export interface FailureOptions {
  readonly keyed: boolean;
  /** In the mesh's envelope instead of every profile that the API key may have. */
  readonly mesh: boolean;
}

/** @returns the errors of a call by status */
export function failures(errors: readonly ErrorRow[], options: FailureOptions): ReadonlyMap<number, JsonSchema> {
  const byStatus = new Map<number, ErrorRow[]>();
  for (const error of errors) {
    const statuses = options.mesh ? error.status.slice(0, 1) : error.status;
    for (const status of statuses) byStatus.set(status, [...(byStatus.get(status) ?? []), error]);
  }
  return new Map([...byStatus].map(([status, rows]) => [status, failure(status, rows, options)]));
}

function failure(status: number, rows: readonly ErrorRow[], { keyed, mesh }: FailureOptions): JsonSchema {
  const names = ["Request-Id", "x-should-retry"];
  if (rows.some(({ retryable }) => retryable)) names.push("Retry-After");
  if (keyed) names.push("Idempotency-Key", "Operation-Id", "Error-Code");
  return {
    description: rows.map(({ code, means }) => `\`${code}\`: ${means}`).join("\n\n"),
    headers: headersOf(names),
    content: mesh ? meshContent(rows) : profileContent(status, rows),
  };
}

function meshContent(rows: readonly ErrorRow[]): JsonSchema {
  return { "application/json": { schema: { ...ref("MeshRefusal"), "x-codes": rows.map(({ names }) => names.mesh) } } };
}

function profileContent(status: number, rows: readonly ErrorRow[]): JsonSchema {
  /** One profile's names of the errors that it answers with this status. */
  const dressed = (schema: string, name: keyof ErrorRow["names"], only?: number): JsonSchema[] => {
    const named = rows.filter((row) => row.status.length === 1 || only === undefined || only === status);
    return named.length === 0 ? [] : [{ ...ref(schema), "x-codes": named.map(({ names }) => names[name]) }];
  };
  return {
    "application/problem+json": { schema: { ...ref("Problem"), "x-codes": rows.map(({ code }) => code) } },
    "application/json": {
      schema: {
        oneOf: [
          ...dressed("PlaybookError", "playbook", PLAYBOOK_STATUS),
          ...dressed("Fault", "fault", FAULT_STATUS),
          ...dressed("ArticleError", "article"),
        ],
      },
    },
  };
}
