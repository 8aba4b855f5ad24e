import { and, eq, gte, isNotNull, lte, not, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { inWindow } from "@/db/paging";
import { dayOf, hoursAgo, isConsole, same, select } from "@/db/query";
import { idempotencyEvents } from "@/db/schema";
import { NO_CLIENT_NAME, type OperationFilters } from "@/domain/lists/filters";
import { windowHours, type TimeWindow } from "@/domain/lists/window";

const e = alias(idempotencyEvents, "e");

/** How a caller was answered, and which; the time is that of the answers. */
export type AnsweredFilters = Pick<OperationFilters, "answered" | "answeredTo" | "reused"> & TimeWindow;

/** Reuse too fast is less than 100 ms (db/metrics/client_measures.sql): no request further back than that is looked for. */
const FAST_MS = 100;

/**
 * Ids of the operations that were answered so in the time, one row per answer; undefined: answers do not narrow. What counts them and
 * what lists them read the same rows. The days are named, so that only their partitions are read.
 *
 * @param callers leaves the console's own actions out
 */
export function answersInTime(
  tenantId: string,
  filters: AnsweredFilters,
  { callers = false }: { readonly callers?: boolean | undefined } = {},
): SQL<{ id: string }> | undefined {
  const { answered, answeredTo, reused, from, to } = filters;
  if (answered === undefined && answeredTo === undefined && reused === undefined) return undefined;
  const hours = windowHours(filters);
  const since = hours === undefined ? from : hoursAgo(hours);
  const its = select({ id: e.operationId })
    .from(e)
    .where(
      and(
        eq(e.tenantId, tenantId),
        answered === undefined ? isNotNull(e.outcome) : eq(e.outcome, answered),
        answeredTo === NO_CLIENT_NAME ? sql`coalesce(${e.client}, '') = ''` : same(e.client, answeredTo),
        inWindow(e.at, filters),
        since === undefined ? undefined : gte(e.day, dayOf(since)),
        to === undefined ? undefined : lte(e.day, dayOf(to)),
        callers ? not(isConsole(e.operation)) : undefined,
      ),
    );
  const answers = sql<{ id: string }>`${its.getSQL()}`;
  if (reused === undefined) return answers;
  const client = answeredTo === NO_CLIENT_NAME ? "" : answeredTo;
  const fast = sql<{
    id: string;
  }>`select f.operation_id as id from onceboard.repeats(${tenantId}, coalesce((${since ?? null})::timestamptz, '-infinity'),
  coalesce((${to ?? null})::timestamptz, 'infinity'), make_interval(secs => ${FAST_MS}::float8 / 1000)) f
where f.gap_ms < ${FAST_MS} and (${client ?? null}::text is null or f.client = ${client ?? null})`;
  return answered === undefined ? fast : sql<{ id: string }>`${fast} and f.operation_id in (${answers})`;
}
