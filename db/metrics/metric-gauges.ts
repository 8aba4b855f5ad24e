import type { Queryable } from "@/db/client";

export interface GaugeRow {
  readonly in_progress: number;
  readonly unknown: number;
  readonly oldest_in_progress_s: number;
  readonly oldest_unknown_s: number;
  readonly outbox_pending: number;
  readonly outbox_oldest_s: number;
  readonly inbox_waiting: number;
  readonly inbox_oldest_s: number;
  readonly outbox_dead_letters: number;
  readonly inbox_dead_letters: number;
  /** Chains of the audit whose last check found them broken. */
  readonly audit_broken: number;
  /** Of the oldest entry behind the newest checkpoint of its chain, where its chain has one. */
  readonly audit_uncovered_s: number;
  /** How long the place outside of the database that fails longest has not taken checkpoints. */
  readonly audit_sink_failing_s: number;
  /** Whole days that have their partitions, from tomorrow on, in the table that has fewest. */
  readonly partition_days: number;
  /** By condition: alerts that were told and have not ended. */
  readonly alerts: Readonly<Record<string, number>>;
  /** By loop: when it last ended without an error, seconds since 1970; null while every process of it fails. */
  readonly succeeded: Readonly<Record<string, number | null>>;
}

/**
 * Waiting messages of each side that are counted one by one. Where as many or more wait, their number and the age of the oldest are what
 * workers sampled of each tenant within SAMPLED_WITHIN, and at least what was counted: a scrape must not read millions.
 */
export const GAUGE_COUNTED = 20_000;
const SAMPLED_WITHIN = "3 minutes";

const COUNTED = String(GAUGE_COUNTED);

/** @param counted how many were counted, up to GAUGE_COUNTED @param sampled how many workers sampled @returns how many wait, in SQL */
const numberOf = (counted: string, sampled: string): string =>
  `case when ${counted} < ${COUNTED} then ${counted} else greatest(${counted}, ${sampled})::int end`;

/** @param counted as above @param oldest instant of the oldest of these @param sampled the age that workers sampled @returns seconds, in SQL */
const ageOf = (counted: string, oldest: string, sampled: string): string =>
  `coalesce(greatest(extract(epoch from now.at - ${oldest}), case when ${counted} >= ${COUNTED} then ${sampled} end), 0)::float8`;

const GAUGES = `with now as (select clock_timestamp() as at),
     open as (
       select count(*) filter (where unknown_since is null)::int as in_progress,
              count(*) filter (where unknown_since is not null)::int as unknown,
              min(opened_at) filter (where unknown_since is null) as oldest_in_progress,
              min(unknown_since) as oldest_unknown
         from onceboard.idempotency_open),
     outbox as (
       select count(*)::int as pending, min(created_at) as oldest from (
         select created_at from onceboard.outbox_messages where state = 'pending'
          order by tenant_id, topic, next_attempt_at limit ${COUNTED}) m),
     inbox as (
       select count(*)::int as waiting, min(received_at) as oldest from (
         select received_at from onceboard.inbox_open order by tenant_id, alone, next_attempt_at limit ${COUNTED}) m),
     sampled as (
       select sum(g.value) filter (where n.name = 'outbox_pending') as pending,
              max(g.value) filter (where n.name = 'outbox_oldest_seconds') as pending_s,
              sum(g.value) filter (where n.name = 'inbox_recorded') as waiting,
              max(g.value) filter (where n.name = 'inbox_oldest_seconds') as waiting_s
         from onceboard.tenants t
         cross join unnest(array['outbox_pending', 'outbox_oldest_seconds', 'inbox_recorded', 'inbox_oldest_seconds']) n(name)
         cross join lateral (
           select s.value from onceboard.metric_gauges s
            where s.tenant_id = t.id and s.name = n.name and s.bucket >= (select at from now) - interval '${SAMPLED_WITHIN}'
            order by s.bucket desc limit 1) g
        where greatest((select pending from outbox), (select waiting from inbox)) >= ${COUNTED}),
     dead as (
       select count(*) filter (where side = 'outbox')::int as outbox, count(*) filter (where side = 'inbox')::int as inbox
         from onceboard.dead_letters where settled_at is null),
     -- Bounds are exclusive: one of the day after tomorrow means that tomorrow is there.
     days as (
       select coalesce(min(part.until) - (select (at at time zone 'utc')::date from now) - 1, 0) as ahead
         from (select i.inhparent,
                      max(substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \\('(\\d{4}-\\d\\d-\\d\\d)'\\)$re$)::date) as until
                 from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent in ('onceboard.idempotency_bodies'::regclass, 'onceboard.idempotency_events'::regclass,
                        'onceboard.inbox_arrivals'::regclass, 'onceboard.message_attempts'::regclass,
                        'onceboard.outbox_history'::regclass)
                group by i.inhparent) part),
     audit as (
       select (select count(*)::int from onceboard.audit_chain_checks where broken_at is not null) as broken,
              (select min(failing_since) from onceboard.audit_sinks) as failing_since,
              (select min(next.at) from onceboard.audit_heads h
                 join lateral (select c.sequence from onceboard.audit_checkpoints c where c.chain = h.tenant_id
                                order by c.sequence desc limit 1) c on c.sequence < h.sequence
                 join onceboard.audit_entries next on next.tenant_id = h.tenant_id and next.sequence = c.sequence + 1) as uncovered),
     alerts as (
       select coalesce(jsonb_object_agg(condition, open), '{}') as alerts
         from (select condition, count(*)::int as open from onceboard.alerts
                where ended_at is null and level > 0 group by condition) a),
     beats as (
       select coalesce(jsonb_object_agg(loop, at), '{}') as succeeded
         from (select loop, extract(epoch from max(at) filter (where error is null))::float8 as at
                 from onceboard.worker_heartbeats group by loop) b)
     select open.in_progress, open.unknown,
            coalesce(extract(epoch from now.at - open.oldest_in_progress), 0)::float8 as oldest_in_progress_s,
            coalesce(extract(epoch from now.at - open.oldest_unknown), 0)::float8 as oldest_unknown_s,
            ${numberOf("outbox.pending", "sampled.pending")} as outbox_pending,
            ${ageOf("outbox.pending", "outbox.oldest", "sampled.pending_s")} as outbox_oldest_s,
            ${numberOf("inbox.waiting", "sampled.waiting")} as inbox_waiting,
            ${ageOf("inbox.waiting", "inbox.oldest", "sampled.waiting_s")} as inbox_oldest_s,
            dead.outbox as outbox_dead_letters, dead.inbox as inbox_dead_letters,
            audit.broken as audit_broken,
            coalesce(extract(epoch from now.at - audit.uncovered), 0)::float8 as audit_uncovered_s,
            coalesce(extract(epoch from now.at - audit.failing_since), 0)::float8 as audit_sink_failing_s,
            days.ahead as partition_days, beats.succeeded, alerts.alerts
       from now, open, outbox, inbox, sampled, dead, days, audit, beats, alerts`;

/**
 * Sums over all tenants for the metrics endpoint. Reads only what is open (small tables and partial indexes), and no more of what waits than
 * GAUGE_COUNTED, in one round trip; ages are by the database's clock.
 */
export async function selectMetricGauges(db: Queryable): Promise<GaugeRow> {
  const { rows } = await db.query<GaugeRow>({
    name: "metric_gauges",
    text: GAUGES,
  });
  const row = rows[0];
  if (row === undefined) throw new Error("the gauges have no row");
  return row;
}
