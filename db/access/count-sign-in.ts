import type { Queryable } from "@/db/client";

/** Rows of finished windows and sessions that one attempt clears away at most. */
const CLEAN_UP_ROWS = 100;

/**
 * Counts one attempt to sign in, in the login library's table of short-lived facts: one atomic statement, so attempts at
 * once cannot pass an old count together. The window begins with its first attempt and does not move.
 *
 * @param bucket a name that tells nobody whom it stands for
 * @returns attempts in the window with this one, and seconds until it is over
 */
export async function countSignIn(
  db: Queryable,
  bucket: string,
  windowSeconds: number,
): Promise<{ attempts: number; secondsLeft: number }> {
  const { rows } = await db.query<{ attempts: number; secondsLeft: number }>({
    text: `insert into onceboard.verifications as v (id, identifier, value, expires_at)
           values ($1, $1, '1', clock_timestamp() + make_interval(secs => $2))
           on conflict (id) do update set
             value = case when v.expires_at <= clock_timestamp() then '1' else (v.value::bigint + 1)::text end,
             expires_at = case when v.expires_at <= clock_timestamp() then excluded.expires_at else v.expires_at end,
             updated_at = clock_timestamp()
           returning value::int as attempts,
                     greatest(1, ceil(extract(epoch from expires_at - clock_timestamp())))::int as "secondsLeft"`,
    values: [bucket, windowSeconds],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("an attempt to sign in was not counted");
  return row;
}

/** Takes a good attempt back: one count starts anew, and others have one attempt more. */
export async function forgiveSignIn(db: Queryable, cleared: string, less: readonly string[]): Promise<void> {
  await db.query({
    text: `with cleared as (delete from onceboard.verifications where id = $1)
           update onceboard.verifications set value = greatest(value::bigint - 1, 0)::text where id = any ($2::text[])`,
    values: [cleared, less],
  });
}

/** A count starts anew. */
export async function forgetCount(db: Queryable, bucket: string): Promise<void> {
  await db.query({ text: "delete from onceboard.verifications where id = $1", values: [bucket] });
}

/** Clears away what is over, a little at a time. */
export async function clearEndedSignIns(db: Queryable): Promise<void> {
  await db.query({
    text: `with old_windows as (
             delete from onceboard.verifications where id in (
               select id from onceboard.verifications where expires_at < clock_timestamp() limit $1 for update skip locked)
           )
           delete from onceboard.sessions where id in (
             select id from onceboard.sessions where expires_at < clock_timestamp() limit $1 for update skip locked)`,
    values: [CLEAN_UP_ROWS],
  });
}
