import { newId } from "@/domain/new-id";
import type { Database } from "@/db/client";
import { databaseErrorCode } from "@/db/errors";
import { recordRetentionRun, retentionWatermark } from "@/db/retention/retention-runs";
import { dropPartitions, ensurePartitions, type TableByDay, TABLES_BY_DAY } from "@/db/partitions";
import { RISK_DAYS } from "@/domain/metrics/risk";
import { expireRequests } from "@/db/operations/transitions";
import { purgeBodiesBatch } from "@/db/bodies/purge-bodies";
import {
  purgeClientMetrics,
  purgeInbox,
  purgeInvariantChecks,
  purgeMetrics,
  purgeRecords,
  purgeRequests,
} from "@/db/retention/purge";
import { inTransaction } from "@/db/transaction";
import { bodyRetention } from "../bodies/body-retention";
import type { EngineContext } from "../context";
import { meters } from "../telemetry/meters";
import type { EngineConfig } from "@/engine/engine-config";
import { retainKeys } from "./retain-keys";

/** Rows of one statement: its locks are held for milliseconds. */
export const RETAIN_BATCH = 500;
/** Batches of each kind in one tick; the rest is for the next one. */
export const RETAIN_MAX_BATCHES = 10;
/** The walk over ended windows goes back this far each time, for rows that somebody held at that moment. */
const WATERMARK_OVERLAP_MINUTES = 10;
/** Minutes, gauges and doubts that ended are kept this long; hours stay. */
const METRIC_DAYS = RISK_DAYS;
/** Report cards of clients are kept as long as a chart reaches back, and a month. */
const CLIENT_METRIC_DAYS = 400;
/** Plans with their rows are kept this long after their end. */
const PLAN_DAYS = 90;
/** Runs of invariants are kept this long. */
const INVARIANT_DAYS = 30;
/** Days beyond the retention after which a whole day is dropped. */
const DROP_SLACK_DAYS = 2;
const HOURS_PER_DAY = 24;
const DAY_MS = HOURS_PER_DAY * 3_600_000;
const LOCK_NOT_AVAILABLE = "55P03";

/** Where the last walk of a tenant ended; lives as long as the loop. */
export type RetainMemory = Map<string, Date>;

export interface RetainResult {
  readonly expired: number;
  readonly purgedBodies: number;
  readonly purgedOperations: number;
  readonly purgedMessages: number;
  readonly bytes: bigint;
  /** Nothing of this tenant is left that is due. */
  readonly done: boolean;
}

/** One tick of retention for one tenant, in small batches. Never touches what is open. */
export async function retain(ctx: EngineContext, memory: RetainMemory): Promise<RetainResult> {
  const { tenantId } = ctx;
  const { pool } = ctx.db;
  const { metadataTtlDays } = ctx.config;
  const watermark = await retentionWatermark(pool, tenantId, WATERMARK_OVERLAP_MINUTES);
  const expired = await inBatches(() => expireRequests(pool, tenantId, RETAIN_BATCH, memory.get(tenantId)));
  if (expired.done) memory.set(tenantId, watermark);
  let bytes = 0n;
  const { bodyTtlHours, ttls } = await bodyRetention(ctx);
  const bodies = await inBatches(async () => {
    const purged = await purgeBodiesBatch(pool, { tenantId, bodyTtlHours, ttls, limit: RETAIN_BATCH });
    bytes += purged.bytes;
    return purged.operations;
  });
  const requests = await inBatches(() => purgeRequests(pool, tenantId, RETAIN_BATCH));
  const messages = await inBatches(() => purgeInbox(pool, tenantId, metadataTtlDays, RETAIN_BATCH));
  const kept = { metadataDays: metadataTtlDays, planDays: PLAN_DAYS };
  const records = await inBatches(() => purgeRecords(pool, tenantId, kept, RETAIN_BATCH));
  const { destroyed } = await retainKeys(ctx, watermark);
  // Our own numbers, not the tenant's data: no run is recorded for them.
  await inBatches(() => purgeMetrics(pool, tenantId, METRIC_DAYS, RETAIN_BATCH));
  await inBatches(() => purgeClientMetrics(pool, tenantId, CLIENT_METRIC_DAYS, RETAIN_BATCH));
  await purgeInvariantChecks(pool, tenantId, INVARIANT_DAYS, RETAIN_BATCH);
  const purged = { bodies, requests, messages, records };
  for (const [kind, { rows }] of Object.entries(purged)) meters.purgedRows.inc({ kind }, rows);
  if (expired.rows > 0) ctx.log.info({ toState: "EXPIRED", rows: expired.rows, tenantId }, "expired");
  const rows = bodies.rows + requests.rows + messages.rows + records.rows;
  if (rows > 0 || destroyed.length > 0) {
    const detail = {
      bodies: bodies.rows,
      operations: requests.rows,
      messages: messages.rows,
      ...(records.rows > 0 && { records: records.rows }),
      expired: expired.rows,
      ...(destroyed.length > 0 && { destroyedKeys: destroyed }),
    };
    const run = { tenantId, id: newId(), actor: ctx.actor.name, kind: "retain", rows, bytes, detail };
    await recordRetentionRun(pool, run);
  }
  return {
    expired: expired.rows,
    purgedBodies: bodies.rows,
    purgedOperations: requests.rows,
    purgedMessages: messages.rows,
    bytes,
    done: expired.done && Object.values(purged).every(({ done }) => done),
  };
}

async function inBatches(batch: () => Promise<number>): Promise<{ readonly rows: number; readonly done: boolean }> {
  let rows = 0;
  for (let count = 0; count < RETAIN_MAX_BATCHES; count += 1) {
    const gone = await batch();
    rows += gone;
    if (gone < RETAIN_BATCH) return { rows, done: true };
  }
  return { rows, done: false };
}

export interface RetainDaysResult {
  readonly made: number;
  readonly dropped: readonly string[];
}

/**
 * Makes the days ahead and drops days that lie wholly beyond their retention, for all tenants at once.
 * @param input.emptied every tenant's bodies of those days were purged row by row, so that no tombstone is missed
 */
export async function retainDays(
  db: Database,
  config: Pick<EngineConfig, "bodyTtlHours" | "metadataTtlDays">,
  input: { readonly now: Date; readonly emptied: boolean },
): Promise<RetainDaysResult> {
  const made = await ensurePartitions(db.pool);
  const dropped: string[] = [];
  for (const table of TABLES_BY_DAY) {
    if (table === "idempotency_bodies" && !input.emptied) continue;
    dropped.push(...(await dropDays(db, table, firstKept(config, table, input.now))));
  }
  return { made, dropped };
}

async function dropDays(db: Database, table: TableByDay, before: string): Promise<string[]> {
  try {
    const days = await inTransaction(db, (tx) => dropPartitions(tx, { table, before }), { retries: 0 });
    return days.filter((day) => day.dropped).map((day) => day.partition);
  } catch (error) {
    // Busy: the next tick tries again.
    if (databaseErrorCode(error) === LOCK_NOT_AVAILABLE) return [];
    throw error;
  }
}

function firstKept(
  config: Pick<EngineConfig, "bodyTtlHours" | "metadataTtlDays">,
  table: TableByDay,
  now: Date,
): string {
  const days = table === "idempotency_bodies" ? Math.ceil(config.bodyTtlHours / HOURS_PER_DAY) : config.metadataTtlDays;
  return new Date(now.getTime() - (days + DROP_SLACK_DAYS) * DAY_MS).toISOString().slice(0, 10);
}
