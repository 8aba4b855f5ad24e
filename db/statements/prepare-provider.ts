import type { Queryable } from "@/db/client";

export interface PrepareProviderInput {
  readonly tenantId: string;
  readonly operationId: string;
  readonly fence: number;
  readonly id: string;
  readonly providerKey: string;
  readonly provider: string;
  readonly kind: string;
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
}

/** RECEIVED → LOCAL_PAYMENT_CREATED with the journal row. @returns false when fenced. */
export async function prepareProvider(db: Queryable, input: PrepareProviderInput): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "prepare_provider",
    text: "select onceboard.prepare_provider($1,$2,$3,$4,$5,$6,$7,$8,$9) as done",
    values: [
      input.tenantId,
      input.operationId,
      input.fence,
      input.id,
      input.providerKey,
      input.provider,
      input.kind,
      input.amountMinor,
      input.currency,
    ],
  });
  return rows[0]?.done === true;
}
