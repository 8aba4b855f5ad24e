import { newId } from "@/domain/new-id";
import type { Database } from "@/db/client";
import { databaseErrorCode } from "@/db/errors";
import { recordRetentionRun, retentionWatermark } from "@/db/retention/retention-runs";
import { FIRST_INSTANT, type Instant, type KeyStretch } from "@/db/retention/stretch";
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
import { createPace, type Pace } from "./pace";
import { retainKeys } from "./retain-keys";
import { takeBatches, RETAIN_BATCH, STRETCHES_AT_ONCE, walkKeys, type Batches } from "./walk";

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

/** Where walks over a tenant's keys go on. */
interface Walks {
  /** Of keys that expire, and from where it begins again once it came to the end. */
  readonly expire: Instant;
  readonly expireAgain: Instant;
  /** Of keys that go, behind those at the front that are not due. */
  readonly purge: Instant;
}

/** By tenant; lives as long as the loop. */
export type RetainMemory = Map<string, Walks>;

export interface RetainResult {
  readonly expired: number;
  readonly purgedBodies: number;
  readonly purgedOperations: number;
  readonly purgedMessages: number;
  readonly bytes: bigint;
  /** Nothing of this tenant is left that is due. */
  readonly done: boolean;
}

/** One tick of retention for one tenant, in small batches with rests between them. Never touches what is open. */
export async function retain(
  ctx: EngineContext,
  memory: RetainMemory,
  pace: Pace = createPace(),
): Promise<RetainResult> {
  const { tenantId } = ctx;
  const { pool } = ctx.db;
  const { metadataTtlDays } = ctx.config;
  const watermark = await retentionWatermark(pool, tenantId, WATERMARK_OVERLAP_MINUTES);
  const batches = (batch: () => Promise<number>): Promise<Batches> => takeBatches(batch, pace);
  const expired = await expireKeys(ctx, memory, watermark.toISOString(), pace);
  let bytes = 0n;
  const { bodyTtlHours, ttls } = await bodyRetention(ctx);
  const bodies = await batches(async () => {
    const purged = await purgeBodiesBatch(pool, { tenantId, bodyTtlHours, ttls, limit: RETAIN_BATCH });
    bytes += purged.bytes;
    return purged.operations;
  });
  const requests = await purgeKeys(ctx, memory, pace);
  const messages = await batches(() => purgeInbox(pool, tenantId, metadataTtlDays, RETAIN_BATCH));
  const kept = { metadataDays: metadataTtlDays, planDays: PLAN_DAYS };
  const records = await batches(() => purgeRecords(pool, tenantId, kept, RETAIN_BATCH));
  const { destroyed } = await retainKeys(ctx, watermark);
  // Our own numbers, not the tenant's data: no run is recorded for them.
  await batches(() => purgeMetrics(pool, tenantId, METRIC_DAYS, RETAIN_BATCH));
  await batches(() => purgeClientMetrics(pool, tenantId, CLIENT_METRIC_DAYS, RETAIN_BATCH));
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

/** Expires the keys whose window is over; a walk over many takes several ticks. @param watermark how far back the next one begins */
async function expireKeys(ctx: EngineContext, memory: RetainMemory, watermark: Instant, pace: Pace): Promise<Batches> {
  const { db, tenantId } = ctx;
  const walks = memory.get(tenantId) ?? { expire: FIRST_INSTANT, expireAgain: watermark, purge: FIRST_INSTANT };
  const expire = (stretch: KeyStretch): Promise<number> => expireRequests(db.pool, tenantId, RETAIN_BATCH, stretch);
  const options = { from: walks.expire, most: STRETCHES_AT_ONCE, whileDue: false, pace };
  const { rows, done, at } = await walkKeys(ctx, expire, options);
  // An operation that was open when the walk came by must be met again: the next walk begins where this one's first tick said.
  const next = at === undefined ? { expire: walks.expireAgain, expireAgain: watermark } : { expire: at };
  memory.set(tenantId, { ...walks, ...next });
  return { rows, done };
}

/**
 * Deletes keys past their metadata's time. The oldest are due first where all are kept for the same time; where some are kept longer, a second
 * walk looks at a stretch of them in each tick and so comes past all.
 */
async function purgeKeys(ctx: EngineContext, memory: RetainMemory, pace: Pace): Promise<Batches> {
  const { db, tenantId } = ctx;
  const purge = (stretch: KeyStretch): Promise<number> => purgeRequests(db.pool, tenantId, RETAIN_BATCH, stretch);
  const front = await walkKeys(ctx, purge, { from: FIRST_INSTANT, most: STRETCHES_AT_ONCE, whileDue: true, pace });
  const walks = memory.get(tenantId);
  if (walks === undefined || front.at === undefined) return front;
  const from = walks.purge === FIRST_INSTANT ? front.at : walks.purge;
  const behind = await walkKeys(ctx, purge, { from, most: 1, whileDue: false, pace });
  memory.set(tenantId, { ...walks, purge: behind.at ?? FIRST_INSTANT });
  return { rows: front.rows + behind.rows, done: front.done };
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
