export interface StripeReply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What becomes of a request: an answer, silence (the caller's own limit must fire), a cut connection, or bytes that are no JSON. */
export type StripeOutcome = StripeReply | "silence" | "reset" | "garbage";

type ErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

/** An error in Stripe's shape. */
export function failure(
  status: number,
  type: ErrorType,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): StripeReply {
  return { status, body: { error: { type, message, ...more } } };
}

export const invalid = (message: string, param?: string): StripeReply =>
  failure(400, "invalid_request_error", message, param === undefined ? {} : { param });

export const missing = (what: string, id: string): StripeReply =>
  failure(404, "invalid_request_error", `No such ${what}: '${id}'`, { code: "resource_missing", param: "id" });
