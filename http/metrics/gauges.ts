import { Gauge, type Registry } from "prom-client";
import { metricGauges, type GaugeRow } from "@/db/queries/metric-gauges";
import type { HttpDeps } from "../env";

/** Whoever asks more often gets the same numbers: the endpoint needs no key, so it must not load the database. */
const CACHE_MS = 5_000;

const GAUGES: readonly (readonly [name: string, help: string, field: Exclude<keyof GaugeRow, "heartbeats">])[] = [
  ["onceboard_operations_in_progress", "Operations that an owner works on", "in_progress"],
  ["onceboard_operations_unknown", "Operations whose outcome is not known", "unknown"],
  ["onceboard_oldest_in_progress_seconds", "Age of the oldest operation in progress", "oldest_in_progress_s"],
  ["onceboard_oldest_unknown_seconds", "How long the oldest unknown outcome is unknown", "oldest_unknown_s"],
  ["onceboard_outbox_pending", "Messages that wait for the relay", "outbox_pending"],
  ["onceboard_outbox_lag_seconds", "Age of the oldest message that waits for the relay", "outbox_oldest_s"],
  ["onceboard_outbox_dead", "Outgoing messages that ran out of attempts", "outbox_dead"],
  ["onceboard_inbox_waiting", "Messages that wait for a consumer", "inbox_waiting"],
  ["onceboard_inbox_lag_seconds", "Age of the oldest message that waits for a consumer", "inbox_oldest_s"],
  ["onceboard_dead_letters", "Dead letters of both sides that nobody requeued", "dead_letters"],
];

/** Sums over all tenants, read from the database when they are asked for. */
export function registerGauges(registry: Registry, deps: HttpDeps): void {
  const registers = [registry];
  const gauges = GAUGES.map(([name, help, field]) => ({ gauge: new Gauge({ name, help, registers }), field }));
  const heartbeat = new Gauge({
    name: "onceboard_worker_heartbeat_age_seconds",
    help: "Since a loop of the worker last beat",
    labelNames: ["loop"],
    registers,
  });
  const dropped = new Gauge({
    name: "onceboard_answer_events_dropped",
    help: "Answer events that this process gave up because the database stayed away",
    registers,
  });
  let refreshed: { readonly until: number; readonly done: Promise<boolean> } | undefined;
  new Gauge({
    name: "onceboard_database_up",
    help: "1 when the database answered; without it the gauges above are of the last answer",
    registers,
    async collect() {
      const now = performance.now();
      if (refreshed === undefined || now >= refreshed.until) refreshed = { until: now + CACHE_MS, done: refresh() };
      this.set((await refreshed.done) ? 1 : 0);
    },
  });

  async function refresh(): Promise<boolean> {
    dropped.set(deps.answers.dropped);
    try {
      const row = await metricGauges(deps.db.pool);
      for (const { gauge, field } of gauges) gauge.set(row[field]);
      heartbeat.reset();
      for (const [loop, age] of Object.entries(row.heartbeats)) heartbeat.set({ loop }, age);
      return true;
    } catch (error) {
      deps.log.warn({ err: error }, "the gauges could not be read");
      return false;
    }
  }
}
