import { and, desc, eq, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { actorName } from "@/db/access/actor-names";
import type { Queryable } from "@/db/client";
import { COUNT, pick, prepared, rowsOf, select, type RowOf } from "@/db/query";
import { idempotencyEvents, inboxMessages, inboxOpen, outboxMessages } from "@/db/schema";
import { entries } from "@/db/schema/evidence";
import { c, ITS_CLIENT, ITS_OPEN, o, OPERATION_FIELDS, r } from "./select-operations";

const e = alias(idempotencyEvents, "e");
const m = alias(outboxMessages, "m");
const n = alias(inboxMessages, "n");
const w = alias(inboxOpen, "w");
const l = alias(entries, "l");

export type OperationDetailRow = RowOf<typeof selectOperation>;

const DETAIL_FIELDS = {
  ...OPERATION_FIELDS,
  ...pick(
    r,
    "fingerprint",
    "fingerprintVersion",
    "apiVersion",
    "identityHash",
    "fence",
    "attempts",
    "resourceType",
    "resourceId",
  ),
  // `replay` is where a replay finds its answer, decided when the operation settled.
  ...pick(r, "bodyDay", "bodyPurgedAt", "replay", "completedAt", "expiresAt"),
  ...pick(o, "owner", "lockedUntil", "providerKey", "unknownSince", "nextCheckAt", "lastFinding"),
  checks: sql<number>`coalesce(${o.checks}, 0)`,
  /** Name of who looks after it. */
  assignedTo: actorName(o.assignedTo, o.tenantId),
};

/** One operation with its open row, if it has one. */
export async function selectOperation(q: Queryable, tenantId: string, operationId: string) {
  const its = and(eq(r.tenantId, tenantId), eq(r.operationId, operationId));
  const query = select(DETAIL_FIELDS).from(r).leftJoin(o, ITS_OPEN).leftJoin(c, ITS_CLIENT).where(its);
  return (await rowsOf(q, query)).at(0);
}

const its = (table: Readonly<Record<"tenantId" | "operationId", PgColumn>>) =>
  and(eq(table.tenantId, sql.placeholder("tenantId")), eq(table.operationId, sql.placeholder("operationId")));
const attempts = sql`string_agg(${n.state} || coalesce(${w.attemptsStarted}, ${n.attemptsStarted}), ',' order by ${n.id})`;
const tries = sql`string_agg(${m.state} || ${m.attemptsFinished}, ',' order by ${m.id})`;
const [changed, happened, sent, came, posted] = [
  select({ at: r.updatedAt }).from(r).where(its(r)),
  select({ at: e.at }).from(e).where(its(e)).orderBy(desc(e.at)).limit(1),
  select({ tries }).from(m).where(its(m)),
  select({ attempts })
    .from(n)
    .leftJoin(w, and(eq(w.tenantId, n.tenantId), eq(w.id, n.id)))
    .where(its(n)),
  select({ count: COUNT }).from(l).where(its(l)),
];
const mark = sql<string>`concat_ws('/', ${changed}, ${happened}, ${sent}, ${came}, ${posted})`;
const readMark = prepared(select({ mark }).from(sql`(values (1)) one`));

/** A text that changes with everything the page of one operation shows; each part is one look into an index. */
export async function selectOperationMark(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<string | undefined> {
  return (await readMark(q, { tenantId, operationId })).at(0)?.mark;
}
