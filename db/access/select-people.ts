import { and, asc, desc, eq, exists, isNotNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, rowsOf, same, select, timeText, type RowOf } from "@/db/query";
import { operatorAccounts, operators, sessions, verifications } from "@/db/schema";
import type { SessionLimits } from "./sessions";

const o = alias(operators, "o");
const a = alias(operatorAccounts, "a");
const v = alias(verifications, "v");
const s = alias(sessions, "s");

/** People and sessions listed at the most. */
const LISTED = 200;

const ITS_PASSWORD = and(eq(a.userId, o.id), eq(a.providerId, "credential"), isNotNull(a.password));
const ITS_OIDC = and(eq(a.userId, o.id), ne(a.providerId, "credential"));
const INVITED = select({ until: timeText(v.expiresAt) })
  .from(v)
  .where(sql`${v.id} = 'invitation:' || ${o.id} and ${v.expiresAt} > clock_timestamp()`);

export type PersonDbRow = RowOf<typeof selectPeople>;

/** People belong to the deployment, not to a tenant. */
export async function selectPeople(q: Queryable) {
  const query = select({
    id: o.id,
    name: o.name,
    email: o.email,
    role: o.role,
    two_factor: o.twoFactorEnabled,
    has_password: sql<boolean>`${exists(builder.select({ id: a.id }).from(a).where(ITS_PASSWORD))}`,
    has_oidc: sql<boolean>`${exists(builder.select({ id: a.id }).from(a).where(ITS_OIDC))}`,
    /** Until when a link may be used. */
    invited_until: sql<string | null>`${INVITED}`,
    disabled_at: timeText(o.disabledAt),
    created_at: timeText(o.createdAt),
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
    id: s.id,
    operator_id: s.userId,
    user_agent: s.userAgent,
    ip_address: s.ipAddress,
    created_at: timeText(s.createdAt),
    seen_at: timeText(s.updatedAt),
    expires_at: timeText(sql`least(${s.expiresAt}, ${ends})`),
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
