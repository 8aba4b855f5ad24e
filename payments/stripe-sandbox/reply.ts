import type { Reply } from "../pretend-server";

type ErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

/** An error in Stripe's shape. */
export function failure(
  status: number,
  type: ErrorType,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  return { status, body: { error: { type, message, ...more } } };
}

export const invalid = (message: string, param?: string): Reply =>
  failure(400, "invalid_request_error", message, param === undefined ? {} : { param });

export const missing = (what: string, id: string): Reply =>
  failure(404, "invalid_request_error", `No such ${what}: '${id}'`, { code: "resource_missing", param: "id" });
