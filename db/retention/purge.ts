import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { EVERY_KEY, type KeyStretch } from "./stretch";

/** Deletes one batch of a tenant's rows, `limit` of each table at the most. @returns how many rows */
async function purge(db: Queryable, name: string, tenantId: string, ...bounds: readonly number[]): Promise<number> {
  return (await callScalar<number>(db, name, [tenantId, ...bounds])) ?? 0;
}

/** Processed messages past the metadata retention. */
export function purgeInbox(db: Queryable, tenantId: string, metadataDays: number, limit: number) {
  return purge(db, "purge_inbox", tenantId, metadataDays, limit);
}

/** Runs of invariants older than `days`; those that held are thinned. */
export function purgeInvariantChecks(db: Queryable, tenantId: string, days: number, limit: number) {
  return purge(db, "purge_invariant_checks", tenantId, days, limit);
}

/** Minutes and gauges older than `days`; hours stay. */
export function purgeMetrics(db: Queryable, tenantId: string, days: number, limit: number) {
  return purge(db, "purge_metrics", tenantId, days, limit);
}

/** Hours of the clients' report cards older than `days`. */
export function purgeClientMetrics(db: Queryable, tenantId: string, days: number, limit: number) {
  return purge(db, "purge_client_metrics", tenantId, days, limit);
}

/** Metadata past its own retention, of windows that ended in the stretch. */
export async function purgeRequests(
  db: Queryable,
  tenant: string,
  limit: number,
  { from, to }: KeyStretch = EVERY_KEY,
): Promise<number> {
  return (await callScalar<number>(db, "purge_requests", { tenant, limit, from, to })) ?? 0;
}

export interface RecordRetention {
  /** Settled dead letters and notifications. */
  readonly metadataDays: number;
  /** Plans with their rows, from their end. */
  readonly planDays: number;
}

/** Settled dead letters, notifications and ended plans past their time. */
export function purgeRecords(db: Queryable, tenantId: string, kept: RecordRetention, limit: number) {
  return purge(db, "purge_records", tenantId, kept.metadataDays, kept.planDays, limit);
}
