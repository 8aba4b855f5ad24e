import { and, asc, desc, eq, gt, gte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { builder, hoursAgo, NOW_TEXT, rowsOf, select, timeText } from "@/db/query";
import { invariantChecks } from "@/db/schema";

const c = alias(invariantChecks, "c");

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
  const last = builder
    .select()
    .from(c)
    .where(and(eq(c.tenantId, tenantId), eq(c.name, sql`n.name`)))
    .orderBy(desc(c.checkedAt))
    .limit(1)
    .as("last");
  const { name, violations, capped, durationMs } = last;
  const query = select({
    ...{ name, violations, capped, durationMs },
    examples: sql<readonly string[]>`${last.examples}`,
    checkedAt: timeText(last.checkedAt),
    ageMs: sql<number>`(extract(epoch from clock_timestamp() - ${last.checkedAt}) * 1000)::float8`,
  });
  return rowsOf(q, query.from(sql`unnest(${sql.param(names)}::text[]) n(name)`).crossJoinLateral(last));
}

export interface InvariantMarkRow {
  readonly name: string;
  /** 0 for the oldest mark. */
  readonly mark: number;
  readonly worst: "violated" | "unfinished" | "held";
}

/** The last HISTORY_HOURS of each invariant in HISTORY_MARKS marks: the worst run of each. */
export async function selectInvariantMarks(q: Queryable, tenantId: string): Promise<InvariantMarkRow[]> {
  const since = hoursAgo(HISTORY_HOURS);
  const query = select({
    name: c.name,
    mark: sql<number>`least(${HISTORY_MARKS - 1}, floor(extract(epoch from ${c.checkedAt} - (${since})) * ${HISTORY_MARKS} / ${HISTORY_HOURS * 3600}))::int`,
    worst: sql<InvariantMarkRow["worst"]>`case when bool_or(${c.violations} > 0) then 'violated'
    when bool_or(${c.violations} is null) then 'unfinished' else 'held' end`,
  });
  const recent = and(eq(c.tenantId, tenantId), gte(c.checkedAt, since));
  return rowsOf(
    q,
    query
      .from(c)
      .where(recent)
      .groupBy(sql`1, 2`),
  );
}

/** When each invariant was last seen violated, of what is kept. */
export function selectLastViolated(q: Queryable, tenantId: string): Promise<{ name: string; at: string }[]> {
  const query = select({ name: c.name, at: timeText(sql`max(${c.checkedAt})`) });
  return rowsOf(
    q,
    query
      .from(c)
      .where(and(eq(c.tenantId, tenantId), gt(c.violations, 0)))
      .groupBy(c.name),
  );
}

/** When each of these invariants was first run, of what is kept, by an index probe each: before that nobody looked. */
export function selectFirstRuns(
  q: Queryable,
  tenantId: string,
  names: readonly string[],
): Promise<{ name: string; at: string }[]> {
  const first = builder
    .select()
    .from(c)
    .where(and(eq(c.tenantId, tenantId), eq(c.name, sql`n.name`)))
    .orderBy(asc(c.checkedAt))
    .limit(1)
    .as("first");
  const query = select({ name: first.name, at: timeText(first.checkedAt) });
  return rowsOf(q, query.from(sql`unnest(${sql.param(names)}::text[]) n(name)`).crossJoinLateral(first));
}

/** The database's time, which ages on the page are told against. */
export async function selectNow(q: Queryable): Promise<string> {
  const [row] = await rowsOf(q, sql<{ at: string }>`select ${NOW_TEXT} as at`);
  return row?.at ?? new Date().toISOString();
}

type InvariantCheck = Omit<LastRun, "checkedAt" | "ageMs"> & { readonly tenantId: string };

export async function recordInvariantCheck(db: Queryable, check: InvariantCheck): Promise<void> {
  const { tenantId: tenant, durationMs, examples, ...rest } = check;
  const run = { tenant, ...rest, durationMs: Math.round(durationMs), examples: JSON.stringify(examples) };
  await callScalar(db, "record_invariant_check", run);
}
