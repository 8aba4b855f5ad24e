import { createDatabase } from "@/db/client";
import { runAsOwner } from "../database";
import { CONSUME_BATCH } from "@/engine/inbox/consume";
import { payloadOf } from "./contender";
import { SOURCE, MESSAGES_TENANT, TOPIC } from "./ours";

/** The rows are spread over so many days that end the day before yesterday. */
const DAYS = 28;
/** Of one statement. */
const CHUNK = 250_000;
const PAYLOAD = JSON.stringify(payloadOf("00000000-0000-7000-8000-000000000000"));

// A UUIDv7 of the row's time, so that old ids lie before new ones as they do in the product.
const ID = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid`;

/** Each row's number, hash and time, oldest first. */
function rowsOf(from: number, to: number, of: number): string {
  return `(select n, md5(n::text) as hash,
      date_trunc('day', clock_timestamp() at time zone 'utc') at time zone 'utc'
        - make_interval(days => ${String(DAYS + 1)}) + make_interval(days => ${String(DAYS)}) * (n::double precision / ${String(of)}) as at
    from generate_series(${String(from)}, ${String(to)}) n) t`;
}

function outboxRows(from: number, to: number, of: number): string {
  return `insert into onceboard.outbox_history (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload,
      created_at, attempts_started, attempts_finished, day, position, published_at, published_by, transport)
    select '${MESSAGES_TENANT}', ${ID}, ${ID}, 'payment', ${ID}::text, '${TOPIC}', 'payment.succeeded', '${PAYLOAD}', at, 1, 1,
      (at at time zone 'utc')::date, -n - 1, at, 'worker-1', 'http' from ${rowsOf(from, to, of)}`;
}

function inboxRows(from: number, to: number, of: number): string {
  return `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, operation_id, payload, payload_hash,
      state, received_at, processed_at, result, attempts_started, attempts_finished, fence)
    select '${MESSAGES_TENANT}', ${ID}, 'bench', '${SOURCE}', ${ID}::text, 'payment.succeeded', ${ID}, '${PAYLOAD}', sha256(hash::bytea),
      'processed', at, at, 'ok', 1, 1, 1 from ${rowsOf(from, to, of)}`;
}

/** What the inbox rows were finished in. */
function inboxBatches(from: number, to: number, of: number): string {
  return `insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms)
    select '${MESSAGES_TENANT}', at, ${ID}, 'bench', array_fill(25::double precision, array[${String(CONSUME_BATCH)}])
    from ${rowsOf(from, to, of)} where n % ${String(CONSUME_BATCH)} = 0`;
}

/** Fills both histories with `rows` old messages each, as if a month of traffic had gone by. Indexes are made afterwards: faster. */
export async function fillHistory(url: string, rows: number, log: (line: string) => void): Promise<void> {
  const indexes = await indexesOf(url, ["inbox_messages", "outbox_history"]);
  await runAsOwner(url, [...dayPartitions(), ...indexes.map(({ drop }) => drop)]);
  for (const fill of [outboxRows, inboxRows, inboxBatches]) {
    for (let from = 0; from < rows; from += CHUNK)
      await runAsOwner(url, [fill(from, Math.min(from + CHUNK, rows) - 1, rows)]);
    log(`${String(rows)} historic rows by ${fill.name}`);
  }
  await runAsOwner(url, [...indexes.map(({ create }) => create), "vacuum analyze", "checkpoint"]);
  log("indexed, vacuumed, analyzed");
}

function dayPartitions(): string[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const day = (back: number): string => `current_date - ${String(back)}`;
    return `do $$ begin execute format('create table onceboard.outbox_history_bench_${String(index)} partition of onceboard.outbox_history
      for values from (%L) to (%L)', ${day(index + 2)}, ${day(index + 1)}); end $$`;
  });
}

/** Indexes that are no constraint: of a partitioned table the parent's, which brings those of its parts along. */
async function indexesOf(url: string, tables: readonly string[]): Promise<{ drop: string; create: string }[]> {
  const db = createDatabase({ url, max: 1, role: "owner" });
  try {
    const { rows } = await db.pool.query<{ drop: string; create: string }>({
      text: `select format('drop index onceboard.%I', c.relname) as drop, pg_get_indexdef(c.oid) as create
             from pg_index i join pg_class c on c.oid = i.indexrelid
             where i.indrelid = any(select ('onceboard.' || name)::regclass from unnest($1::text[]) name)
               and not exists (select 1 from pg_constraint k where k.conindid = c.oid)`,
      values: [tables],
    });
    return rows;
  } finally {
    await db.close();
  }
}
