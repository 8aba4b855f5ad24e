import type { Queryable } from "@/db/client";

export interface ProviderAnswerInput {
  readonly tenantId: string;
  readonly requestId: string;
  readonly outcome: string;
  readonly reference: string | undefined;
  readonly detail: string | undefined;
}

/** Keeps what the provider said to one journalled call. */
export async function answerProvider(db: Queryable, input: ProviderAnswerInput): Promise<void> {
  await db.query({
    name: "answer_provider",
    text: "select onceboard.answer_provider($1,$2,$3,$4,$5)",
    values: [input.tenantId, input.requestId, input.outcome, input.reference, input.detail],
  });
}
