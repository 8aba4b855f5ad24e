import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { MessageSide } from "@/domain/messages/side";
import type { Queryable } from "@/db/client";
import { anyOf, pick, rowsOf, select, type RowOf } from "@/db/query";
import { idempotencyBodies, idempotencyOpen, idempotencyRequests, providerRequests } from "@/db/schema";

const r = alias(idempotencyRequests, "r");
const o = alias(idempotencyOpen, "o");
const b = alias(idempotencyBodies, "b");
const p = alias(providerRequests, "p");

export type OperationPlanRow = RowOf<typeof operationPlanFacts>;

const CALLED = select({ provider: p.provider })
  .from(p)
  .where(and(eq(p.tenantId, r.tenantId), eq(p.operationId, r.operationId)))
  .orderBy(desc(p.preparedAt))
  .limit(1);
const FIELDS = {
  ...pick(r, "operationId", "operation", "key", "state", "amountMinor", "currency", "createdAt"),
  bodyPurged: sql<boolean>`${r.bodyPurgedAt} is not null`,
  keyLive: sql<boolean>`${r.expiresAt} > clock_timestamp()`,
  bodyAgeHours: sql<number | null>`(extract(epoch from clock_timestamp() - ${b.createdAt}) / 3600)::float8`,
  ageMs: sql<number>`(extract(epoch from clock_timestamp() - ${r.createdAt}) * 1000)::float8`,
  ...pick(o, "stage", "providerKey", "owner", "lockedUntil"),
  leased: sql<boolean>`coalesce(${o.lockedUntil} > clock_timestamp(), false)`,
  provider: sql<string | null>`case when ${o.operationId} is null then null else ${CALLED} end`,
};

/** What a plan judges operations by, in the order of their ids' list; those that are gone are left out. Never a body. */
export async function operationPlanFacts(q: Queryable, tenantId: string, ids: readonly string[]) {
  const command = [eq(b.tenantId, r.tenantId), eq(b.day, r.bodyDay), eq(b.operationId, r.operationId)];
  const query = select(FIELDS)
    .from(sql`unnest(${sql.param(ids)}::uuid[]) with ordinality as named(id, n)`)
    .innerJoin(r, and(eq(r.tenantId, tenantId), eq(r.operationId, sql`named.id`)))
    .leftJoin(o, and(eq(o.tenantId, r.tenantId), eq(o.operationId, r.operationId)))
    .leftJoin(b, and(...command, eq(b.kind, "command")))
    .orderBy(asc(sql`named.n`));
  return ids.length === 0 ? [] : rowsOf(q, query);
}

/** Money of operations by id, for rows that tell of one. */
export async function operationAmounts(
  q: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly currency: string; readonly minor: bigint }>> {
  const query = select({
    id: r.operationId,
    currency: sql<string>`${r.currency}`,
    minor: sql<bigint>`${r.amountMinor}`,
  })
    .from(r)
    .where(and(eq(r.tenantId, tenantId), anyOf(r.operationId, ids), isNotNull(r.amountMinor), isNotNull(r.currency)));
  const rows = ids.length === 0 ? [] : await rowsOf(q, query);
  return new Map(rows.map(({ id, ...amount }) => [id, amount]));
}

/** What the operation of one message is worth. */
export async function messageAmount(
  q: Queryable,
  tenantId: string,
  { side, id }: { readonly side: MessageSide; readonly id: string },
): Promise<{ readonly currency: string; readonly minor: bigint } | undefined> {
  const { rows } = await q.query<{ operationId: string }>({
    name: `message_operation_${side}`,
    text: `select operation_id as "operationId" from onceboard.${side}_messages
           where tenant_id = $1 and id = $2 and operation_id is not null`,
    values: [tenantId, id],
  });
  const ids = rows.map(({ operationId }) => operationId);
  return [...(await operationAmounts(q, tenantId, ids)).values()][0];
}
