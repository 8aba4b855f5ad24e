import { and, eq, gte, isNotNull, lte, not, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { inWindow } from "@/db/paging";
import { dayOf, hoursAgo, isConsole, same, select } from "@/db/query";
import { BECAME_UNKNOWN, idempotencyEvents } from "@/db/schema";
import { NO_CLIENT_NAME, type OperationFilters } from "@/domain/lists/filters";
import { windowHours, type TimeWindow } from "@/domain/lists/window";

const e = alias(idempotencyEvents, "e");

/** How a caller was answered, what became of it, and which; the time is that of the answers. */
export type AnsweredFilters = Pick<OperationFilters, "answered" | "answeredTo" | "became" | "reused"> & TimeWindow;

/** Reuse too fast is less than 100 ms (db/metrics/client_measures.sql): no request further back than that is looked for. */
const FAST_MS = 100;

/**
 * Ids of the operations that were answered so or became so in the time, one row per event; undefined: events do not narrow. What counts
 * them and what lists them read the same rows. The days are named, so that only their partitions are read.
 *
 * @param callers leaves the console's own actions out
 */
export function answersInTime(
  tenantId: string,
  filters: AnsweredFilters,
  { callers = false }: { readonly callers?: boolean | undefined } = {},
): SQL<{ id: string }> | undefined {
  const { answered, answeredTo, became, reused, from, to } = filters;
  const all = [answered, answeredTo, became, reused];
  if (all.every((each) => each === undefined)) return undefined;
  const hours = windowHours(filters);
  const since = hours === undefined ? from : hoursAgo(hours);
  const events = (such: SQL | undefined): SQL<{ id: string }> => {
    const its = select({ id: e.operationId })
      .from(e)
      .where(
        and(
          eq(e.tenantId, tenantId),
          such,
          answeredTo === NO_CLIENT_NAME ? sql`coalesce(${e.client}, '') = ''` : same(e.client, answeredTo),
          inWindow(e.at, filters),
          since === undefined ? undefined : gte(e.day, dayOf(since)),
          to === undefined ? undefined : lte(e.day, dayOf(to)),
          callers ? not(isConsole(e.operation)) : undefined,
        ),
      );
    return sql<{ id: string }>`${its.getSQL()}`;
  };
  const client = answeredTo === NO_CLIENT_NAME ? "" : answeredTo;
  const fast = (): SQL<{ id: string }> => sql<{
    id: string;
  }>`select f.operation_id as id from onceboard.repeats(${tenantId}, coalesce((${since ?? null})::timestamptz, '-infinity'),
  coalesce((${to ?? null})::timestamptz, 'infinity'), make_interval(secs => ${FAST_MS}::float8 / 1000)) f
where f.gap_ms < ${FAST_MS} and (${client ?? null}::text is null or f.client = ${client ?? null})`;
  const sets = [
    ...(reused === undefined ? [] : [fast()]),
    ...(became === undefined ? [] : [events(BECAME_UNKNOWN)]),
    ...(answered === undefined ? [] : [events(eq(e.outcome, answered))]),
  ];
  const [first = events(isNotNull(e.outcome)), ...more] = sets;
  return more.length === 0
    ? first
    : sql<{ id: string }>`select s.id from (${first}) s where ${and(...more.map((set) => sql`s.id in (${set})`))}`;
}
