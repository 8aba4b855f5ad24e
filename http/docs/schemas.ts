import { z } from "zod";
import { accountBody, defaultCurrencyBody, paymentBody, refundBody } from "@/payments/commands";
import { OPERATION_STATES, STAGES } from "@/domain/states";

export type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: "string" } as const;
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
const time = { type: "string", format: "date-time", description: "RFC 3339, UTC" } as const;
const uuid = { type: "string", format: "uuid" } as const;
const decimal = {
  type: "string",
  examples: ["10.00"],
  description: "Decimal string with the currency's own digits",
} as const;

function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

/** What is sent is described by the very contracts that check it. */
function input(schema: z.ZodType): JsonSchema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}

export function schemas(): Readonly<Record<string, JsonSchema>> {
  return {
    CreatePayment: input(paymentBody),
    CreateRefund: input(refundBody),
    CreateAccount: input(accountBody),
    DefaultCurrency: input(defaultCurrencyBody),
    Payment: object(
      {
        paymentId: uuid,
        status: { enum: ["pending", "succeeded", "failed", "voided"] },
        accountId: text,
        amount: decimal,
        currency: text,
        merchantReference: nullable(text),
        channel: text,
        createdAt: time,
        voidId: { ...uuid, description: "After a void" },
      },
      ["voidId"],
    ),
    Refund: object({
      refundId: uuid,
      paymentId: uuid,
      amount: decimal,
      currency: text,
      status: { enum: ["pending", "succeeded", "failed"] },
      reason: nullable(text),
      createdAt: time,
    }),
    Account: object({ accountId: text, currency: text, defaultCurrency: text, createdAt: time }),
    Operation: operation(),
    EventReceipt: object({
      status: { enum: ["recorded", "duplicate"] },
      messageId: text,
      inboxIds: { type: "array", items: uuid },
    }),
    Problem: problem(),
  };
}

function operation(): JsonSchema {
  return object({
    operationId: uuid,
    operation: text,
    state: { enum: [...OPERATION_STATES] },
    stage: nullable({ enum: [...STAGES] }),
    attempts: { type: "integer" },
    createdAt: time,
    completedAt: nullable(time),
    expiresAt: time,
    responseStatus: nullable({ type: "integer" }),
    responseSchemaVersion: nullable(text),
    errorCode: nullable(text),
    result: nullable(object({ type: text, id: text, href: nullable(text) })),
    retry: object({
      sameKey: { enum: ["wait", "executes", "replays", "refused"] },
      afterSeconds: nullable({ type: "integer" }),
    }),
  });
}

function problem(): JsonSchema {
  return object(
    {
      type: { type: "string", format: "uri-reference" },
      title: text,
      status: { type: "integer" },
      detail: text,
      instance: text,
      code: text,
      retryable: { type: "boolean", description: "Whether the same request under the same key can succeed later" },
      operationId: uuid,
      operationState: { enum: [...OPERATION_STATES] },
      differingFields: { type: "array", items: text, description: "Names, never values" },
      safeNewKey: {
        type: "boolean",
        description: "Whether this command may be sent under a new key without a look at the operation",
      },
      errors: { type: "array", items: object({ path: text, message: text }) },
    },
    ["operationId", "operationState", "differingFields", "safeNewKey", "errors"],
  );
}
