import type { Queryable } from "@/db/client";

/** Kept answers of one operation that a proof reads; there is one. */
const ANSWERS = 10;

export interface ProofAnswerRow {
  readonly fence: number;
  /** Sealed. */
  readonly body: Buffer;
}

/** What is kept as the answer of an operation. @param since its creation, RFC 3339 */
export async function selectProofAnswers(
  q: Queryable,
  tenantId: string,
  operationId: string,
  bodyDay: string,
): Promise<ProofAnswerRow[]> {
  const { rows } = await q.query<ProofAnswerRow>({
    text: `select b.fence, b.body from onceboard.idempotency_bodies b
where b.tenant_id = $1 and b.day >= $3::date and b.operation_id = $2 and b.kind = 'response' order by b.day limit $4`,
    values: [tenantId, operationId, bodyDay, ANSWERS],
  });
  return rows;
}
