import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Database } from "@/db/client";
import { meters } from "@/engine/telemetry/meters";

export type ProcessMetrics = ReturnType<typeof createProcessMetrics>;

export function createProcessMetrics(db: Pick<Database, "pool">, registry = new Registry()) {
  collectDefaultMetrics({ register: registry });
  registerPool(registry, db);
  return {
    registry,
    // Two registries without a name in common: what the process counted, and what it is asked for now.
    text: async (): Promise<string> => `${await meters.registry.metrics()}\n${await registry.metrics()}`,
    contentType: registry.contentType,
  };
}

/** Names and states of the OpenTelemetry conventions for connection pools, as far as the pool knows them. */
function registerPool(registry: Registry, { pool }: Pick<Database, "pool">): void {
  const registers = [registry];
  new Gauge({
    name: "db_client_connection_count",
    help: "Connections of the pool",
    labelNames: ["db_client_connection_state"],
    registers,
    collect() {
      this.set({ db_client_connection_state: "idle" }, pool.idleCount);
      this.set({ db_client_connection_state: "used" }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: "db_client_connection_max",
    help: "Connections that the pool may have",
    registers,
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: "db_client_connection_pending_requests",
    help: "Requests that wait for a connection",
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
