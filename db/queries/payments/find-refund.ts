import type { Queryable } from "@/db/client";
import { REFUND_COLUMNS, type RefundRow } from "./refund-row";

export async function findRefund(
  db: Queryable,
  tenantId: string,
  by: { readonly id: string } | { readonly operationId: string },
): Promise<RefundRow | undefined> {
  const [column, value] = "id" in by ? ["id", by.id] : ["operation_id", by.operationId];
  const { rows } = await db.query<RefundRow>({
    text: `select ${REFUND_COLUMNS} from onceboard.refunds where tenant_id = $1 and ${column} = $2`,
    values: [tenantId, value],
  });
  return rows[0];
}
