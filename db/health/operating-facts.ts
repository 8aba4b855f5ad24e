import type { Queryable } from "../client";

/** Dead rows below this are nobody's trouble, whatever their share. */
const MIN_DEAD_ROWS = 10_000;
const TABLES_NAMED = 5;

export interface TableBloat {
  /** With its schema, quoted where PostgreSQL wants that. */
  readonly table: string;
  readonly dead: bigint;
  readonly live: bigint;
}

/** What goes wrong slowly, as the server itself counts it. */
export interface OperatingFacts {
  /** Whole days from tomorrow on that have their partitions, in the table that has fewest. */
  readonly partitionDays: number;
  readonly autovacuum: boolean;
  /** Tables with more than half as many dead rows as live ones, most first, at most five. */
  readonly bloated: readonly TableBloat[];
  /** Transactions since the oldest row of this database was frozen; PostgreSQL stops writing near 2 billion. */
  readonly oldestTransaction: number;
  /** `off`, `on` or `always`. */
  readonly archiveMode: string;
  /** Seconds; undefined when nothing was archived yet. */
  readonly archivedAgo: number | undefined;
  /** Seconds; undefined unless the last try failed. */
  readonly archiveFailedAgo: number | undefined;
  /** Seconds since the newest checkpoint of the audit was made; undefined when there is none. */
  readonly checkpointAgo: number | undefined;
  /** Seconds, of the oldest entry behind the newest checkpoint of its chain. */
  readonly uncoveredFor: number | undefined;
  /** Places outside that took checkpoints. */
  readonly sinks: readonly string[];
}

/** Reads statistics and what is small; ages are by the database's clock. @throws the driver's error */
export async function operatingFacts(q: Queryable): Promise<OperatingFacts> {
  const { rows } = await q.query<Row>({
    text: `with days as (
        select i.inhparent,
               max(substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \\('(\\d{4}-\\d\\d-\\d\\d)'\\)$re$)::date) as until
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent in ('onceboard.idempotency_bodies'::regclass, 'onceboard.idempotency_events'::regclass,
                 'onceboard.inbox_arrivals'::regclass, 'onceboard.message_attempts'::regclass, 'onceboard.outbox_history'::regclass)
         group by i.inhparent),
      bloat as (
        select format('%I.%I', s.schemaname, s.relname) as "table", s.n_dead_tup as dead, s.n_live_tup as live
          from pg_stat_user_tables s
         where s.n_dead_tup >= $1 and s.n_dead_tup * 2 > s.n_live_tup
         order by s.n_dead_tup desc limit $2)
      select coalesce((select min(until) from days) - (clock_timestamp() at time zone 'utc')::date - 1, 0) as "partitionDays",
             current_setting('autovacuum')::boolean as autovacuum,
             coalesce((select jsonb_agg(jsonb_build_object('table', "table", 'dead', dead, 'live', live)) from bloat), '[]') as bloated,
             (select age(d.datfrozenxid) from pg_database d where d.datname = current_database()) as "oldestTransaction",
             current_setting('archive_mode') as "archiveMode",
             extract(epoch from clock_timestamp() - a.last_archived_time)::float8 as "archivedAgo",
             case when a.last_failed_time > coalesce(a.last_archived_time, '-infinity')
                  then extract(epoch from clock_timestamp() - a.last_failed_time)::float8 end as "archiveFailedAgo",
             extract(epoch from clock_timestamp() - (select max(c.at) from onceboard.audit_checkpoints c))::float8 as "checkpointAgo",
             extract(epoch from clock_timestamp() - (
               select min(next.at) from onceboard.audit_heads h
                 left join lateral (select c.sequence from onceboard.audit_checkpoints c where c.chain = h.tenant_id
                                     order by c.sequence desc limit 1) c on true
                 join onceboard.audit_entries next on next.tenant_id = h.tenant_id and next.sequence = coalesce(c.sequence, 0) + 1
             ))::float8 as "uncoveredFor",
             coalesce((select jsonb_agg(s.name order by s.name) from (select name from onceboard.audit_sinks limit 100) s), '[]') as sinks
        from pg_stat_archiver a`,
    values: [MIN_DEAD_ROWS, TABLES_NAMED],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the server said nothing about itself");
  return {
    ...row,
    bloated: row.bloated.map(({ table, dead, live }) => ({ table, dead: BigInt(dead), live: BigInt(live) })),
    archivedAgo: row.archivedAgo ?? undefined,
    archiveFailedAgo: row.archiveFailedAgo ?? undefined,
    checkpointAgo: row.checkpointAgo ?? undefined,
    uncoveredFor: row.uncoveredFor ?? undefined,
  };
}

type Seconds = "archivedAgo" | "archiveFailedAgo" | "checkpointAgo" | "uncoveredFor";
type Row = Omit<OperatingFacts, Seconds | "bloated"> &
  Readonly<Record<Seconds, number | null>> & {
    readonly bloated: readonly { readonly table: string; readonly dead: number; readonly live: number }[];
  };
