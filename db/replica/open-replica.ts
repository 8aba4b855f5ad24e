import { createDatabase, type Database, type DatabaseOptions } from "../client";
import { isConnectionError } from "../errors";
import { whyNotStandby } from "./measure";
import { followReplica, type ReadReplica, type ReplicaOptions } from "./read-replica";

const REFUSED = "DATABASE_URL_READ is no standby of DATABASE_URL";

/** @param options of the replica's pool; nothing connects before the first use */
export function openReplica(
  primary: Pick<Database, "pool">,
  options: DatabaseOptions & Pick<ReplicaOptions, "maxLagMs" | "onChange" | "onGaveUp">,
): ReadReplica {
  return followReplica({ primary, replica: createDatabase(options), ...options });
}

/**
 * Refuses a read replica that is none: pages would show another database as this one. One that does not answer now is no error, pages
 * are read from the primary until it does.
 *
 * @throws Error in one sentence
 */
export async function requireStandby(url: string, replicaUrl: string): Promise<void> {
  const open = (of: string) => createDatabase({ url: of, max: 1, applicationName: "onceboard start" });
  const [primary, replica] = [open(url), open(replicaUrl)];
  try {
    const reason = await whyNotStandby(primary.pool, replica.pool);
    if (reason !== undefined) throw new Error(`${REFUSED}: ${reason} (docs/scale/read-replica.md).`);
  } catch (error) {
    if (!isConnectionError(error)) throw error;
  } finally {
    await Promise.all([primary.close(), replica.close()]);
  }
}
