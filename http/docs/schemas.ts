import { z } from "zod";
import { OPERATION_STATES, STAGES } from "@/domain/idempotency/states";
import { IDEMPOTENCY_URN, DURATION_UNITS, PROTOCOL } from "../mesh/protocol";
import { CATEGORIES } from "../profiles/names";
import { profileExample } from "./profiles";

/** A schema, or a part of an OpenAPI document, as JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

// What callers are answered with.

const uuid = z.uuid();
const time = z.iso.datetime().describe("RFC 3339, UTC");
const operationState = z.enum(OPERATION_STATES);

export const operationAnswer = z
  .object({
    operationId: uuid,
    operation: z.string(),
    state: operationState,
    stage: z.enum(STAGES).nullable(),
    attempts: z.int(),
    createdAt: time,
    completedAt: time.nullable(),
    expiresAt: time,
    responseStatus: z.int().nullable(),
    responseSchemaVersion: z.string().nullable(),
    errorCode: z.string().nullable(),
    result: z.object({ type: z.string(), id: z.string(), href: z.string().nullable() }).nullable(),
    retry: z.object({
      sameKey: z.enum(["wait", "executes", "replays", "refused"]),
      afterSeconds: z.int().nullable(),
    }),
  })
  .meta({ id: "Operation" });

export const eventReceipt = z
  .object({ status: z.enum(["recorded", "duplicate"]), messageId: z.string(), inboxIds: z.array(uuid) })
  .meta({ id: "EventReceipt" });

export const accepted = z
  .object({ operationId: uuid, operationState, href: z.string(), retryAfterSeconds: z.int() })
  .meta({ id: "Accepted" });

const retryable = z.boolean().describe("Whether the same request under the same key can succeed later");

export const problem = z
  .looseObject({
    type: z.string().meta({ format: "uri-reference" }),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z.string(),
    code: z.string(),
    retryable,
    operationId: z.uuid().optional(),
    operationState: operationState.optional(),
    differingFields: z.array(z.string()).optional().describe("Names, never values"),
    safeNewKey: z
      .boolean()
      .optional()
      .describe("Whether this command may be sent under a new key without a look at the operation"),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Problem", examples: [profileExample("problem")] });

export const playbookError = z
  .looseObject({
    code: z.string().describe("Class and code of the playbook's taxonomy"),
    category: z.enum(CATEGORIES),
    error_code: z.string().describe("The same in every profile"),
    message: z.string(),
    retryable,
    hint: z.string().describe("What to do"),
    request_id: z.string().optional().describe("Absent in a refusal that is kept: its replays have the same bytes"),
    operation_id: z.uuid().optional(),
    operation_state: operationState.optional(),
  })
  .meta({
    id: "PlaybookError",
    description: "Further members are those of the problem document, in snake_case",
    examples: [profileExample("playbook")],
  });

export const fault = z
  .object({
    fault: z.object({
      faultId: z.string().describe("This occurrence; of a kept refusal its operation"),
      traceId: z.string().describe("The caller's trace, else the request; of a kept refusal its operation"),
      errors: z.array(z.object({ errorCode: z.string(), description: z.string() })).min(1),
    }),
  })
  .meta({ id: "Fault", examples: [profileExample("fault")] });

export const articleError = z
  .object({ errorCode: z.string(), message: z.string() })
  .meta({ id: "ArticleError", examples: [profileExample("article")] });

const protocol = z.object({ name: z.literal(PROTOCOL.name), version: z.literal(PROTOCOL.version) });
const meshErrors = z
  .array(
    z.object({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean(),
      details: z.looseObject({
        key: z.string().optional(),
        original_arguments_hash: z
          .string()
          .regex(/^sha256:[0-9a-f]{64}$/)
          .optional(),
        retry_after: z.object({ value: z.int().min(1), unit: z.enum(DURATION_UNITS) }).optional(),
      }),
    }),
  )
  .min(1)
  .max(1);
const meshExtensions = z
  .array(
    z.object({
      urn: z.literal(IDEMPOTENCY_URN),
      data: z.object({
        key: z.string(),
        status: z.enum(["processed", "cached", "conflict", "processing", "expired", "purged"]),
        original_request_id: z
          .string()
          .optional()
          .describe("Id of the envelope that used the key first, or its Request-Id"),
        cached_at: time.optional(),
        expires_at: time.optional(),
      }),
    }),
  )
  .max(1);

export const meshAnswer = z
  .object({
    protocol,
    id: z.string(),
    result: z
      .looseObject({})
      .nullable()
      .describe("The members of the HTTP answer, and charge_id and refund_id. null beside a refusal that is kept"),
    errors: meshErrors.optional(),
    extensions: meshExtensions,
  })
  .meta({ id: "MeshAnswer" });

export const meshRefusal = z
  .object({
    protocol,
    id: z.string().nullable().describe("null when the envelope had none that is usable"),
    result: z.null(),
    errors: meshErrors,
    extensions: meshExtensions.optional(),
  })
  .meta({ id: "MeshRefusal" });
