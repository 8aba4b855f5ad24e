import { meshRequest } from "../mesh/envelope";
import { idempotencyOptions } from "../mesh/idempotency-extension";
import { IDEMPOTENCY_URN, DURATION_UNITS, PROTOCOL } from "../mesh/protocol";
import { input, object, text, time, type JsonSchema } from "./json-schema";

const KEY = "charge_order456_v1";

/** The envelope of `POST /mesh` and what it is answered with. */
export function meshSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    MeshRequest: {
      ...input(meshRequest),
      description: `Options of ${IDEMPOTENCY_URN} are those of MeshIdempotencyOptions. payments.charge takes the members of CreatePayment (customer_id for accountId), payments.refund those of CreateRefund, payments.void a paymentId.`,
      examples: [
        {
          protocol: PROTOCOL,
          id: "req_001",
          call: {
            function: "payments.charge",
            version: "1",
            arguments: { amount: 100, currency: "USD", customer_id: "cust_123" },
          },
          extensions: [{ urn: IDEMPOTENCY_URN, options: { key: KEY } }],
        },
      ],
    },
    MeshIdempotencyOptions: {
      ...input(idempotencyOptions),
      description:
        "key is needed, by the rules of Idempotency-Key. ttl asks for a shorter window than the operation's; a longer one is cut to it.",
    },
    MeshAnswer: object(
      { protocol: protocol(), id: text, result: result(), errors: errors(), extensions: extensions() },
      ["errors"],
    ),
    MeshRefusal: object(
      {
        protocol: protocol(),
        id: { type: ["string", "null"], description: "null when the envelope had none that is usable" },
        result: { type: "null" },
        errors: errors(),
        extensions: extensions(),
      },
      ["extensions"],
    ),
  };
}

function protocol(): JsonSchema {
  return object({ name: { const: PROTOCOL.name }, version: { const: PROTOCOL.version } });
}

function result(): JsonSchema {
  return {
    type: ["object", "null"],
    description: "The members of the HTTP answer, and charge_id and refund_id. null beside a refusal that is kept",
  };
}

function errors(): JsonSchema {
  const duration = object({ value: { type: "integer", minimum: 1 }, unit: { enum: [...DURATION_UNITS] } });
  const details = object(
    {
      key: text,
      original_arguments_hash: { ...text, pattern: "^sha256:[0-9a-f]{64}$" },
      retry_after: duration,
    },
    ["key", "original_arguments_hash", "retry_after"],
  );
  const item = object({ code: text, message: text, retryable: { type: "boolean" }, details });
  return { type: "array", minItems: 1, maxItems: 1, items: item };
}

function extensions(): JsonSchema {
  const data = object(
    {
      key: text,
      status: { enum: ["processed", "cached", "conflict", "processing", "expired", "purged"] },
      original_request_id: { ...text, description: "Id of the envelope that used the key first, or its Request-Id" },
      cached_at: time,
      expires_at: time,
    },
    ["original_request_id", "cached_at", "expires_at"],
  );
  return { type: "array", maxItems: 1, items: object({ urn: { const: IDEMPOTENCY_URN }, data }) };
}
