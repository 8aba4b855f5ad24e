import type { Queryable } from "@/db/client";

export const VOID_COLUMNS = "id, payment_id, status, provider_key, created_at";

export interface VoidRow {
  readonly id: string;
  readonly payment_id: string;
  readonly status: "pending" | "succeeded" | "failed";
  readonly provider_key: string;
  readonly created_at: Date;
}

/** The void of an operation, or the active one of a payment. */
export async function findVoid(
  db: Queryable,
  tenantId: string,
  by: { readonly operationId: string } | { readonly paymentId: string },
): Promise<VoidRow | undefined> {
  const [condition, value] =
    "operationId" in by
      ? ["operation_id = $2", by.operationId]
      : ["payment_id = $2 and status <> 'failed'", by.paymentId];
  const { rows } = await db.query<VoidRow>({
    text: `select ${VOID_COLUMNS} from onceboard.voids where tenant_id = $1 and ${condition}`,
    values: [tenantId, value],
  });
  return rows[0];
}
