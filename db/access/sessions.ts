import type { Queryable } from "@/db/client";
import { TENANT_ROLES } from "./grants";

export interface SeenSession {
  readonly sessionId: string;
  readonly operatorId: string;
  readonly email: string;
  readonly name: string;
  /** On all tenants; null: none. */
  readonly role: string | null;
  /** By tenant. */
  readonly tenants: Readonly<Record<string, string>>;
  /** As it is kept. */
  readonly timeZone: string;
  readonly twoFactor: boolean;
  /** They signed in or confirmed within the limit. */
  readonly fresh: boolean;
  readonly hasPassword: boolean;
  readonly hasOidc: boolean;
}

export interface SessionLimits {
  readonly idleMinutes: number;
  readonly absoluteHours: number;
  readonly confirmMinutes: number;
}

/** A session that is looked at more often than this is not written again. */
const TOUCH_SECONDS = 60;

/**
 * The person of a session as the database has it now, and the note that they were here; by the database clock.
 *
 * @returns undefined when the session is gone, too old, idle for too long, or its operator is disabled
 */
export async function seeSession(
  db: Queryable,
  sessionId: string,
  limits: SessionLimits,
): Promise<SeenSession | undefined> {
  const { rows } = await db.query<SeenSession>({
    name: "see_session",
    text: `with seen as (
             select s.id, s.updated_at, o.id as operator_id, o.email, o.name, o.role, o.two_factor_enabled, o.time_zone,
                    ${TENANT_ROLES} as tenants,
                    coalesce(s.confirmed_at, s.created_at) > clock_timestamp() - make_interval(mins => $5) as fresh,
                    exists (select from onceboard.operator_accounts a
                             where a.user_id = o.id and a.provider_id = 'credential' and a.password is not null) as has_password,
                    exists (select from onceboard.operator_accounts a
                             where a.user_id = o.id and a.provider_id <> 'credential') as has_oidc
               from onceboard.sessions s
               join onceboard.operators o on o.id = s.user_id
              where s.id = $1
                and s.expires_at > clock_timestamp()
                and s.created_at > clock_timestamp() - make_interval(hours => $3)
                and s.updated_at > clock_timestamp() - make_interval(mins => $2)
                and o.disabled_at is null
           ), touched as (
             update onceboard.sessions s set updated_at = clock_timestamp()
               from seen
              where s.id = seen.id and seen.updated_at < clock_timestamp() - make_interval(secs => $4)
           )
           select id as "sessionId", operator_id as "operatorId", email, name, role, tenants, two_factor_enabled as "twoFactor",
                  time_zone as "timeZone", fresh, has_password as "hasPassword", has_oidc as "hasOidc" from seen`,
    values: [sessionId, limits.idleMinutes, limits.absoluteHours, TOUCH_SECONDS, limits.confirmMinutes],
  });
  return rows[0];
}

/** Notes, by the database's clock, that the person of a session proved again who they are. */
export async function confirmSessionRow(db: Queryable, sessionId: string): Promise<void> {
  await db.query({
    text: "update onceboard.sessions set confirmed_at = clock_timestamp() where id = $1",
    values: [sessionId],
  });
}

export interface SessionsToEnd {
  readonly operatorId: string;
  /** Only this one. */
  readonly only?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
}

/** Deletes sessions of one operator; the next request of each is nobody's. @returns their ids */
export async function endSessions(tx: Queryable, { operatorId, only, except }: SessionsToEnd): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    text: `delete from onceboard.sessions
            where user_id = $1 and ($2::text is null or id = $2) and ($3::text is null or id <> $3)
           returning id`,
    values: [operatorId, only ?? null, except ?? null],
  });
  return rows.map(({ id }) => id);
}

/** Takes back a session that was just opened. */
export async function endSessionByToken(db: Queryable, token: string): Promise<void> {
  await db.query({ text: "delete from onceboard.sessions where token = $1", values: [token] });
}

/**
 * Uses up the state of a sign-in at the OIDC issuer: of two at once one finds it unused.
 * @returns false for a state that nobody began, that is too old, or that was used
 */
export async function spendSignInState(db: Queryable, state: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `insert into onceboard.verifications (id, identifier, value, expires_at)
           select 'state-used:' || v.id, 'state-used:' || v.id, '', v.expires_at from onceboard.verifications v
            where v.identifier = $1 and v.value like '{%' and v.expires_at > clock_timestamp()
           on conflict (id) do nothing`,
    values: [state],
  });
  return rowCount === 1;
}
