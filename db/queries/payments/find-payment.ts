import type { Queryable } from "@/db/client";
import { PAYMENT_COLUMNS, type PaymentRow } from "./payment-row";

type By =
  | { readonly id: string }
  | { readonly operationId: string }
  | { readonly accountId: string; readonly merchantReference: string };

/** @param options.lock takes the row until the transaction ends, before a refund or a void decides what is left */
export async function findPayment(
  db: Queryable,
  tenantId: string,
  by: By,
  options: { readonly lock?: boolean } = {},
): Promise<PaymentRow | undefined> {
  const lock = options.lock === true ? " for update" : "";
  const select = `select ${PAYMENT_COLUMNS} from onceboard.payments where tenant_id = $1`;
  const { rows } =
    "id" in by
      ? await db.query<PaymentRow>({ text: `${select} and id = $2${lock}`, values: [tenantId, by.id] })
      : "operationId" in by
        ? await db.query<PaymentRow>({
            text: `${select} and operation_id = $2${lock}`,
            values: [tenantId, by.operationId],
          })
        : await db.query<PaymentRow>({
            text: `${select} and account_id = $2 and merchant_reference = $3 and status <> 'failed'${lock}`,
            values: [tenantId, by.accountId, by.merchantReference],
          });
  return rows[0];
}
