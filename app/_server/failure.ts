import "server-only";

import type { Failure } from "@/components/feedback/read-failure";
import type { Attempt } from "./attempt";

/** @returns what a page says of a read that failed. */
export function failureOf(attempt: Extract<Attempt<unknown>, { ok: false }>): Failure {
  return { status: attempt.error.status, detail: attempt.error.message, requestId: attempt.requestId };
}
