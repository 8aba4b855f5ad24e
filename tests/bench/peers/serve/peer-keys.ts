import type { Queryable } from "@/db/client";

/** As long as ours and theirs keep a key unless told otherwise. */
const KEPT = "interval '24 hours'";
const TABLE = `create table if not exists peer_keys (
  key text primary key, record text not null, answer text, expires_at timestamptz not null default now() + ${KEPT})`;
const GET = "select record, answer from peer_keys where key = $1 and expires_at > now()";
const INSERT = `insert into peer_keys (key, record) values ($1, $2)
  on conflict (key) do update set record = excluded.record, answer = null, expires_at = excluded.expires_at where peer_keys.expires_at <= now()`;
const PUT = "update peer_keys set record = $2 where key = $1";
const ANSWER = "update peer_keys set answer = $2 where key = $1";
const REMOVE = "delete from peer_keys where key = $1";

export interface KeptKey {
  readonly record: string;
  readonly answer: string | null;
}

/** The thinnest store that a peer without one for PostgreSQL allows: one row a key, one prepared statement a call. */
export interface PeerKeyStore {
  get(key: string): Promise<KeptKey | undefined>;
  /** @returns whether it was not there */
  insert(key: string, record: string): Promise<boolean>;
  put(key: string, record: string): Promise<void>;
  answer(key: string, answer: string): Promise<void>;
  remove(key: string): Promise<void>;
}

export async function openPeerKeys(pool: Queryable): Promise<PeerKeyStore> {
  await pool.query({ text: TABLE });
  const run = (name: string, text: string, ...values: string[]) =>
    pool.query<KeptKey>({ name: `peer_${name}`, text, values });
  return {
    get: async (key) => (await run("get", GET, key)).rows[0],
    insert: async (key, record) => (await run("insert", INSERT, key, record)).rowCount === 1,
    put: async (key, record) => void (await run("put", PUT, key, record)),
    answer: async (key, answer) => void (await run("answer", ANSWER, key, answer)),
    remove: async (key) => void (await run("remove", REMOVE, key)),
  };
}
