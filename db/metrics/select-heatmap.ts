import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf, timeText } from "@/db/query";
import { NO_CLIENT_NAME } from "@/domain/lists/filters";
import type { ChartWindow } from "@/domain/metrics/chart-window";
import { binCount, TOO_FAST_BIN, type BinMeasure } from "@/domain/metrics/bins";
import type { HeatMeasure } from "@/domain/metrics/heatmap";

const HOUR_SECONDS = 3_600;

/** One cell that is not empty, or all clients of its time together where it names none. */
export interface HeatCellRow {
  /** As events carry it; empty: the request named none. Undefined: all clients. */
  readonly client?: string | undefined;
  /** Counted from the first cell. */
  readonly slot: number;
  readonly count: number;
  /** Of this client in the whole time. */
  readonly total?: number | undefined;
  /** How many clients there are, and how many of them are looked for. */
  readonly clients?: number | undefined;
  readonly found?: number | undefined;
}

/** Which clients have rows of their own: those of a page, largest first, or some by name. */
export type HeatClients =
  | {
      readonly after: number;
      readonly limit: number;
      /** Only those whose name contains this. */
      readonly find?: string | undefined;
    }
  | { readonly names: readonly string[] };

export interface HeatTime {
  readonly window: ChartWindow;
  /** What is counted ends here: what came later is not rolled up, or has nothing to be compared with. RFC 3339. */
  readonly until: string;
  /** End of the newest hour that is rolled up as a whole. */
  readonly hoursUntil?: string | undefined;
}

/** Cells of some clients, and of all together, from roll-ups alone: hours where cells are that wide, minutes for the rest. Console actions are left out. */
export async function selectHeatCells(
  q: Queryable,
  tenantId: string,
  measure: HeatMeasure,
  time: HeatTime,
  clients: HeatClients,
): Promise<HeatCellRow[]> {
  const { window } = time;
  const named =
    "names" in clients
      ? sql`t.client = any(${sql.param(clients.names)})`
      : sql`t.hit and t.place > ${clients.after} and t.place <= ${clients.after + clients.limit}`;
  const find = ("find" in clients ? clients.find : undefined) ?? "";
  const hit = sql`position(lower(${find}) in lower(coalesce(nullif(c.client, ''), ${NO_CLIENT_NAME}))) > 0`;
  return rowsOf(
    q,
    sql<HeatCellRow>`with counted as (
  select p.client, floor(extract(epoch from p.bucket - ${window.from}::timestamptz) / ${window.bucketSeconds}::int)::int as slot, sum(p.count)::int as count
  from (${sourceOf(tenantId, measure, time)}) p group by 1, 2),
sums as (select c.client, sum(c.count)::int as total, ${hit} as hit from counted c group by c.client),
totals as (select t.*, (count(*) over ())::int as clients, (count(*) filter (where t.hit) over ())::int as found,
  row_number() over (partition by t.hit order by t.total desc, t.client) as place from sums t),
shown as (select t.client, t.total, t.clients, t.found from totals t where ${named})
select s.client, c.slot, c.count, s.total, s.clients, s.found from shown s join counted c on c.client = s.client
union all
select null, c.slot, sum(c.count)::int, null, (select max(t.clients) from totals t), (select max(t.found) from totals t)
from counted c group by c.slot`,
  );
}

/** Columns of some roll-up, from whole hours as far as columns are that wide and hours are rolled up, from minutes behind them. */
function inParts(
  { window, until, hoursUntil }: HeatTime,
  read: (unit: "minute" | "hour", from: SQL, to: SQL) => SQL,
): SQL {
  const [from, to] = [sql`${window.from}::timestamptz`, sql`${until}::timestamptz`];
  if (window.bucketSeconds < HOUR_SECONDS || hoursUntil === undefined) return read("minute", from, to);
  const whole = sql`least(${hoursUntil}::timestamptz, date_trunc('hour', ${to}, 'UTC'))`;
  return sql`${read("hour", from, whole)} union all ${read("minute", sql`greatest(${from}, ${whole})`, to)}`;
}

function sourceOf(tenantId: string, measure: HeatMeasure, time: HeatTime): SQL {
  if (measure === "reused")
    return inParts(
      time,
      (unit, from, to) => sql`select b.client, b.bucket, b.count from onceboard.metric_bins b
where b.tenant_id = ${tenantId} and b.unit = ${unit} and b.measure = 'retry_delay' and b.bin = ${TOO_FAST_BIN} and b.bucket >= ${from} and b.bucket < ${to}`,
    );
  return inParts(time, (unit, from, to) => {
    const table = unit === "hour" ? sql`onceboard.metric_hours` : sql`onceboard.metric_minutes`;
    return sql`select m.client, m.bucket, m.count from ${table} m
where m.tenant_id = ${tenantId} and m.bucket >= ${from} and m.bucket < ${to} and m.outcome = ${measure} and m.operation not like 'admin.%'`;
  });
}

/** Minutes of each cell that are rolled up, of those before `until`. @param binned only those that have bins */
export async function selectHeatMinutes(
  q: Queryable,
  tenantId: string,
  { window, until }: HeatTime,
  { binned }: { readonly binned: boolean },
): Promise<{ readonly slot: number; readonly minutes: number }[]> {
  return rowsOf(
    q,
    sql<{ slot: number; minutes: number }>`select
  floor(extract(epoch from k.bucket - ${window.from}::timestamptz) / ${window.bucketSeconds}::int)::int as slot, count(*)::int as minutes
from onceboard.metric_buckets k where k.tenant_id = ${tenantId} and k.bucket >= ${window.from} and k.bucket < ${until}
  and k.computed_at is not null and (k.binned or not ${binned}::boolean) group by 1`,
  );
}

/** End of the newest minute that was rolled up, RFC 3339; undefined: none was. */
export async function selectRolledUntil(q: Queryable, tenantId: string): Promise<string | undefined> {
  const rows = await rowsOf(
    q,
    sql<{ until: string }>`select ${timeText(sql`(k.bucket + interval '1 minute')`)} as until
from onceboard.metric_buckets k where k.tenant_id = ${tenantId} and k.computed_at is not null order by k.bucket desc limit 1`,
  );
  return rows[0]?.until;
}

export interface BinRow {
  readonly slot: number;
  readonly bin: number;
  readonly count: number;
}

/** Bins of one measure per column. @param client of retries, only those of this client */
export async function selectBins(
  q: Queryable,
  tenantId: string,
  measure: BinMeasure,
  { client, ...time }: HeatTime & { readonly client?: string | undefined },
): Promise<BinRow[]> {
  const { window } = time;
  // Each bin is a stretch of the key of its own.
  const bins = sql.param(Array.from({ length: binCount(measure) }, (_, bin) => bin));
  const parts = inParts(
    time,
    (unit, from, to) => sql`select b.bucket, b.bin, b.count from onceboard.metric_bins b
where b.tenant_id = ${tenantId} and b.unit = ${unit} and b.measure = ${measure} and b.bin = any(${bins}::smallint[]) and b.bucket >= ${from}
  and b.bucket < ${to} and (${client ?? null}::text is null or b.client = ${client ?? null})`,
  );
  return rowsOf(
    q,
    sql<BinRow>`select floor(extract(epoch from p.bucket - ${window.from}::timestamptz) / ${window.bucketSeconds}::int)::int as slot,
  p.bin, sum(p.count)::int as count from (${parts}) p group by 1, 2`,
  );
}
