import pg from "pg";

/** Checkpoints of one other database; more than one are kept there for the years, the newest of each chain are read back. */
const TABLE = `create table if not exists onceboard_checkpoints (
  digest text primary key, chain text not null, sequence bigint not null, line text not null, received_at timestamptz not null default now())`;
const TIMEOUT_MS = 10_000;
const MOST_CHAINS = 10_000;

export interface CheckpointStore {
  append(
    rows: readonly {
      readonly digest: string;
      readonly chain: string;
      readonly sequence: string;
      readonly line: string;
    }[],
  ): Promise<void>;
  newest(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Checkpoints in another PostgreSQL, which the owner of ours has no rights on. It makes its table when it may and there is none. */
export function openCheckpointStore(url: string): CheckpointStore {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: "onceboard checkpoints",
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    allowExitOnIdle: true,
  });
  // The next delivery says so.
  pool.on("error", () => undefined);
  let ready: Promise<unknown> | undefined;
  const prepare = async (): Promise<void> => {
    ready ??= pool
      .query<{ there: boolean }>("select to_regclass('onceboard_checkpoints') is not null as there")
      .then(({ rows }) => (rows[0]?.there === true ? undefined : pool.query(TABLE)));
    try {
      await ready;
    } catch (error) {
      ready = undefined;
      throw error;
    }
  };
  return {
    async append(rows) {
      await prepare();
      await pool.query({
        text: `insert into onceboard_checkpoints (digest, chain, sequence, line)
          select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) on conflict do nothing`,
        values: [
          rows.map(({ digest }) => digest),
          rows.map(({ chain }) => chain),
          rows.map(({ sequence }) => sequence),
          rows.map(({ line }) => line),
        ],
      });
    },
    async newest() {
      await prepare();
      const { rows } = await pool.query<{ line: string }>(
        `select distinct on (chain) line from onceboard_checkpoints order by chain, sequence desc limit ${String(MOST_CHAINS)}`,
      );
      return rows.map(({ line }) => line);
    },
    close: () => pool.end(),
  };
}
