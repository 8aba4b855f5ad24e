import type { PageReadsFacts } from "@/domain/page-reads";
import { AppError } from "@/domain/errors";
import type { Database, PageReads } from "../client";
import { databaseErrorCode, isConnectionError, isContention } from "../errors";
import type { ReadReplica, ReplicaState } from "./read-replica";

/** How far the log was when somebody acted, in bytes; `unknown`: they did, and nobody could say how far it was. */
export type Acted = bigint | "unknown" | undefined;

/**
 * The database for one request of a page: its bounded reads go to the read replica while that answers, is close enough behind, and
 * has what this person did. Once one went to the primary, all that follow do: a page never goes back in time.
 *
 * @param acted of the person who asks
 */
export function pageDatabase(db: Database, replica: ReadReplica | undefined, acted: Acted): Database {
  return replica === undefined ? db : { ...db, reads: readsOf(replica, acted) };
}

function readsOf(replica: ReadReplica, acted: Acted): PageReads {
  let facts: PageReadsFacts | undefined;
  const left = (): boolean => facts?.from === "primary";
  return {
    pool: replica.pool,
    facts: () => facts,
    async begin() {
      if (left()) return undefined;
      const state = await replica.state();
      // Another read of this request may have left it meanwhile.
      if (left()) return undefined;
      facts = factsOf(state, replica.maxLagMs, acted);
      return facts.from === "replica" && state.kind === "follows" ? state.until : undefined;
    },
    gaveUp(error) {
      if (!isOfReplica(error)) return false;
      replica.gaveUp(error, isConnectionError(error) || isConnectionError(causeOf(error)));
      facts = { from: "primary", why: "left" };
      return true;
    },
    leave() {
      if (facts?.from !== "replica") return false;
      facts = { from: "primary", why: "left" };
      return true;
    },
  };
}

/** @returns where a page would be read now of somebody who did not act; undefined without a replica */
export async function replicaFacts(replica: ReadReplica | undefined): Promise<PageReadsFacts | undefined> {
  return replica && factsOf(await replica.state(), replica.maxLagMs, undefined);
}

function factsOf(state: ReplicaState, maxLagMs: number, acted: Acted): PageReadsFacts {
  if (state.kind !== "follows") return { from: "primary", why: state.kind };
  const { until, behindMs, behindBytes, replayed } = state;
  if (until === undefined) return { from: "primary", why: "behind" };
  if (behindMs > maxLagMs) return { from: "primary", why: "behind", behindMs };
  if (acted === "unknown" || (acted !== undefined && acted > replayed)) return { from: "primary", why: "acted" };
  return { from: "replica", until: new Date(until).toISOString(), behindMs, behindBytes };
}

/**
 * Of the connection, of a conflict with recovery (40001), or of what the replica has not replayed yet, such as a table: the primary may
 * do better. A statement that ran into its time would there as well.
 */
function isOfReplica(error: unknown): boolean {
  if (error instanceof AppError)
    return error.code === "dependency.unavailable" || error.code === "transient.contention";
  const code = databaseErrorCode(error);
  return isConnectionError(error) || isContention(code) || (error instanceof Error && "severity" in error);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
