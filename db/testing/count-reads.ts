import type { Database } from "../client";

/** What was read of some tables and of their partitions, by the server's own count. */
export interface ReadCounts {
  readonly rows: number;
  readonly scans: number;
}

/**
 * Counts what `work` reads.
 * @param session has one connection, by which all of the work is done @param observer another one @param tables beginnings of their names
 */
export async function countReads(
  session: Database,
  observer: Database,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<ReadCounts> {
  const count = async (): Promise<ReadCounts> => {
    // What a session counted is told to others when it is idle, at the latest when it is asked to.
    await session.pool.query({ text: "select pg_stat_force_next_flush()" });
    const { rows } = await observer.pool.query<{ rows: string; scans: string }>({
      text: `select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) as rows, sum(seq_scan) as scans from pg_stat_user_tables
        where schemaname = 'onceboard' and relname ~ $1`,
      values: [`^(${tables.join("|")})`],
    });
    return { rows: Number(rows[0]?.rows), scans: Number(rows[0]?.scans) };
  };
  const before = await count();
  await work();
  const after = await count();
  return { rows: after.rows - before.rows, scans: after.scans - before.scans };
}
