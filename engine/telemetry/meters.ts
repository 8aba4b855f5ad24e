import { type Counter, type Histogram, Registry } from "prom-client";
import type { PoolObserver } from "@/db/observe-pool";
import { boundedCounter, boundedHistogram } from "./bounded-labels";

/** What the caller of a keyed operation got, in the words of the metrics. */
export const METER_OUTCOMES = [
  "created",
  "replayed",
  "conflict",
  "in_progress",
  "expired",
  "recovered",
  "failed",
  "unknown",
] as const;
export type MeterOutcome = (typeof METER_OUTCOMES)[number];

/** Seconds: from a double click to the last retry of a day. */
const RETRY_BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 43_200, 86_400];
/** Seconds: from one round trip to the longest wait that is allowed. */
const CALL_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MS_PER_SECOND = 1_000;
const CUT_OFF = [
  "attached_statements_cut_off_total",
  "Statements on attached databases that a limit of ours ended: statement, lock, answer",
] as const;

/**
 * What this process has counted since it started. One set a process, as prom-client and OpenTelemetry have it: the API shows it
 * at /api/metrics, the worker at WORKER_METRICS_PORT, and Prometheus adds processes up. No tenant, client, key or id is ever a
 * label (docs/OBSERVABILITY.md).
 */
export type Meters = ReturnType<typeof createMeters>;

function createMeters() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    boundedCounter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ): Histogram<Label> => boundedHistogram({ name, help, buckets, labelNames, registers });
  return {
    registry,
    requests: counter(
      "idempotency_requests_total",
      `Answers of keyed operations: ${METER_OUTCOMES.join(", ")}`,
      "operation",
      "outcome",
    ),
    retryDelay: histogram(
      "idempotency_retry_delay_seconds",
      "From the first request of a key to a later one",
      RETRY_BUCKETS,
      "operation",
    ),
    unknownEntered: counter("idempotency_unknown_entered_total", "Operations whose outcome became unknown"),
    leaseFenced: counter("lease_fenced_total", "Late owners that were turned away by the fence"),
    takeovers: counter("recovery_takeovers_total", "Stale leases and unknown operations that recovery took over"),
    purgedRows: counter("purge_rows_total", "Rows that retention removed", "kind"),
    eventsDropped: counter(
      "idempotency_events_dropped_total",
      "Answer events given up because the database stayed away and memory was full",
    ),
    sent: counter("messaging_client_sent_messages_total", "Outbox messages that the relay tried to deliver", "outcome"),
    alertsSent: counter("alert_deliveries_total", "Alerts that the relay tried to deliver", "destination", "outcome"),
    sending: histogram("messaging_client_operation_duration_seconds", "One delivery of the relay", CALL_BUCKETS),
    arrived: counter("inbox_arrivals_total", "Inbound events: recorded, duplicate, mismatch", "outcome"),
    refusedFromBrokers: counter(
      "broker_messages_refused_total",
      "Messages of a broker that were refused and stored nowhere: unsigned, malformed, too_large, signature_invalid, unstorable",
      "reason",
    ),
    consumed: counter(
      "messaging_client_consumed_messages_total",
      "Inbox messages that a consumer was given",
      "outcome",
    ),
    consuming: histogram("messaging_process_duration_seconds", "One handling of a consumer", CALL_BUCKETS),
    statements: histogram(
      "db_client_operation_duration_seconds",
      "One statement, by the name of the prepared statement",
      CALL_BUCKETS,
      "db_operation_name",
    ),
    connectionWait: histogram(
      "db_client_connection_wait_time_seconds",
      "Until the pool gave a connection",
      CALL_BUCKETS,
    ),
    auditBroken: counter(
      "audit_tampering_total",
      "Times that a chain of the audit was found not to fit its checkpoints or itself, by this process",
    ),
    attachedCutOff: counter(...CUT_OFF, "limit", "preset"),
    connectionTimeouts: counter("db_client_connection_timeouts_total", "Waits for a connection that ended without one"),
  };
}

// Next bundles this file more than once, and a development server loads it anew: the numbers of a process stay one set.
const holder = globalThis as { onceboardMeters?: Meters };

export const meters: Meters = (holder.onceboardMeters ??= createMeters());

/** Measures the pool of a process. */
export const poolMeter: PoolObserver = {
  queried: (name, ms) => meters.statements.observe({ db_operation_name: name }, ms / MS_PER_SECOND),
  waited: (ms) => meters.connectionWait.observe(ms / MS_PER_SECOND),
  timedOut: () => meters.connectionTimeouts.inc(),
};
