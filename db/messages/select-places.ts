import type { Queryable } from "@/db/client";
import { OUTAGE_CODES } from "@/domain/messages/outage";
import { iso } from "../sql-text";
import type { MessageSide } from "@/domain/messages/side";

/** Topics or consumers that are looked at; one more says that there are more. */
export const PLACES = 200;

export interface PlaceOpenRow {
  readonly place: string;
  readonly waiting: number;
  /** Waits, and was tried in vain. */
  readonly failing: number;
  readonly dead: number;
  /** Inbox: handled one at a time from now on. */
  readonly alone: number;
  readonly oldest_ms: number | null;
  readonly next_failing_at: string | null;
  /** Outbox: why nothing can be sent there now. */
  readonly outage: string | null;
}

const OLDEST = (column: string, only: string): string =>
  `(extract(epoch from now() - min(m.${column}) filter (where ${only})) * 1000)::float8`;

/** What waits and what is dead per topic, exact: the open outbox is small. */
async function selectOpenTopics(q: Queryable, tenantId: string): Promise<PlaceOpenRow[]> {
  const { rows } = await q.query<PlaceOpenRow>({
    text: `select m.topic as place, count(*) filter (where m.state = 'pending')::int as waiting,
  count(*) filter (where m.state = 'pending' and m.attempts_finished > 0)::int as failing, count(*) filter (where m.state = 'dead')::int as dead,
  0 as alone, ${OLDEST("created_at", "m.state = 'pending'")} as oldest_ms,
  ${iso("min(m.next_attempt_at) filter (where m.state = 'pending' and m.attempts_finished > 0)")} as next_failing_at,
  max(m.last_error_code) filter (where m.state = 'pending' and m.last_error_code = any($2::text[])) as outage
from onceboard.outbox_messages m where m.tenant_id = $1 and m.state in ('pending', 'dead') group by m.topic order by 4 desc, 2 desc, 1 limit $3`,
    values: [tenantId, OUTAGE_CODES, PLACES + 1],
  });
  return rows;
}

/** The same per consumer: what waits is in a table of its own, what is dead is told by its open dead letters. */
async function selectOpenConsumers(q: Queryable, tenantId: string): Promise<PlaceOpenRow[]> {
  const { rows } = await q.query<PlaceOpenRow>({
    text: `select coalesce(w.place, d.place) as place, coalesce(w.waiting, 0) as waiting, coalesce(w.failing, 0) as failing, coalesce(d.dead, 0) as dead,
  coalesce(w.alone, 0) as alone, w.oldest_ms, ${iso("w.next_failing_at")} as next_failing_at, null as outage
from (select m.consumer as place, count(*)::int as waiting, count(*) filter (where m.attempts_finished > 0)::int as failing,
    count(*) filter (where m.alone)::int as alone, ${OLDEST("received_at", "true")} as oldest_ms,
    min(m.next_attempt_at) filter (where m.attempts_finished > 0) as next_failing_at
  from onceboard.inbox_open m where m.tenant_id = $1 group by m.consumer) w
full join (select l.place, count(*)::int as dead from onceboard.dead_letters l
  where l.tenant_id = $1 and l.side = 'inbox' and l.settled_at is null group by l.place) d on d.place = w.place
order by 4 desc, 2 desc, 1 limit $2`,
    values: [tenantId, PLACES + 1],
  });
  return rows;
}

export function selectOpenPlaces(q: Queryable, tenantId: string, side: MessageSide): Promise<PlaceOpenRow[]> {
  return side === "outbox" ? selectOpenTopics(q, tenantId) : selectOpenConsumers(q, tenantId);
}

/** Bars of the last hour, five minutes each. */
export const SPARK_BARS = 12;
const BAR_SECONDS = 300;

export interface PlaceRateRow {
  readonly place: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly lag_p95_ms: number | null;
  readonly spark: number[];
}

const END = "date_trunc('minute', now())";
const bar = (index: number): string =>
  `coalesce(sum(m.succeeded) filter (where floor(extract(epoch from m.bucket - (${END} - interval '1 hour')) / ${String(BAR_SECONDS)}) = ${String(index)}), 0)::int`;
const SPARK = `array[${Array.from({ length: SPARK_BARS }, (_, index) => bar(index)).join(", ")}]`;

/**
 * The last whole hour of each place, from the roll-ups alone; idle places are left out. Walks from place to place along the key, so
 * months of minutes cost nothing. The p95 is the highest of its minutes: it never flatters.
 */
export async function selectPlaceRates(q: Queryable, tenantId: string, side: MessageSide): Promise<PlaceRateRow[]> {
  const { rows } = await q.query<PlaceRateRow>({
    text: `with recursive places as (
  (select d.place from onceboard.metric_messages d where d.tenant_id = $1 and d.side = $2 order by d.place limit 1)
  union all
  select n.place from places p cross join lateral (
    select d.place from onceboard.metric_messages d where d.tenant_id = $1 and d.side = $2 and d.place > p.place order by d.place limit 1) n)
select p.place, r.* from (select place from places limit $3) p cross join lateral (
  select coalesce(sum(m.succeeded), 0)::int as succeeded, coalesce(sum(m.failed), 0)::int as failed, coalesce(sum(m.dead), 0)::int as dead,
    max(m.lag_p95_ms) as lag_p95_ms, ${SPARK} as spark
  from onceboard.metric_messages m
  where m.tenant_id = $1 and m.side = $2 and m.place = p.place and m.bucket >= ${END} - interval '1 hour' and m.bucket < ${END}) r
where r.succeeded + r.failed + r.dead > 0`,
    values: [tenantId, side, PLACES + 1],
  });
  return rows;
}
