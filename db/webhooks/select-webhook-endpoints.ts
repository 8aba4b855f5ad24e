import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, pick, rowsOf, select, timeText, timeTextOrNull, type RowOf } from "@/db/query";
import {
  auditEntries,
  metricMessages,
  outboxMessages,
  topicCircuits,
  webhookEndpoints,
  webhookSecrets,
} from "@/db/schema";

/** Waiting messages that are looked at for an error. */
const LOOKED = 100;

const e = alias(webhookEndpoints, "e");
const a = alias(auditEntries, "a");
const s = alias(webhookSecrets, "s");
const m = alias(outboxMessages, "m");
const p = alias(metricMessages, "p");
const k = alias(topicCircuits, "k");

const TOPIC = sql<string>`'webhook:' || ${e.id}`;
const ON = sql`true`;
const TROUBLE = builder
  .select({ lastError: m.lastError })
  .from(m)
  .where(and(eq(m.tenantId, e.tenantId), eq(m.topic, TOPIC), eq(m.state, "pending")))
  .limit(LOOKED)
  .as("t");
const DELIVERIES = and(eq(p.tenantId, e.tenantId), eq(p.side, "outbox"), eq(p.place, TOPIC));

/** Of an endpoint that is off: by whom, and why. */
const off = builder
  .select({ actorName: a.actorName, reason: a.reason })
  .from(a)
  .where(
    and(
      eq(a.tenantId, e.tenantId),
      eq(a.subjectType, "webhook_endpoint"),
      eq(a.subjectId, sql`${e.id}::text`),
      eq(a.action, "webhook_endpoints.disable"),
      isNotNull(e.disabledAt),
      sql`coalesce(${a.after} ->> 'changed', 'true') = 'true'`,
    ),
  )
  .orderBy(desc(a.sequence))
  .limit(1)
  .as("off");
const secrets = select({
  list: sql`jsonb_agg(jsonb_build_object('id', ${s.secretId}, 'createdAt', ${timeText(s.createdAt)}, 'expiresAt', ${timeText(s.expiresAt)})
    order by ${s.createdAt} desc, ${s.secretId} desc)`,
})
  .from(s)
  .where(and(eq(s.tenantId, e.tenantId), eq(s.endpointId, e.id), or(isNull(s.expiresAt), sql`${s.expiresAt} > now()`)));
const error = builder
  .select({ lastError: TROUBLE.lastError })
  .from(TROUBLE)
  .where(isNotNull(TROUBLE.lastError))
  .limit(1);
const day = builder
  .select({
    delivered: sql<number>`coalesce(sum(${p.succeeded}), 0)::int`.as("delivered"),
    // The last attempt of a message that died has failed as those before it.
    failed: sql<number>`coalesce(sum(${p.failed} + ${p.dead}), 0)::int`.as("failed"),
  })
  .from(p)
  .where(and(DELIVERIES, sql`${p.bucket} > now() - interval '1 day'`))
  .as("day");
const last = builder
  .select({ bucket: p.bucket })
  .from(p)
  .where(and(DELIVERIES, gt(p.succeeded, 0)))
  .orderBy(desc(p.bucket))
  .limit(1)
  .as("last");

const FIELDS = {
  ...pick(e, "id", "url", "types", "description", "createdAt", "createdBy", "disabledAt"),
  topic: TOPIC,
  disabledBy: off.actorName,
  disabledReason: off.reason,
  downSince: timeTextOrNull(k.openedAt),
  canaryAt: timeTextOrNull(k.canaryAt),
  testing: sql<boolean>`coalesce(${k.canaryOut} and ${k.canaryAt} > now(), false)`,
  failures: sql<number | null>`${k.failures}`,
  downError: k.lastError,
  secrets: sql<
    readonly { readonly id: string; readonly createdAt: string; readonly expiresAt?: string }[]
  >`jsonb_strip_nulls(coalesce(${secrets}, '[]'::jsonb))`,
  lastError: sql<string | null>`${error}`,
  delivered: day.delivered,
  failed: day.failed,
  lastDeliveryAt: timeTextOrNull(last.bucket),
};

export type WebhookEndpointListRow = RowOf<typeof selectWebhookEndpoints>;

/** The tenant's endpoints, oldest first, with how it went at each; never a secret. @param limit endpoints */
export async function selectWebhookEndpoints(q: Queryable, tenantId: string, limit: number) {
  const order = [asc(e.createdAt), asc(e.id)];
  const endpoints = builder
    .select()
    .from(e)
    .where(eq(e.tenantId, tenantId))
    .orderBy(...order)
    .limit(limit)
    .as("e");
  const open = and(eq(k.tenantId, e.tenantId), eq(k.topic, TOPIC), isNotNull(k.openedAt));
  const query = select(FIELDS)
    .from(endpoints)
    .leftJoin(k, open)
    .leftJoinLateral(off, ON)
    .crossJoinLateral(day)
    .leftJoinLateral(last, ON);
  return rowsOf(q, query.orderBy(...order));
}
