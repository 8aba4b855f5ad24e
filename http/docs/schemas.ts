import { accountBody, defaultCurrencyBody, paymentBody, refundBody } from "@/payments/commands";
import { OPERATION_STATES, STAGES } from "@/domain/idempotency/states";
import { dressSchemas } from "./dress-schemas";
import { input, nullable, object, text, time, uuid, type JsonSchema } from "./json-schema";
import { meshSchemas } from "./mesh-schemas";

export type { JsonSchema } from "./json-schema";

const decimal = {
  type: "string",
  examples: ["10.00"],
  description: "Decimal string with the currency's own digits",
} as const;

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
    Accepted: object({
      operationId: uuid,
      operationState: { enum: [...OPERATION_STATES] },
      href: text,
      retryAfterSeconds: { type: "integer" },
    }),
    Problem: problem(),
    ...dressSchemas(),
    ...meshSchemas(),
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
