import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf, timeText } from "@/db/query";
import { BECAME_UNKNOWN_MINUTE } from "@/db/schema";
import type { Span } from "@/domain/metrics/risk";

export interface IncidentMinuteRow {
  readonly minute: string;
  readonly unknown: number;
  readonly outboxSeconds?: number | undefined;
}

/** Minutes of a time in which outcomes became unknown or the outbox was older than `lateSeconds`, from the roll-ups. */
export async function selectIncidentMinutes(
  q: Queryable,
  tenantId: string,
  { from, to }: Span,
  lateSeconds: number,
): Promise<IncidentMinuteRow[]> {
  const within = (bucket: string): SQL =>
    sql`${sql.raw(bucket)} >= date_trunc('minute', ${from}::timestamptz) and ${sql.raw(bucket)} < ${to}::timestamptz`;
  return rowsOf(
    q,
    sql<IncidentMinuteRow>`select ${timeText(sql`coalesce(u.bucket, g.bucket)`)} as minute, coalesce(u.count, 0)::int as unknown, g.value as outbox_seconds
from (select m.bucket, sum(m.count) as count from onceboard.metric_minutes m
  where m.tenant_id = ${tenantId} and ${within("m.bucket")} and ${BECAME_UNKNOWN_MINUTE} and not (m.operation like 'admin.%')
  group by m.bucket) u
full join (select m.bucket, m.value from onceboard.metric_gauges m
  where m.tenant_id = ${tenantId} and m.name = 'outbox_oldest_seconds' and ${within("m.bucket")} and m.value > ${lateSeconds}) g on g.bucket = u.bucket`,
  );
}

export interface UsualRow {
  readonly name: string;
  readonly value: number;
}

const DAYS = 7;
const AROUND_MINUTES = 30;
/** A gauge is kept by the minute. */
const MINUTES_A_DAY = 2 * AROUND_MINUTES + 1;

/**
 * The median of each gauge at this time of day on earlier days, in its own unit; a gauge without an earlier day is left out. The limit changes
 * no row: with it PostgreSQL probes the index for each day, and without it versions before 18 compare every minute that is kept with every day.
 */
export async function selectUsual(q: Queryable, tenantId: string, names: readonly string[]): Promise<UsualRow[]> {
  return rowsOf(
    q,
    sql<UsualRow>`select n.name, percentile_cont(0.5) within group (order by m.value) as value
from unnest(${sql.param(names)}::text[]) n(name), generate_series(1, ${DAYS}) d(day), lateral (
  select g.value from onceboard.metric_gauges g where g.tenant_id = ${tenantId} and g.name = n.name
    and g.bucket >= now() - make_interval(days => d.day, mins => ${AROUND_MINUTES})
    and g.bucket < now() - make_interval(days => d.day) + make_interval(mins => ${AROUND_MINUTES})
  limit ${MINUTES_A_DAY}) m
group by n.name`,
  );
}
