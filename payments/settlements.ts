import type { OutboxMessage } from "@/db/statements/complete";
import type { AppError } from "@/domain/errors";
import { operationUrn, problemDocument } from "@/domain/problem";
import type { Settlement } from "@/engine/operation";

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

/** A refusal that binds: every replay gets the same bytes (S4.9). */
export function bindingRefusal(operationId: string, error: AppError): Settlement {
  return {
    state: "FAILED_REPLAYABLE",
    errorCode: error.code,
    response: {
      status: error.status,
      headers: { "content-type": "application/problem+json" },
      body: Buffer.from(JSON.stringify(problemDocument(error, operationUrn(operationId), { operationId }))),
    },
  };
}
