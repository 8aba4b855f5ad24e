import { Gauge, type Registry } from "prom-client";
import type { ReadReplica } from "@/db/replica/read-replica";
import { replicaFacts } from "@/db/replica/page-reads";

const MS_PER_SECOND = 1_000;

/**
 * Their samples are there with DATABASE_URL_READ only, and of a replica that does not answer what is known of it.
 *
 * @returns asks the replica; to be awaited before the registry is written out
 */
export function registerReplica(registry: Registry, replica: ReadReplica | undefined): () => Promise<void> {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const inUse = gauge("read_replica_in_use", "1 while pages are read from the read replica, 0 while from the primary");
  const seconds = gauge("read_replica_lag_seconds", "How far the read replica is behind the primary");
  const bytes = gauge("read_replica_lag_bytes", "Bytes of the primary's log that the read replica has not replayed");
  return async () => {
    // A gauge begins as 0, which would be a replica that there is not.
    for (const each of [inUse, seconds, bytes]) each.remove();
    if (replica === undefined) return;
    const facts = await replicaFacts(replica);
    const state = await replica.state();
    inUse.set(facts?.from === "replica" ? 1 : 0);
    if (state.kind !== "follows") return;
    if (Number.isFinite(state.behindMs)) seconds.set(state.behindMs / MS_PER_SECOND);
    bytes.set(state.behindBytes);
  };
}
