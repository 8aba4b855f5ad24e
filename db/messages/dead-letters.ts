import { and, desc, eq, gte, isNull, lt, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { anyOf, pick, rowsOf, same, select, type RowOf } from "@/db/query";
import { deadLetters } from "@/db/schema";
import type { DeadLetterScope } from "@/domain/lists/filters";

export const d = alias(deadLetters, "d");

export const DEAD_LETTER_FIELDS = {
  ...pick(d, "id", "side", "place", "type", "operationId", "errorCode", "error", "attempts", "deadAt"),
  ...pick(d, "settledAt", "settledBy", "settlement", "reason", "correctedBy"),
  messageId: d.messageRowId,
  fingerprint: d.errorFingerprint,
};

export type DeadLetterDbRow = RowOf<typeof deadLettersById>;

/** @param settled also those that were settled since */
export function inScope(tenantId: string, scope: DeadLetterScope, settled: boolean): SQL | undefined {
  const { from, to } = scope;
  return and(
    eq(d.tenantId, tenantId),
    settled ? undefined : isNull(d.settledAt),
    same(d.side, scope.side),
    same(d.place, scope.place),
    same(d.type, scope.type),
    same(d.errorCode, scope.error),
    same(d.errorFingerprint, scope.fingerprint),
    same(d.operationId, scope.operationId),
    from === undefined ? undefined : gte(d.deadAt, sql`${from}::timestamptz`),
    to === undefined ? undefined : lt(d.deadAt, sql`${to}::timestamptz`),
  );
}

/** Dead letters of these ids, open or settled, newest first. */
export async function deadLettersById(q: Queryable, tenantId: string, ids: readonly string[]) {
  const its = and(eq(d.tenantId, tenantId), anyOf(d.id, ids));
  const query = select(DEAD_LETTER_FIELDS).from(d).where(its).orderBy(desc(d.deadAt), desc(d.id));
  return ids.length === 0 ? [] : rowsOf(q, query, "dead_letters_by_id");
}

/** Open dead letters of a scope, newest first, at most `limit`. */
export async function deadLettersInScope(
  q: Queryable,
  tenantId: string,
  scope: DeadLetterScope,
  limit: number,
): Promise<DeadLetterDbRow[]> {
  const open = select(DEAD_LETTER_FIELDS)
    .from(d)
    .where(inScope(tenantId, scope, false));
  return rowsOf(q, open.orderBy(desc(d.deadAt), desc(d.id)).limit(limit));
}
