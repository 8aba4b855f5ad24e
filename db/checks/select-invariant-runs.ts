import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

/** Runs of the strip, and its marks. */
export const STRIP_HOURS = 24;
export const STRIP_MARKS = 48;

export interface InvariantRunRow {
  readonly name: string;
  readonly checked_at: string;
  /** Null: it did not end in its time. */
  readonly violations: number | null;
  readonly capped: boolean;
  readonly duration_ms: number;
  readonly examples: readonly string[];
}

/** The last run of each of these invariants, by an index probe each. */
export async function selectLastRuns(
  q: Queryable,
  tenantId: string,
  names: readonly string[],
): Promise<InvariantRunRow[]> {
  const { rows } = await q.query<InvariantRunRow>({
    text: `select n.name, ${iso("c.checked_at")} as checked_at, c.violations, c.capped, c.duration_ms, c.examples
from unnest($2::text[]) n(name) cross join lateral (
  select * from onceboard.invariant_checks i where i.tenant_id = $1 and i.name = n.name order by i.checked_at desc limit 1) c`,
    values: [tenantId, names],
  });
  return rows;
}

/** How many of these the last run found violated. */
export async function countViolated(q: Queryable, tenantId: string, names: readonly string[]): Promise<number> {
  const { rows } = await q.query<{ violated: number }>({
    text: `select count(*)::int as violated from unnest($2::text[]) n(name) cross join lateral (
  select i.violations from onceboard.invariant_checks i where i.tenant_id = $1 and i.name = n.name order by i.checked_at desc limit 1) c
where c.violations > 0`,
    values: [tenantId, names],
  });
  return rows[0]?.violated ?? 0;
}

/** @returns milliseconds since anything was checked; undefined: never. */
export async function selectLastCheckAge(
  q: Queryable,
  tenantId: string,
  names: readonly string[],
): Promise<number | undefined> {
  const { rows } = await q.query<{ age: number | null }>({
    text: `select (extract(epoch from clock_timestamp() - max(c.checked_at)) * 1000)::float8 as age
from unnest($2::text[]) n(name) cross join lateral (
  select i.checked_at from onceboard.invariant_checks i where i.tenant_id = $1 and i.name = n.name order by i.checked_at desc limit 1) c`,
    values: [tenantId, names],
  });
  return rows[0]?.age ?? undefined;
}

export interface InvariantMarkRow {
  readonly name: string;
  /** 0 for the oldest mark. */
  readonly mark: number;
  readonly worst: "violated" | "unfinished" | "held";
}

/** The last STRIP_HOURS of each invariant in STRIP_MARKS marks: the worst run of each. */
export async function selectInvariantMarks(q: Queryable, tenantId: string): Promise<InvariantMarkRow[]> {
  const { rows } = await q.query<InvariantMarkRow>({
    text: `select m.name, m.mark, case when m.red then 'violated' when m.unfinished then 'unfinished' else 'held' end as worst
from (
  select c.name, least(${String(STRIP_MARKS - 1)}, floor(extract(epoch from c.checked_at - (now() - make_interval(hours => ${String(STRIP_HOURS)}))) * ${String(STRIP_MARKS)} / ${String(STRIP_HOURS * 3600)}))::int as mark,
    bool_or(c.violations > 0) as red, bool_or(c.violations is null) as unfinished
  from onceboard.invariant_checks c
  where c.tenant_id = $1 and c.checked_at >= now() - make_interval(hours => ${String(STRIP_HOURS)})
  group by 1, 2) m`,
    values: [tenantId],
  });
  return rows;
}

/** When each invariant was last seen violated, of what is kept. */
export async function selectLastViolated(
  q: Queryable,
  tenantId: string,
): Promise<{ readonly name: string; readonly at: string }[]> {
  const { rows } = await q.query<{ name: string; at: string }>({
    text: `select c.name, ${iso("max(c.checked_at)")} as at from onceboard.invariant_checks c
where c.tenant_id = $1 and c.violations > 0 group by c.name`,
    values: [tenantId],
  });
  return rows;
}

/** The database's time, which ages on the page are told against. */
export async function selectNow(q: Queryable): Promise<string> {
  const { rows } = await q.query<{ at: string }>({ text: `select ${iso("now()")} as at` });
  return rows[0]?.at ?? new Date().toISOString();
}
