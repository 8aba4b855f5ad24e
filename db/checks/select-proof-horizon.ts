import type { Queryable } from "@/db/client";
import { TABLES_BY_DAY, type TableByDay } from "@/db/partitions";

/** First UTC day that each table by day still has, `YYYY-MM-DD`; undefined when it has none. */
export type ProofHorizon = Readonly<Record<TableByDay, string | undefined>>;

/** What is older than this was dropped by retention, or never was. */
export async function selectProofHorizon(q: Queryable): Promise<ProofHorizon> {
  const { rows } = await q.query<{ table: TableByDay; day: string | null }>({
    text: `select t.name as "table",
  (select min(substring(pg_get_expr(c.relpartbound, c.oid) from $re$FROM \\('(\\d{4}-\\d\\d-\\d\\d)'\\)$re$))
   from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('onceboard.' || t.name)) as day
from unnest($1::text[]) as t(name)`,
    values: [TABLES_BY_DAY],
  });
  const days = new Map(rows.map((row) => [row.table, row.day ?? undefined]));
  return {
    idempotency_bodies: days.get("idempotency_bodies"),
    idempotency_events: days.get("idempotency_events"),
    inbox_arrivals: days.get("inbox_arrivals"),
    message_attempts: days.get("message_attempts"),
    outbox_history: days.get("outbox_history"),
  };
}
