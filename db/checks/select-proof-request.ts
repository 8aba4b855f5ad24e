import { and, asc, eq, sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { NOW_TEXT, rowsOf, select, timeText, type RowOf } from "@/db/query";
import { c, ITS_CLIENT, ITS_OPEN, o, r } from "../operations/select-operations";

/** Rows of one key that are read: one is all there may be. */
const HOLDERS = 10;

const FIELDS = {
  operation_id: r.operationId,
  operation: r.operation,
  key: r.key,
  client: sql<string>`coalesce(${c.name}, ${r.principal})`,
  state: r.state,
  fence: r.fence,
  response_status: r.responseStatus,
  error_code: r.errorCode,
  resource_type: r.resourceType,
  resource_id: r.resourceId,
  replay: r.replay,
  account_id: r.accountId,
  reference: r.reference,
  amount_minor: r.amountMinor,
  currency: r.currency,
  created_at: timeText(r.createdAt),
  completed_at: timeText(r.completedAt),
  expires_at: timeText(r.expiresAt),
  body_day: r.bodyDay,
  body_purged_at: timeText(r.bodyPurgedAt),
  stage: o.stage,
  locked_until: timeText(o.lockedUntil),
  unknown_since: timeText(o.unknownSince),
  provider_key: o.providerKey,
  /** Time of the snapshot. */
  at: NOW_TEXT,
};

export type ProofRequestRow = RowOf<typeof selectProofRequest>;

/** The key row of one operation with its open row, if it has one. */
export async function selectProofRequest(q: Queryable, tenantId: string, operationId: string) {
  const its = and(eq(r.tenantId, tenantId), eq(r.operationId, operationId));
  const query = select(FIELDS).from(r).leftJoin(o, ITS_OPEN).leftJoin(c, ITS_CLIENT).where(its);
  return (await rowsOf(q, query)).at(0);
}

/** @param key as stored. @returns ids of the operations that hold it under this name */
export async function selectKeyHolders(
  q: Queryable,
  tenantId: string,
  operation: string,
  key: string,
): Promise<string[]> {
  const held = and(eq(r.tenantId, tenantId), eq(r.operation, operation), eq(r.key, key));
  const rows = await rowsOf(
    q,
    select({ id: r.operationId }).from(r).where(held).orderBy(asc(r.operationId)).limit(HOLDERS),
  );
  return rows.map((row) => row.id);
}
