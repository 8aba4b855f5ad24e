import type { Queryable } from "@/db/client";

export interface GaugeRow {
  readonly in_progress: number;
  readonly unknown: number;
  readonly oldest_in_progress_s: number;
  readonly oldest_unknown_s: number;
  readonly outbox_pending: number;
  readonly outbox_oldest_s: number;
  readonly outbox_dead: number;
  readonly inbox_waiting: number;
  readonly inbox_oldest_s: number;
  readonly dead_letters: number;
  readonly heartbeats: Readonly<Record<string, number>>;
}

/**
 * Sums over all tenants for the metrics endpoint. Reads only what is open (small tables and partial indexes), in one round
 * trip; ages are by the database's clock.
 */
export async function metricGauges(db: Queryable): Promise<GaugeRow> {
  const { rows } = await db.query<GaugeRow>({
    name: "metric_gauges",
    text: `with now as (select clock_timestamp() as at),
     open as (
       select count(*) filter (where unknown_since is null)::int as in_progress,
              count(*) filter (where unknown_since is not null)::int as unknown,
              min(opened_at) filter (where unknown_since is null) as oldest_in_progress,
              min(unknown_since) as oldest_unknown
         from onceboard.idempotency_open),
     outbox as (
       select count(*) filter (where state = 'pending')::int as pending, count(*) filter (where state = 'dead')::int as dead,
              min(created_at) filter (where state = 'pending') as oldest
         from onceboard.outbox_messages),
     inbox as (
       select count(*)::int as waiting, min(received_at) as oldest from onceboard.inbox_messages where state = 'recorded'),
     dead as (select count(*)::int as letters from onceboard.dead_letters where requeued_at is null),
     beats as (
       select coalesce(jsonb_object_agg(loop, age), '{}') as ages
         from (select h.loop, extract(epoch from now.at - max(h.at))::float8 as age
                 from onceboard.worker_heartbeats h, now group by h.loop, now.at) b)
     select open.in_progress, open.unknown,
            coalesce(extract(epoch from now.at - open.oldest_in_progress), 0)::float8 as oldest_in_progress_s,
            coalesce(extract(epoch from now.at - open.oldest_unknown), 0)::float8 as oldest_unknown_s,
            outbox.pending as outbox_pending, outbox.dead as outbox_dead,
            coalesce(extract(epoch from now.at - outbox.oldest), 0)::float8 as outbox_oldest_s,
            inbox.waiting as inbox_waiting,
            coalesce(extract(epoch from now.at - inbox.oldest), 0)::float8 as inbox_oldest_s,
            dead.letters as dead_letters, beats.ages as heartbeats
       from now, open, outbox, inbox, dead, beats`,
  });
  const row = rows[0];
  if (row === undefined) throw new Error("the gauges have no row");
  return row;
}
