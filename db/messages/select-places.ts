import { and, eq, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, rowsOf, select, timeTextOrNull } from "@/db/query";
import { metricMessages } from "@/db/schema";
import type { MessageSide } from "@/domain/messages/side";
import { waitingConsumers, waitingTopics } from "./waiting-look";

const r = alias(metricMessages, "m");

/** Topics or consumers that are looked at; one more says that there are more. */
export const PLACES = 200;

export interface OpenPlaceRow {
  readonly place: string;
  readonly waiting: number;
  /** Waits, and was tried in vain. */
  readonly failing: number;
  readonly dead: number;
  /** Inbox: handled one at a time from now on. */
  readonly alone: number;
  readonly oldestMs?: number | undefined;
  readonly nextFailingAt?: string | undefined;
  /** Outbox: why nothing can be sent there now. */
  readonly outage?: string | undefined;
}

/**
 * What is open per place, those with most first: what is dead, told by its open dead letters, is exact, what waits as far as it is counted
 * ({@link waitingTopics}, {@link waitingConsumers}).
 *
 * @param only these places, at most PLACES; without it the first PLACES and one more
 */
export function selectOpenPlaces(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  only?: readonly string[],
): Promise<OpenPlaceRow[]> {
  const waiting = side === "outbox" ? waitingTopics(tenantId, only) : waitingConsumers(tenantId);
  const among = (place: SQL) => (only === undefined ? sql`` : sql`and ${place} = any (${sql.param(only)}::text[])`);
  return rowsOf(
    q,
    sql<OpenPlaceRow>`select coalesce(w.place, d.place) as place, coalesce(w.waiting, 0) as waiting, coalesce(w.failing, 0) as failing,
  coalesce(d.dead, 0) as dead, coalesce(w.alone, 0) as alone, (extract(epoch from now() - w.oldest) * 1000)::float8 as oldest_ms,
  ${timeTextOrNull(sql`w.next_failing_at`)} as next_failing_at, w.outage
from (select * from (${waiting}) w where true ${among(sql`w.place`)}) w
full join (select l.place, count(*)::int as dead from onceboard.dead_letters l
  where l.tenant_id = ${tenantId} and l.side = ${side} and l.settled_at is null ${among(sql`l.place`)} group by l.place) d on d.place = w.place
order by 4 desc, 2 desc, 1 limit ${sql.raw(String(PLACES + 1))}`,
  );
}

/** Bars of the last hour, five minutes each. */
export const SPARK_BARS = 12;
const BAR_SECONDS = 300;

const END = sql`date_trunc('minute', now())`;
const BAR = sql`floor(extract(epoch from ${r.bucket} - (${END} - interval '1 hour')) / ${sql.raw(String(BAR_SECONDS))})`;
const SPARK = sql.join(
  Array.from({ length: SPARK_BARS }, (_, bar) => sumWhere(sql`${BAR} = ${sql.raw(String(bar))}`)),
  sql`, `,
);

function sumWhere(condition: SQL): SQL {
  return sql`coalesce(sum(${r.succeeded}) filter (where ${condition}), 0)::int`;
}

/**
 * The last whole hour of each place, from the roll-ups alone; idle places are left out. Walks from place to place along the key, so
 * months of minutes cost nothing; SQL text around the columns, because drizzle has no recursive `with`. The p95 is the highest of its
 * minutes: it never flatters.
 *
 * @param only these places, at most PLACES
 */
export async function selectPlaceRates(q: Queryable, tenantId: string, side: MessageSide, only?: readonly string[]) {
  const ofSide = and(eq(r.tenantId, tenantId), eq(r.side, side));
  const next = (after?: SQL) =>
    builder.select({ place: r.place }).from(r).where(and(ofSide, after)).orderBy(r.place).limit(1);
  const total = (count: PgColumn) => sql<number>`coalesce(sum(${count}), 0)::int`;
  const hour = select({
    succeeded: total(r.succeeded),
    failed: total(r.failed),
    dead: total(r.dead),
    lagP95Ms: sql<number | null>`max(${r.lagP95Ms})`,
    spark: sql<number[]>`array[${SPARK}]`,
  })
    .from(r)
    .where(
      and(ofSide, sql`${r.place} = p.place and ${r.bucket} >= ${END} - interval '1 hour' and ${r.bucket} < ${END}`),
    );
  const places =
    only === undefined
      ? sql`with recursive places as (${next()} union all
  select n.place from places p cross join lateral ${next(sql`${r.place} > p.place`)} n)`
      : sql`with places as (select n.place from unnest(${sql.param(only)}::text[]) as n(place))`;
  return rowsOf(
    q,
    sql<(typeof hour._.result)[number] & { place: string }>`${places}
select p.place, h.* from (select place from places limit ${PLACES + 1}) p cross join lateral ${hour} h
where h.succeeded + h.failed + h.dead > 0`,
  );
}
