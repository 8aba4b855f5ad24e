import type { Queryable } from "@/db/client";

/** Deletes hours of the clients' report cards that are older than `days`, one batch of each table. @returns how many rows. */
export async function purgeClientMetrics(
  db: Queryable,
  tenantId: string,
  days: number,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_client_metrics",
    text: "select onceboard.purge_client_metrics($1,$2,$3) as purged",
    values: [tenantId, days, limit],
  });
  return rows[0]?.purged ?? 0;
}

export interface RecordRetention {
  /** Settled dead letters and notifications. */
  readonly metadataDays: number;
  /** Plans with their rows, from their end. */
  readonly planDays: number;
}

/** Deletes settled dead letters, notifications and ended plans past their time, one batch of each. @returns how many rows. */
export async function purgeRecords(
  db: Queryable,
  tenantId: string,
  { metadataDays, planDays }: RecordRetention,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_records",
    text: "select onceboard.purge_records($1,$2,$3,$4) as purged",
    values: [tenantId, metadataDays, planDays, limit],
  });
  return rows[0]?.purged ?? 0;
}
