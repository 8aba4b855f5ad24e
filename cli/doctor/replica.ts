import { createDatabase } from "@/db/client";
import { followReplica } from "@/db/replica/read-replica";
import { replicaFacts } from "@/db/replica/page-reads";
import { formatAge } from "@/presentation/format/display-time";
import { pageReadsView } from "@/presentation/metrics/page-reads";
import type { StartConfig } from "@/domain/config";
import { ok, wrong, type Diagnosis } from "./diagnosis";

const MS_PER_SECOND = 1_000;

/** Of DATABASE_URL_READ, where it is: whether pages can be read there. */
export async function examineReplica(start: StartConfig): Promise<Diagnosis[]> {
  const { databaseUrl, databaseUrlRead, readReplicaMaxLagSeconds } = start;
  if (databaseUrl === undefined || databaseUrlRead === undefined) return [];
  const open = (url: string) => createDatabase({ url, max: 1, applicationName: "onceboard doctor" });
  const primary = open(databaseUrl);
  const maxLagMs = readReplicaMaxLagSeconds * MS_PER_SECOND;
  const replica = followReplica({ primary, replica: open(databaseUrlRead), maxLagMs });
  try {
    const state = await replica.state();
    if (state.kind === "not_standby")
      return [wrong(`DATABASE_URL_READ is no standby of DATABASE_URL: ${state.reason} (docs/scale/read-replica.md)`)];
    const facts = await replicaFacts(replica);
    if (state.kind === "follows" && facts?.from === "replica")
      return [ok(`The read replica is ${formatAge(state.behindMs)} and ${String(state.behindBytes)} bytes behind`)];
    return facts === undefined ? [] : pageReadsView(facts).trouble.map(wrong);
  } finally {
    await replica.close();
    await primary.close();
  }
}
