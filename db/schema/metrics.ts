import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  primaryKey,
  smallint,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { onceboard } from "./onceboard";

const bucket = () => ({
  tenantId: text("tenant_id").notNull(),
  bucket: timestamp("bucket", { withTimezone: true }).notNull(),
  operation: text("operation").notNull(),
  client: text("client").notNull(),
  outcome: text("outcome").notNull(),
  count: integer("count").notNull(),
  latencyP95Ms: doublePrecision("latency_p95_ms"),
  latencyMaxMs: integer("latency_max_ms"),
  delaySumMs: bigint("delay_sum_ms", { mode: "number" }),
  delayCount: integer("delay_count").notNull().default(0),
});

/** Minutes with new unknown outcomes. Text, so that the planner sees the condition of the index. */
export const BECAME_UNKNOWN_MINUTE = sql.raw("outcome = 'unknown_entered'");

/** Charts read only these. Recomputed from events for a closed bucket; never incremented. */
export const metricMinutes = onceboard.table("metric_minutes", bucket(), (table) => [
  primaryKey({ columns: [table.tenantId, table.bucket, table.operation, table.client, table.outcome] }),
  // Incidents of a week, among all answers of its minutes.
  index("metric_minutes_became_unknown").on(table.tenantId, table.bucket).where(BECAME_UNKNOWN_MINUTE),
]);

export const metricHours = onceboard.table("metric_hours", bucket(), (table) => [
  primaryKey({ columns: [table.tenantId, table.bucket, table.operation, table.client, table.outcome] }),
]);

/** Sampled once a minute: oldest in progress, outbox lag, counts of what is open (`name` is the metric's). */
export const metricGauges = onceboard.table(
  "metric_gauges",
  {
    tenantId: text("tenant_id").notNull(),
    bucket: timestamp("bucket", { withTimezone: true }).notNull(),
    name: text("name").notNull(),
    value: doublePrecision("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.name, table.bucket] })],
);

/** What topics delivered and consumers processed, per minute. Recomputed for a closed bucket; never incremented. */
export const metricMessages = onceboard.table(
  "metric_messages",
  {
    tenantId: text("tenant_id").notNull(),
    bucket: timestamp("bucket", { withTimezone: true }).notNull(),
    side: text("side").notNull(),
    /** Topic or consumer. */
    place: text("place").notNull(),
    succeeded: integer("succeeded").notNull(),
    failed: integer("failed").notNull(),
    dead: integer("dead").notNull(),
    /** From written to published, from received to processed. */
    lagP95Ms: doublePrecision("lag_p95_ms"),
    lagMaxMs: bigint("lag_max_ms", { mode: "number" }),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.side, table.place, table.bucket] })],
);

/** What replays would have moved once more had each run. Recomputed for closed minutes and whole hours; never incremented. */
export const metricSuppressed = onceboard.table(
  "metric_suppressed",
  {
    tenantId: text("tenant_id").notNull(),
    /** `minute` or `hour`: what the bucket is as long as. */
    unit: text("unit").notNull(),
    bucket: timestamp("bucket", { withTimezone: true }).notNull(),
    operation: text("operation").notNull(),
    /** Of the replay; empty where none is known, also of what was rolled up before clients were kept here. */
    client: text("client").notNull().default(""),
    currency: text("currency").notNull(),
    /** Replays. */
    count: integer("count").notNull(),
    sumMinor: bigint("sum_minor", { mode: "bigint" }).notNull(),
  },
  (table) => [
    primaryKey({
      name: "metric_suppressed_pk",
      columns: [table.tenantId, table.unit, table.bucket, table.operation, table.client, table.currency],
    }),
    check("metric_suppressed_unit", sql`${table.unit} in ('minute', 'hour')`),
  ],
);

/** Which minutes are computed, and which a late event has made stale. */
export const metricBuckets = onceboard.table(
  "metric_buckets",
  {
    tenantId: text("tenant_id").notNull(),
    bucket: timestamp("bucket", { withTimezone: true }).notNull(),
    computedAt: timestamp("computed_at", { withTimezone: true }),
    stale: boolean("stale").notNull().default(false),
    /** Whether metric_bins was filled with it: of minutes that were computed before there were bins nothing is known. */
    binned: boolean("binned").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.bucket] }),
    index("metric_buckets_stale").on(table.tenantId, table.stale),
  ],
);

/**
 * Times as distributions: how many lay in each bin (domain/metrics/bins.ts). `first_answer`: of all clients, its last bin are those that
 * never came. `retry_delay`: per client, its first bin are keys that were reused too fast. Recomputed for closed minutes from the events,
 * and for whole hours from their minutes; never incremented.
 */
export const metricBins = onceboard.table(
  "metric_bins",
  {
    tenantId: text("tenant_id").notNull(),
    /** `minute` or `hour`: what the bucket is as long as. */
    unit: text("unit").notNull(),
    measure: text("measure").notNull(),
    bin: smallint("bin").notNull(),
    bucket: timestamp("bucket", { withTimezone: true }).notNull(),
    client: text("client").notNull().default(""),
    count: integer("count").notNull(),
  },
  (table) => [
    primaryKey({
      name: "metric_bins_pk",
      columns: [table.tenantId, table.unit, table.measure, table.bin, table.bucket, table.client],
    }),
    check("metric_bins_unit", sql`${table.unit} in ('minute', 'hour')`),
    check("metric_bins_measure", sql`${table.measure} in ('first_answer', 'retry_delay')`),
  ],
);

/** Counts of the huge states, with their age and kind (`exact`, `at_least`, `estimate`). */
export const countSnapshots = onceboard.table(
  "count_snapshots",
  {
    tenantId: text("tenant_id").notNull(),
    name: text("name").notNull(),
    value: bigint("value", { mode: "number" }).notNull(),
    kind: text("kind").notNull(),
    takenAt: timestamp("taken_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.name] })],
);
