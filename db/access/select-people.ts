import { and, asc, desc, eq, exists, isNotNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, pick, rowsOf, same, select, timeText, type RowOf } from "@/db/query";
import { operatorAccounts, operatorGrants, operators, sessions, verifications } from "@/db/schema";
import type { SessionLimits } from "./sessions";

const o = alias(operators, "o");
const a = alias(operatorAccounts, "a");
const v = alias(verifications, "v");
const s = alias(sessions, "s");
const g = alias(operatorGrants, "g");

/** People and sessions listed at the most. */
const LISTED = 200;

const ITS_PASSWORD = and(eq(a.userId, o.id), eq(a.providerId, "credential"), isNotNull(a.password));
const ITS_OIDC = and(eq(a.userId, o.id), ne(a.providerId, "credential"));
const INVITED = select({ until: timeText(v.expiresAt) })
  .from(v)
  .where(sql`${v.id} = 'invitation:' || ${o.id} and ${v.expiresAt} > clock_timestamp()`);

const ITS_TENANTS = select({
  list: sql`jsonb_agg(jsonb_build_object('tenant', ${g.tenantId}, 'role', ${g.role}) order by ${g.tenantId})`,
})
  .from(g)
  .where(eq(g.operatorId, o.id));

/** Everybody, of whichever tenants. */
export async function selectPeople(q: Queryable) {
  const query = select({
    ...pick(o, "id", "name", "email", "role", "disabledAt", "createdAt"),
    twoFactor: o.twoFactorEnabled,
    tenants: sql<{ readonly tenant: string; readonly role: string }[]>`coalesce((${ITS_TENANTS}), '[]')`,
    hasPassword: sql<boolean>`${exists(builder.select({ id: a.id }).from(a).where(ITS_PASSWORD))}`,
    hasOidc: sql<boolean>`${exists(builder.select({ id: a.id }).from(a).where(ITS_OIDC))}`,
    /** Until when a link may be used. */
    invitedUntil: sql<string | null>`${INVITED}`,
  })
    .from(o)
    .orderBy(isNotNull(o.disabledAt), asc(o.email))
    .limit(LISTED);
  return rowsOf(q, query);
}

type Limits = Pick<SessionLimits, "idleMinutes" | "absoluteHours">;

export type SessionDbRow = RowOf<typeof selectSessions>;

/** Sessions that still open as seeSession judges it, newest use first. @param operatorId of one person; undefined: of all */
export async function selectSessions(q: Queryable, limits: Limits, operatorId: string | undefined) {
  const ends = sql`${s.createdAt} + make_interval(hours => ${limits.absoluteHours})`;
  const query = select({
    ...pick(s, "id", "userAgent", "ipAddress"),
    operatorId: s.userId,
    since: timeText(s.createdAt),
    seenAt: timeText(s.updatedAt),
    until: timeText(sql`least(${s.expiresAt}, ${ends})`),
  })
    .from(s)
    .where(
      and(
        sql`${s.expiresAt} > clock_timestamp()`,
        sql`${s.createdAt} > clock_timestamp() - make_interval(hours => ${limits.absoluteHours})`,
        sql`${s.updatedAt} > clock_timestamp() - make_interval(mins => ${limits.idleMinutes})`,
        same(s.userId, operatorId),
      ),
    )
    .orderBy(desc(s.updatedAt))
    .limit(LISTED);
  return rowsOf(q, query);
}
