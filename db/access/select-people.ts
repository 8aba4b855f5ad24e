import type { Queryable } from "@/db/client";
import type { SessionLimits } from "./sessions";
import { iso } from "../sql-text";

/** People and sessions listed at the most. */
const LISTED = 200;

/** A session that still opens, as seeSession judges it; $1 and $2 are the limits. */
const LIVE = `s.expires_at > clock_timestamp()
  and s.created_at > clock_timestamp() - make_interval(hours => $1)
  and s.updated_at > clock_timestamp() - make_interval(mins => $2)`;

export interface PersonDbRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly two_factor: boolean;
  readonly has_password: boolean;
  readonly has_oidc: boolean;
  /** Until when a link may be used. */
  readonly invited_until: string | null;
  readonly disabled_at: string | null;
  readonly created_at: string;
}

type Limits = Pick<SessionLimits, "idleMinutes" | "absoluteHours">;

/** People belong to the deployment, not to a tenant. */
export async function selectPeople(q: Queryable): Promise<PersonDbRow[]> {
  const { rows } = await q.query<PersonDbRow>({
    text: `select o.id, o.name, o.email, o.role, o.two_factor_enabled as two_factor,
  exists (select from onceboard.operator_accounts a where a.user_id = o.id and a.provider_id = 'credential' and a.password is not null) as has_password,
  exists (select from onceboard.operator_accounts a where a.user_id = o.id and a.provider_id <> 'credential') as has_oidc,
  (select ${iso("v.expires_at")} from onceboard.verifications v
    where v.id = 'invitation:' || o.id and v.expires_at > clock_timestamp()) as invited_until,
  ${iso("o.disabled_at")} as disabled_at, ${iso("o.created_at")} as created_at
from onceboard.operators o order by o.disabled_at is not null, o.email limit $1`,
    values: [LISTED],
  });
  return rows;
}

export interface SessionDbRow {
  readonly id: string;
  readonly operator_id: string;
  readonly user_agent: string | null;
  readonly ip_address: string | null;
  readonly created_at: string;
  readonly seen_at: string;
  readonly expires_at: string;
}

/** Sessions that still open, newest use first. @param operatorId of one person; undefined: of all */
export async function selectSessions(
  q: Queryable,
  limits: Limits,
  operatorId: string | undefined,
): Promise<SessionDbRow[]> {
  const { rows } = await q.query<SessionDbRow>({
    text: `select s.id, s.user_id as operator_id, s.user_agent, s.ip_address, ${iso("s.created_at")} as created_at,
  ${iso("s.updated_at")} as seen_at,
  ${iso("least(s.expires_at, s.created_at + make_interval(hours => $1))")} as expires_at
from onceboard.sessions s where ${LIVE} and ($3::text is null or s.user_id = $3) order by s.updated_at desc limit $4`,
    values: [limits.absoluteHours, limits.idleMinutes, operatorId ?? null, LISTED],
  });
  return rows;
}
