import type { Queryable } from "@/db/client";
import { namedCall } from "./named-call";

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
  const { call, values } = namedCall("prepare_provider", {
    tenant: input.tenantId,
    operation_id: input.operationId,
    fence: input.fence,
    id: input.id,
    provider_key: input.providerKey,
    provider: input.provider,
    kind: input.kind,
    amount: input.amountMinor,
    currency: input.currency,
  });
  const { rows } = await db.query<{ done: boolean }>({
    name: "prepare_provider",
    text: `select ${call} as done`,
    values,
  });
  return rows[0]?.done === true;
}
