import type { Queryable } from "../client";
import { currentPlace } from "../restore/restored";

/** Of the primary: positions in its log are bytes since its beginning. */
export interface PrimaryMark {
  /** Its clock, ms since 1970. */
  readonly at: number;
  readonly written: bigint;
}

/** Of the replica. */
export interface ReplicaMark {
  readonly recovers: boolean;
  readonly replayed: bigint | undefined;
  /** When the last transaction that it has replayed was committed, ms since 1970 by the primary's clock. */
  readonly committedAt: number | undefined;
}

const BYTES = "- '0/0'::pg_lsn)::bigint";
const MS = "extract(epoch from ";

/** @throws the driver's error when it does not answer, or is none */
export async function primaryMark(primary: Queryable): Promise<PrimaryMark> {
  const { rows } = await primary.query<PrimaryMark>({
    text: `select (${MS}clock_timestamp()) * 1000)::float8 as at, (pg_current_wal_lsn() ${BYTES} as written`,
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the primary said nothing about itself");
  return row;
}

/** @throws the driver's error when it does not answer */
export async function replicaMark(replica: Queryable): Promise<ReplicaMark> {
  const { rows } = await replica.query<{ recovers: boolean; replayed: bigint | null; at: number | null }>({
    text: `select pg_is_in_recovery() as recovers, (pg_last_wal_replay_lsn() ${BYTES} as replayed,
                  (${MS}pg_last_xact_replay_timestamp()) * 1000)::float8 as at`,
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the read replica said nothing about itself");
  return { recovers: row.recovers, replayed: row.replayed ?? undefined, committedAt: row.at ?? undefined };
}

/**
 * Where the log ends now, in bytes: a replica that has replayed it has all that was committed before.
 * @throws the driver's error when the primary does not answer
 */
export async function logEnd(primary: Queryable): Promise<bigint> {
  const { rows } = await primary.query<{ end: bigint }>({
    text: `select (pg_current_wal_insert_lsn() ${BYTES} as end`,
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the primary said nothing about itself");
  return row.end;
}

/**
 * A standby has the database under the number that it has on its primary, on a server of the same identity. Where the login may not ask
 * for that identity, the number alone tells them apart, and that it recovers.
 *
 * @returns why it is none; undefined when it is
 * @throws the driver's error when one of them does not answer
 */
export async function whyNotStandby(primary: Queryable, replica: Queryable): Promise<string | undefined> {
  const { recovers } = await replicaMark(replica);
  if (!recovers) return "it takes writes itself";
  const [server = "", database] = (await currentPlace(primary)).split("/");
  const [itsServer = "", itsDatabase] = (await currentPlace(replica)).split("/");
  if (server !== "" && itsServer !== "" && server !== itsServer) return "it follows another server";
  return database === itsDatabase ? undefined : "it is another database";
}
