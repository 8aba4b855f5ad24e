import { MAX_KEY_LENGTH } from "@/domain/idempotency/idempotency-key";
import type { JsonSchema } from "./schemas";

/** Bare, or a Structured Fields string of more than spaces: exactly what `parseIdempotencyKey` takes of one header line. */
export const KEY_PATTERN =
  '^(?:[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x7e]{1,255}|"(?! *")(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\["\\\\]){1,255}")$';
const MAX_HEADER_LENGTH = MAX_KEY_LENGTH * 2 + 2;

/** The request header `Idempotency-Key`: its format and its window. */
export function keyHeader(ttlHours: number): JsonSchema {
  const hours = String(ttlHours);
  return {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description: [
      'One key per business action, the same on every retry. A Structured Fields string ("abc": 1 to 255 visible ASCII characters and spaces, not only spaces; a double quote or a backslash has a backslash before it) or bare (abc: 1 to 255 visible ASCII characters without comma, double quote, semicolon or space); both are the same key.',
      "Two header lines, a list, parameters, an empty or any other text are refused with 400, and nothing is recorded.",
      `A key is remembered for ${hours} hours per tenant and operation, and a later retry is answered 410 and not executed, unless the tenant's policy says otherwise; Idempotency-Expires says until when.`,
    ].join(" "),
    schema: { type: "string", minLength: 1, maxLength: MAX_HEADER_LENGTH, pattern: KEY_PATTERN },
    examples: {
      uuid: { value: "550e8400-e29b-41d4-a716-446655440000" },
      bare: { value: "till-3-order-4711-pay-1" },
      quoted: { value: '"till-3-order-4711-pay-1"' },
    },
    "x-idempotency-window": `PT${hours}H`,
  };
}

/** Headers that a keyed call may carry besides. */
export function optionalHeaders(renderer: "profile" | "mesh"): JsonSchema[] {
  const text = { type: "string" };
  const all: JsonSchema[] = [
    header("X-Request-Timeout", "Milliseconds that the caller waits for this answer", { type: "integer", minimum: 1 }),
    header("traceparent", "W3C trace context", text),
  ];
  if (renderer === "mesh") {
    const description = "Not needed: the key is in the envelope. When it is sent it must be the same key";
    return [...all, header("Idempotency-Key", description, text)];
  }
  const description = "return=minimal leaves the body of a success out; not part of the fingerprint";
  return [...all, header("Prefer", description, text)];
}

function header(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: "header", required: false, description, schema };
}
