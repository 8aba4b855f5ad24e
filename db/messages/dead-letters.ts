import type { Queryable } from "@/db/client";
import { conditions, type Conditions, iso } from "@/db/sql-text";
import type { DeadLetterScope } from "@/domain/lists/filters";

export interface LetterRow {
  readonly id: string;
  readonly side: "outbox" | "inbox";
  readonly message_row_id: string;
  readonly place: string;
  readonly type: string;
  readonly operation_id: string | null;
  readonly error_fingerprint: string;
  readonly error_code: string;
  readonly error: string;
  readonly attempts: number;
  /** RFC 3339 with microseconds. */
  readonly dead_at: string;
  readonly settled_at: string | null;
  readonly settled_by: string | null;
  readonly settlement: "requeued" | "closed" | "discarded" | null;
  readonly reason: string | null;
}

export const LETTER_COLUMNS = `d.id, d.side, d.message_row_id, d.place, d.type, d.operation_id, d.error_fingerprint, d.error_code, d.error, d.attempts,
  ${iso("d.dead_at")} as dead_at, ${iso("d.settled_at")} as settled_at, d.settled_by, d.settlement, d.reason`;

/** Conditions on `onceboard.dead_letters d`. @param settled also those that were settled since */
export function inScope(tenantId: string, scope: DeadLetterScope, settled: boolean): Conditions {
  const where = conditions();
  where.equal("d.tenant_id", tenantId);
  if (!settled) where.add("d.settled_at is null");
  where.equal("d.side", scope.side);
  where.equal("d.place", scope.place);
  where.equal("d.type", scope.type);
  where.equal("d.error_code", scope.error);
  where.equal("d.error_fingerprint", scope.fingerprint);
  if (scope.operationId !== undefined) where.add(`d.operation_id = ${where.param(scope.operationId)}::uuid`);
  if (scope.from !== undefined) where.add(`d.dead_at >= ${where.param(scope.from)}::timestamptz`);
  if (scope.to !== undefined) where.add(`d.dead_at < ${where.param(scope.to)}::timestamptz`);
  return where;
}

/** Dead letters of these ids, open or settled, newest first. */
export async function lettersById(q: Queryable, tenantId: string, ids: readonly string[]): Promise<LetterRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await q.query<LetterRow>({
    name: "letters_by_id",
    text: `select ${LETTER_COLUMNS} from onceboard.dead_letters d where d.tenant_id = $1 and d.id = any ($2::uuid[]) order by d.dead_at desc, d.id desc`,
    values: [tenantId, ids],
  });
  return rows;
}

/** Open dead letters of a scope, newest first, at most `limit`. */
export async function lettersInScope(
  q: Queryable,
  tenantId: string,
  scope: DeadLetterScope,
  limit: number,
): Promise<LetterRow[]> {
  const where = inScope(tenantId, scope, false);
  const { rows } = await q.query<LetterRow>({
    text: `select ${LETTER_COLUMNS} from onceboard.dead_letters d where ${where.text()} order by d.dead_at desc, d.id desc limit ${where.param(limit)}`,
    values: where.values,
  });
  return rows;
}
