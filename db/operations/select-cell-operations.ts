import { sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf } from "@/db/query";
import type { OperationState } from "@/domain/idempotency/states";
import { answersInTime, type AnsweredFilters } from "./answers-in-time";

/** Operations that are named beside a map; the list has all of them. */
export const CELL_OPERATIONS = 5;

/** One of the operations that were answered most; the sums are of all. */
export interface CellOperationRow {
  readonly answers: number;
  /** Operations that the list has. */
  readonly operations: number;
  /** Answers whose operation is purged: no list has it. */
  readonly purged: number;
  readonly count: number;
  readonly operationId?: string | undefined;
  readonly key?: string | undefined;
  readonly operation?: string | undefined;
  readonly state?: OperationState | undefined;
  readonly amountMinor?: string | undefined;
  readonly currency?: string | undefined;
}

/**
 * What was answered so in a time, by operation, the one with most answers first: the same answers as `selectOperations` lists by, those of
 * the console left out. A row without an operation is one whose operation is purged.
 */
export async function selectCellOperations(
  q: Queryable,
  tenantId: string,
  filters: AnsweredFilters,
): Promise<CellOperationRow[]> {
  const answers = answersInTime(tenantId, filters, { callers: true });
  if (answers === undefined) return [];
  return rowsOf(
    q,
    sql<CellOperationRow>`with a as materialized (select k.id, count(*)::int as n from (${answers}) k group by k.id)
select (sum(a.n) over ())::int as answers, (count(r.operation_id) over ())::int as operations,
  coalesce(sum(a.n) filter (where r.operation_id is null) over (), 0)::int as purged, a.n as count,
  r.operation_id, r.key, r.operation, r.state, r.amount_minor::text as amount_minor, r.currency
from a left join onceboard.idempotency_requests r on r.tenant_id = ${tenantId} and r.operation_id = a.id
order by r.operation_id is null, a.n desc, r.created_at desc, r.operation_id limit ${CELL_OPERATIONS}`,
  );
}
