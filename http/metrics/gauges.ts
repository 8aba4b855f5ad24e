import { Gauge, type Registry } from "prom-client";
import { withoutDeadline } from "@/db/deadline";
import { GAUGE_COUNTED, selectMetricGauges, type GaugeRow } from "@/db/metrics/metric-gauges";
import { ALERT_CONDITIONS } from "@/domain/alerts/rules";
import { withTimeout } from "@/domain/with-timeout";
import type { Container } from "../env";

/** Whoever asks more often gets the same numbers: the endpoint needs no key, so it must not load the database. */
const CACHE_MS = 5_000;
/** A scraper is not kept waiting by a pool that has no connection left: that is when its answer is needed. */
const WAIT_MS = 1_000;

type NumberField = Exclude<keyof GaugeRow, "succeeded" | "alerts" | "outbox_dead_letters" | "inbox_dead_letters">;

/** Where many wait, a scrape does not read all of them. */
const FROM_THEN_ON = `from ${String(GAUGE_COUNTED)} messages on, as workers sampled it within three minutes`;

const GAUGES: readonly (readonly [name: string, help: string, field: NumberField])[] = [
  ["idempotency_in_progress", "Operations in progress", "in_progress"],
  ["idempotency_in_progress_age_max_seconds", "Age of the oldest operation in progress", "oldest_in_progress_s"],
  ["idempotency_unknown", "Operations whose outcome is not known", "unknown"],
  ["idempotency_unknown_age_max_seconds", "How long the oldest unknown outcome is unknown", "oldest_unknown_s"],
  ["outbox_pending", `Messages that wait for the relay; ${FROM_THEN_ON}`, "outbox_pending"],
  [
    "outbox_oldest_age_seconds",
    `Age of the oldest message that waits for the relay; ${FROM_THEN_ON}`,
    "outbox_oldest_s",
  ],
  ["inbox_pending", `Messages that wait for a consumer; ${FROM_THEN_ON}`, "inbox_waiting"],
  [
    "inbox_oldest_age_seconds",
    `Age of the oldest message that waits for a consumer; ${FROM_THEN_ON}`,
    "inbox_oldest_s",
  ],
  ["audit_chains_broken", "Chains of the audit that do not fit their checkpoints or themselves", "audit_broken"],
  ["audit_uncovered_age_seconds", "Age of the oldest audit entry that no checkpoint covers", "audit_uncovered_s"],
  ["audit_sink_failing_seconds", "How long a place does not take checkpoints of the audit", "audit_sink_failing_s"],
  ["partition_days_ahead", "Days from tomorrow on that have their partitions", "partition_days"],
];

/**
 * Sums over all tenants: the same from every process that is asked.
 *
 * @returns reads them from the database; to be awaited before the registry is written out
 */
export function registerGauges(registry: Registry, deps: Pick<Container, "db" | "log">): () => Promise<void> {
  const registers = [registry];
  const gauges = GAUGES.map(([name, help, field]) => ({ gauge: new Gauge({ name, help, registers }), field }));
  const deadLetters = new Gauge({
    name: "dead_letter_count",
    help: "Dead letters that nobody requeued",
    labelNames: ["side"],
    registers,
  });
  const succeeded = new Gauge({
    name: "worker_last_success_timestamp_seconds",
    help: "When a loop of the worker last ended without an error, in any process",
    labelNames: ["loop"],
    registers,
  });
  const alerts = new Gauge({
    name: "alerts_open",
    help: "Alerts of all tenants that were sent and have not ended",
    labelNames: ["condition"],
    registers,
  });
  const up = new Gauge({
    name: "database_up",
    help: "1 when the database answered; without it the gauges of its rows are of the last answer",
    registers,
  });
  let refreshed: { readonly until: number; readonly done: Promise<boolean> } | undefined;
  /** While every process of a loop fails, no row says when it last did not: then the last answer holds. */
  const lastSuccess = new Map<string, number>();

  return async () => {
    const now = performance.now();
    if (refreshed === undefined || now >= refreshed.until)
      refreshed = { until: now + CACHE_MS, done: withoutDeadline(refresh) };
    up.set((await withTimeout(refreshed.done, WAIT_MS, () => false)) ? 1 : 0);
  };

  async function refresh(): Promise<boolean> {
    try {
      const row = await selectMetricGauges(deps.db.pool);
      for (const { gauge, field } of gauges) gauge.set(row[field]);
      deadLetters.set({ side: "outbox" }, row.outbox_dead_letters);
      deadLetters.set({ side: "inbox" }, row.inbox_dead_letters);
      for (const condition of ALERT_CONDITIONS) alerts.set({ condition }, row.alerts[condition] ?? 0);
      succeeded.reset();
      for (const [loop, at] of Object.entries(row.succeeded)) {
        if (at !== null) lastSuccess.set(loop, at);
        const last = lastSuccess.get(loop);
        if (last !== undefined) succeeded.set({ loop }, last);
      }
      return true;
    } catch (error) {
      deps.log.warn({ err: error }, "the gauges could not be read");
      return false;
    }
  }
}
