import type { Queryable } from "@/db/client";

export interface ProviderAnswerInput {
  readonly tenantId: string;
  readonly requestId: string;
  readonly outcome: string;
  readonly reference: string | undefined;
  readonly detail: string | undefined;
}

/** Keeps what the provider answered to one journalled call. */
export async function answerProvider(db: Queryable, input: ProviderAnswerInput): Promise<void> {
  await db.query({
    name: "answer_provider",
    text: "select onceboard.answer_provider($1,$2,$3,$4,$5)",
    values: [input.tenantId, input.requestId, input.outcome, input.reference, input.detail],
  });
}

/**
 * Keeps a final answer and moves the operation: PROVIDER_REQUEST_SENT → PROVIDER_CONFIRMED. One commit for both; the answer is
 * kept whoever holds the fence now. The operation's row is locked first, in the order of mark_sent.
 *
 * @returns false when fenced
 */
export async function answerAndConfirmProvider(
  db: Queryable,
  input: ProviderAnswerInput & { readonly operationId: string; readonly fence: number },
): Promise<boolean> {
  const { tenantId, operationId, fence, requestId, outcome, reference, detail } = input;
  const { rows } = await db.query<{ done: boolean }>({
    name: "answer_and_confirm_provider",
    text: "select onceboard.confirm_provider($1,$2,$3) as done, onceboard.answer_provider($1,$4,$5,$6,$7)",
    values: [tenantId, operationId, fence, requestId, outcome, reference, detail],
  });
  return rows[0]?.done === true;
}
