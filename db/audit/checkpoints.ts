import type { Queryable } from "@/db/client";

/** Lines of one chain that are looked at when the newest are not signed by a known key. */
const LINES_LOOKED_AT = 20;
/** Checkpoints of one delivery. */
export const DELIVERY_BATCH = 200;
/** A place that no worker has spoken of for so long was taken away: its row goes. */
const FORGOTTEN = "interval '7 days'";

export interface CheckpointInsert {
  readonly chain: string;
  readonly sequence: bigint;
  /** Hexadecimal. */
  readonly hash: string;
  readonly at: string;
  readonly line: string;
}

export async function insertCheckpoint(
  q: Queryable,
  { chain, sequence, hash, at, line }: CheckpointInsert,
): Promise<bigint> {
  const { rows } = await q.query<{ number: bigint }>({
    name: "insert_checkpoint",
    text: `insert into onceboard.audit_checkpoints (chain, sequence, hash, at, line) values ($1, $2, decode($3, 'hex'), $4::timestamptz, $5)
      returning number`,
    values: [chain, sequence, hash, at, line],
  });
  return rows[0]?.number ?? 0n;
}

/** @returns the lines of the newest checkpoints of a chain, newest first: some may be forged */
export async function selectNewestLines(q: Queryable, chain: string): Promise<readonly string[]> {
  const { rows } = await q.query<{ line: string }>({
    name: "newest_checkpoints",
    text: `select c.line from onceboard.audit_checkpoints c where c.chain = $1 order by c.sequence desc, c.number desc
      limit ${String(LINES_LOOKED_AT)}`,
    values: [chain],
  });
  return rows.map(({ line }) => line);
}

export interface StoredLine {
  readonly number: bigint;
  readonly line: string;
}

/** @returns checkpoints behind this number, in order, at most {@link DELIVERY_BATCH} */
export async function selectLinesBehind(q: Queryable, number: bigint): Promise<readonly StoredLine[]> {
  const { rows } = await q.query<StoredLine>({
    name: "checkpoints_behind",
    text: `select c.number, c.line from onceboard.audit_checkpoints c where c.number > $1 order by c.number limit ${String(DELIVERY_BATCH)}`,
    values: [number],
  });
  return rows;
}

/** @returns number of the last checkpoint that a sink has; never more than there are */
export async function selectDelivered(q: Queryable, name: string): Promise<bigint> {
  const { rows } = await q.query<{ delivered: bigint }>({
    name: "sink_delivered",
    text: `select least(s.delivered, coalesce((select max(c.number) from onceboard.audit_checkpoints c), 0)) as delivered
      from onceboard.audit_sinks s where s.name = $1`,
    values: [name],
  });
  return rows[0]?.delivered ?? 0n;
}

/** Says how far a sink is. @param error what it said last, when it fails */
export async function recordSink(
  q: Queryable,
  name: string,
  delivered: bigint,
  error: string | undefined,
): Promise<void> {
  await q.query({
    name: "record_sink",
    text: `insert into onceboard.audit_sinks as s (name, delivered, seen_at, failing_since, error)
      values ($1, $2, clock_timestamp(), case when $3::text is null then null else clock_timestamp() end, $3)
      on conflict (name) do update set delivered = excluded.delivered, seen_at = excluded.seen_at, error = excluded.error,
        failing_since = case when excluded.error is null then null else coalesce(s.failing_since, excluded.failing_since) end`,
    values: [name, delivered, error],
  });
  await q.query({
    name: "forget_sinks",
    text: `delete from onceboard.audit_sinks s where s.seen_at < clock_timestamp() - ${FORGOTTEN}`,
  });
}

/** Copies are kept so long; beyond it the newest of each chain. */
const COPIES_KEPT = "interval '30 days'";
const FORGET_BATCH = 1_000;

/** Forgets old copies that every place has, a batch at a time: they are kept elsewhere. */
export async function forgetCopies(q: Queryable): Promise<void> {
  await q.query({
    name: "forget_checkpoint_copies",
    text: `delete from onceboard.audit_checkpoints c where c.number in (
        select o.number from onceboard.audit_checkpoints o
        where o.number <= (select min(s.delivered) from onceboard.audit_sinks s) and o.at < clock_timestamp() - ${COPIES_KEPT}
          and exists (select from onceboard.audit_checkpoints n where n.chain = o.chain and n.sequence > o.sequence)
        order by o.number limit ${String(FORGET_BATCH)})`,
  });
}

export interface SinkRow {
  readonly name: string;
  readonly failingSince: Date | null;
  readonly error: string | null;
  /** Checkpoints that it does not have yet. */
  readonly behind: number;
}

export async function selectSinks(q: Queryable): Promise<readonly SinkRow[]> {
  const { rows } = await q.query<SinkRow>({
    name: "select_sinks",
    text: `select s.name, s.failing_since as "failingSince", s.error,
        (select count(*)::int from (select from onceboard.audit_checkpoints c where c.number > s.delivered limit 1000) b) as behind
      from onceboard.audit_sinks s order by s.name limit 100`,
  });
  return rows;
}

/** @returns chains whose last check found them broken, at most 100 */
export async function selectBrokenChains(
  q: Queryable,
): Promise<readonly { readonly chain: string; readonly at: bigint; readonly reason: string }[]> {
  const { rows } = await q.query<{ chain: string; at: bigint; reason: string }>({
    name: "broken_chains",
    text: `select k.chain, k.broken_at as at, k.reason from onceboard.audit_chain_checks k where k.broken_at is not null
      order by k.chain limit 100`,
  });
  return rows;
}

export interface ChainCheck {
  readonly chain: string;
  readonly checkedTo: bigint;
  readonly brokenAt: bigint | undefined;
  readonly reason: string | undefined;
  /** That it was held against. */
  readonly checkpoint: bigint | undefined;
  readonly checkpointAt: string | undefined;
}

export async function recordChainCheck(q: Queryable, check: ChainCheck): Promise<void> {
  const { chain, checkedTo, brokenAt, reason, checkpoint, checkpointAt } = check;
  await q.query({
    name: "record_chain_check",
    text: `insert into onceboard.audit_chain_checks (chain, checked_at, checked_to, broken_at, reason, checkpoint, checkpoint_at)
      values ($1, clock_timestamp(), $2, $3, $4, $5, $6::timestamptz)
      on conflict (chain) do update set checked_at = excluded.checked_at, checked_to = excluded.checked_to, broken_at = excluded.broken_at,
        reason = excluded.reason, checkpoint = excluded.checkpoint, checkpoint_at = excluded.checkpoint_at`,
    values: [chain, checkedTo, brokenAt, reason, checkpoint, checkpointAt],
  });
}
