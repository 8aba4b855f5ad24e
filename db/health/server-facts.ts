import type { Queryable } from "../client";

/** The oldest major version of PostgreSQL that the functions run on. */
export const MIN_POSTGRES = 15;

export interface ServerFacts {
  /** As the server says it: `18.4`. */
  readonly version: string;
  readonly supported: boolean;
  /** How far its clock is ahead of ours; the time of the question itself counts half. */
  readonly clockAheadMs: number;
  /** Its clock, ms since 1970. */
  readonly clockMs: number;
}

/** @throws the driver's error when the database does not answer */
export async function serverFacts(db: Queryable, now: () => number = Date.now): Promise<ServerFacts> {
  const asked = now();
  const { rows } = await db.query<{ version: string; number: number; at: number }>({
    text: `select split_part(current_setting('server_version'), ' ', 1) as version,
                  current_setting('server_version_num')::int as number,
                  (extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the server said nothing about itself");
  const answered = now();
  return {
    version: row.version,
    supported: row.number >= MIN_POSTGRES * 10_000,
    clockMs: row.at,
    clockAheadMs: Math.round(row.at - (asked + answered) / 2),
  };
}
