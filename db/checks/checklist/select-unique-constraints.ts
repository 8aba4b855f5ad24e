import type { Queryable } from "@/db/client";

/** What two writers at the same moment are decided by, each as the columns of one unique index. */
export const DECIDING = [
  {
    name: "one key per tenant and operation",
    table: "idempotency_requests",
    columns: ["tenant_id", "operation", "key"],
  },
  { name: "one payment per operation", table: "payments", columns: ["tenant_id", "operation_id"] },
  { name: "one refund per operation", table: "refunds", columns: ["tenant_id", "operation_id"] },
  { name: "one void per operation", table: "voids", columns: ["tenant_id", "operation_id"] },
  { name: "one void per payment", table: "voids", columns: ["tenant_id", "payment_id"] },
  {
    name: "one payment per merchant reference",
    table: "payments",
    columns: ["tenant_id", "account_id", "merchant_reference"],
  },
  { name: "one ledger entry per cause", table: "ledger_entries", columns: ["tenant_id", "entry_type", "source_id"] },
  { name: "one notification per cause", table: "notifications", columns: ["tenant_id", "notification_key"] },
  {
    name: "one inbox row per consumer, source and event id",
    table: "inbox_messages",
    columns: ["tenant_id", "consumer", "source", "message_id"],
  },
] as const satisfies readonly { name: string; table: string; columns: readonly string[] }[];

/** @returns the names of those that the database does not enforce now. */
export async function selectMissingConstraints(q: Queryable): Promise<string[]> {
  const { rows } = await q.query<{ name: string }>({
    text: `select d.name from jsonb_to_recordset($1::jsonb) as d(name text, "table" text, columns text[])
where not exists (
  select 1 from pg_index i where i.indrelid = to_regclass('onceboard.' || d."table") and i.indisunique and i.indisvalid and i.indimmediate
    and array(select a.attname::text from unnest(i.indkey::smallint[]) as k(attnum)
              join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum order by 1)
      = array(select c from unnest(d.columns) as c order by 1))
order by d.name`,
    values: [JSON.stringify(DECIDING)],
  });
  return rows.map(({ name }) => name);
}
