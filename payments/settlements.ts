import type { OutboxMessage } from "@/db/operations/complete";
import { AppError } from "@/domain/errors";
import type { Settlement } from "@/engine/execute/operation";

export { refusalSettlement as bindingRefusal } from "@/engine/execute/refusal";

/** A refusal that does not bind: what stands in the way may still end otherwise. */
export function notSettled(title: string): AppError {
  return new AppError("payment.not_settled", 409, title, { retryable: true, retryAfter: 2 });
}

/**
 * @param location path of the made resource, for the `Location` header
 * @param message what is made known with the answer
 */
export function madeResource(
  status: 200 | 201,
  resource: { readonly type: string; readonly id: string },
  location: string,
  body: Readonly<Record<string, unknown>>,
  message: OutboxMessage,
): Settlement {
  return {
    state: "COMPLETED",
    resource,
    messages: [message],
    response: {
      status,
      headers: { "content-type": "application/json", location },
      body: Buffer.from(JSON.stringify(body)),
    },
  };
}
