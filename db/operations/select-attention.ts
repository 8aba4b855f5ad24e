import { and, asc, desc, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { isSaid, saidKey, saidStatus } from "@/db/inbox/provider-word";
import { pick, rowsOf, select, timeText, type RowOf } from "@/db/query";
import { inboxMessages, operatorRequests, providerRequests } from "@/db/schema";
import { actorName } from "../access/actor-names";
import { c, ITS_CLIENT, ITS_OPEN, o, OPERATION_FIELDS, r } from "./select-operations";

const m = alias(inboxMessages, "m");
const p = alias(providerRequests, "p");
const asked = alias(operatorRequests, "q");

/** Age in minutes × amount: what is old and dear comes first; without an amount only age counts. */
function weightAt(asOf: string): SQL {
  return sql`(greatest(0, extract(epoch from ${asOf}::timestamptz - coalesce(${o.unknownSince}, ${o.lockedUntil}, ${o.openedAt})) / 60)::bigint
  * greatest(1, coalesce(${r.amountMinor}, 0) / 100))`;
}

/** What the provider's newest message about an operation says. */
const WEBHOOK = select({ status: saidStatus(m) })
  .from(m)
  .where(
    sql`${m.tenantId} = ${o.tenantId} and ${m.operationId} = ${o.operationId} and ${isSaid(m)}
    and (${o.providerKey} is null or ${saidKey(m)} = ${o.providerKey})`,
  )
  .orderBy(desc(m.receivedAt))
  .limit(1);
/** Also those without an answer: `checks` counts what came to an end. */
const LOOK_UPS = select({ n: sql`count(*)::int` })
  .from(p)
  .where(and(eq(p.tenantId, o.tenantId), eq(p.operationId, o.operationId), eq(p.kind, "lookup")));
const PROVIDER = select({ provider: p.provider })
  .from(p)
  .where(and(eq(p.tenantId, o.tenantId), eq(p.operationId, o.operationId)))
  .orderBy(desc(p.preparedAt))
  .limit(1);

/** Who asks its service, while that is open. */
const ASKED_BY = select({ person: asked.person })
  .from(asked)
  .where(and(eq(asked.tenantId, o.tenantId), eq(asked.id, o.requestId)));

export interface AttentionPage {
  readonly limit: number;
  /** Moment that ages are measured at, RFC 3339: the first page's, so that the order stays while paging. */
  readonly asOf: string;
  /** Without leases that are stale. */
  readonly unknownOnly?: boolean | undefined;
  /** Only what became unknown in this time. RFC 3339, half open. */
  readonly began?: { readonly from: string; readonly to: string } | undefined;
  readonly after?: { readonly weight: string; readonly id: string; readonly back: boolean } | undefined;
}

export type AttentionDbRow = RowOf<typeof selectAttention>;

/** Unknown and stale operations by age × amount, from the small open table. */
export async function selectAttention(
  q: Queryable,
  tenantId: string,
  { after, asOf, unknownOnly, began, limit }: AttentionPage,
) {
  const weight = weightAt(asOf);
  const back = after?.back === true;
  const order = back ? asc : desc;
  const query = select({
    ...OPERATION_FIELDS,
    since: timeText(sql`coalesce(${o.unknownSince}, ${o.lockedUntil})`),
    ...pick(o, "checks", "lastFinding", "nextCheckAt", "lockedUntil"),
    /** Name of who looks after it. */
    assignedTo: actorName(o.assignedTo, o.tenantId),
    lookUps: sql<number>`${LOOK_UPS}`,
    webhook: sql<string | null>`${WEBHOOK}`,
    /** Name of the provider that it was prepared for. */
    provider: sql<string | null>`${PROVIDER}`,
    askedBy: sql<string | null>`${ASKED_BY}`,
    weight: sql<string>`${weight}::text`,
  })
    .from(o)
    .innerJoin(r, ITS_OPEN)
    .leftJoin(c, ITS_CLIENT)
    .where(
      and(
        eq(o.tenantId, tenantId),
        eq(r.tenantId, tenantId),
        unknownOnly === true
          ? isNotNull(o.unknownSince)
          : sql`(${o.unknownSince} is not null or ${o.lockedUntil} <= now())`,
        began && sql`${o.unknownSince} >= ${began.from}::timestamptz and ${o.unknownSince} < ${began.to}::timestamptz`,
        after &&
          sql`(${weight}, ${r.operationId}) ${sql.raw(back ? ">" : "<")} (${after.weight}::bigint, ${after.id}::uuid)`,
      ),
    )
    .orderBy(order(weight), order(r.operationId))
    .limit(limit + 1);
  return rowsOf(q, query);
}

export type DoubtTotalRow = RowOf<typeof selectDoubtTotals>;

/** Money in doubt, per currency, exact: only what is unknown, as a stale lease is asked about within seconds. */
export async function selectDoubtTotals(q: Queryable, tenantId: string) {
  const minor = sql<bigint>`sum(${r.amountMinor})::bigint`;
  const query = select({ currency: sql<string>`${r.currency}`, minor, count: sql<number>`count(*)::int` })
    .from(o)
    .innerJoin(r, ITS_OPEN)
    .where(
      and(
        eq(o.tenantId, tenantId),
        eq(r.tenantId, tenantId),
        isNotNull(o.unknownSince),
        isNotNull(r.amountMinor),
        isNotNull(r.currency),
      ),
    )
    .groupBy(r.currency)
    .orderBy(desc(minor));
  return rowsOf(q, query);
}
