import type { Queryable } from "@/db/client";

/** Deletes processed messages past the metadata retention, one batch. @returns how many. */
export async function purgeInbox(
  db: Queryable,
  tenantId: string,
  metadataDays: number,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_inbox",
    text: "select onceboard.purge_inbox($1,$2,$3) as purged",
    values: [tenantId, metadataDays, limit],
  });
  return rows[0]?.purged ?? 0;
}

/** Deletes runs older than `days` and thins those that held, one batch of each. @returns how many rows. */
export async function purgeInvariantChecks(
  db: Queryable,
  tenantId: string,
  days: number,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_invariant_checks",
    text: "select onceboard.purge_invariant_checks($1,$2,$3) as purged",
    values: [tenantId, days, limit],
  });
  return rows[0]?.purged ?? 0;
}

/** Deletes minutes and gauges that are older than `days`, one batch of each; hours stay. @returns how many rows. */
export async function purgeMetrics(db: Queryable, tenantId: string, days: number, limit: number): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_metrics",
    text: "select onceboard.purge_metrics($1,$2,$3) as purged",
    values: [tenantId, days, limit],
  });
  return rows[0]?.purged ?? 0;
}

/** Deletes metadata past its own retention, one batch. @returns how many. */
export async function purgeRequests(db: Queryable, tenantId: string, limit: number): Promise<number> {
  const { rows } = await db.query<{ purged: number }>({
    name: "purge_requests",
    text: "select onceboard.purge_requests($1,$2) as purged",
    values: [tenantId, limit],
  });
  return rows[0]?.purged ?? 0;
}
