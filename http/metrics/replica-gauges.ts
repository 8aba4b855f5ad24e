import { Gauge, type Registry } from "prom-client";
import type { ReadReplica } from "@/db/replica/read-replica";
import { replicaFacts } from "@/db/replica/page-reads";

const MS_PER_SECOND = 1_000;

/**
 * Only of a process with DATABASE_URL_READ. What is not known of a replica that does not answer has no sample.
 *
 * @returns asks the replica; to be awaited before the registry is written out
 */
export function registerReplica(registry: Registry, replica: ReadReplica): () => Promise<void> {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const inUse = gauge("read_replica_in_use", "1 while pages are read from the read replica, 0 while from the primary");
  const seconds = gauge("read_replica_lag_seconds", "How far the read replica is behind the primary");
  const bytes = gauge("read_replica_lag_bytes", "Bytes of the primary's log that the read replica has not replayed");
  return async () => {
    const facts = await replicaFacts(replica);
    const state = await replica.state();
    inUse.set(facts?.from === "replica" ? 1 : 0);
    seconds.remove();
    bytes.remove();
    if (state.kind !== "follows") return;
    if (Number.isFinite(state.behindMs)) seconds.set(state.behindMs / MS_PER_SECOND);
    bytes.set(state.behindBytes);
  };
}
