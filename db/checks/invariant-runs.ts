import type { Queryable } from "@/db/client";
import { iso, objects } from "../sql-text";
import { callScalar } from "@/db/named-call";

/** Runs of the strip, and its marks. */
export const HISTORY_HOURS = 24;
export const HISTORY_MARKS = 48;

export interface LastRun {
  readonly name: string;
  readonly checkedAt: string;
  readonly ageMs: number;
  /** Undefined: it did not end in its time. */
  readonly violations?: number | undefined;
  /** There are more than were counted. */
  readonly capped: boolean;
  readonly durationMs: number;
  readonly examples: readonly string[];
}

/** The last run of each of these invariants, by an index probe each. */
export function selectLastRuns(q: Queryable, tenantId: string, names: readonly string[]): Promise<LastRun[]> {
  const sql = `select n.name, ${iso("c.checked_at")} as "checkedAt", extract(epoch from clock_timestamp() - c.checked_at) * 1000 as "ageMs",
  c.violations, c.capped, c.duration_ms as "durationMs", c.examples
from unnest($2::text[]) n(name) cross join lateral (
  select * from onceboard.invariant_checks i where i.tenant_id = $1 and i.name = n.name order by i.checked_at desc limit 1) c`;
  return objects(q, sql, [tenantId, names]);
}

export interface InvariantMarkRow {
  readonly name: string;
  /** 0 for the oldest mark. */
  readonly mark: number;
  readonly worst: "violated" | "unfinished" | "held";
}

/** The last HISTORY_HOURS of each invariant in HISTORY_MARKS marks: the worst run of each. */
export async function selectInvariantMarks(q: Queryable, tenantId: string): Promise<InvariantMarkRow[]> {
  const { rows } = await q.query<InvariantMarkRow>({
    text: `select m.name, m.mark, case when m.red then 'violated' when m.unfinished then 'unfinished' else 'held' end as worst
from (
  select c.name, least(${String(HISTORY_MARKS - 1)}, floor(extract(epoch from c.checked_at - (now() - make_interval(hours => ${String(HISTORY_HOURS)}))) * ${String(HISTORY_MARKS)} / ${String(HISTORY_HOURS * 3600)}))::int as mark,
    bool_or(c.violations > 0) as red, bool_or(c.violations is null) as unfinished
  from onceboard.invariant_checks c
  where c.tenant_id = $1 and c.checked_at >= now() - make_interval(hours => ${String(HISTORY_HOURS)})
  group by 1, 2) m`,
    values: [tenantId],
  });
  return rows;
}

/** When each invariant was last seen violated, of what is kept. */
export function selectLastViolated(q: Queryable, tenantId: string): Promise<{ name: string; at: string }[]> {
  const sql = `select c.name, ${iso("max(c.checked_at)")} as at from onceboard.invariant_checks c
where c.tenant_id = $1 and c.violations > 0 group by c.name`;
  return objects(q, sql, [tenantId]);
}

/** The database's time, which ages on the page are told against. */
export async function selectNow(q: Queryable): Promise<string> {
  const { rows } = await q.query<{ at: string }>({ text: `select ${iso("now()")} as at` });
  return rows[0]?.at ?? new Date().toISOString();
}

type InvariantCheck = Omit<LastRun, "checkedAt" | "ageMs"> & { readonly tenantId: string };

export async function recordInvariantCheck(db: Queryable, check: InvariantCheck): Promise<void> {
  const { tenantId: tenant, durationMs, examples, ...rest } = check;
  const run = { tenant, ...rest, durationMs: Math.round(durationMs), examples: JSON.stringify(examples) };
  await callScalar(db, "record_invariant_check", run);
}
