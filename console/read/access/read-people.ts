import { selectPeople, selectSessions, type SessionDbRow } from "@/db/access/select-people";
import { only } from "@/db/query";
import { primaryOf, readWithin } from "@/db/bounded-read";
import { shownName } from "@/domain/plain-text";
import { deviceName } from "@/domain/access/device-name";
import { knownRole, type TenantGrant } from "@/domain/access/grants";
import { ROLES } from "@/domain/idempotency/states";
import { listTenantsAmong } from "@/db/tenants";
import type { PeopleView, SessionRow, SessionsView } from "@/presentation/views/access";
import type { EngineContext } from "@/engine/context";
import { requirePermission, type Asking } from "@/engine/actions/require";
import { shownAddress, UNKNOWN_ADDRESS } from "@/auth/address";
import { SESSION_HOURS } from "@/auth/sign-in/library";
import { SESSION_IDLE_MINUTES, type Operator } from "@/auth/operator-session";
import { requirePerson } from "@/auth/people/people-actions";

const LIMITS = { idleMinutes: SESSION_IDLE_MINUTES, absoluteHours: SESSION_HOURS };

/** Everybody who may sign in, with what admins decide about them. @throws AppError `auth.forbidden`, `auth.person_only` 403 */
export async function readPeople(ctx: EngineContext, current: string | undefined): Promise<PeopleView> {
  requirePermission(ctx, "operators.read");
  const person = requirePerson(ctx);
  const { people, sessions, tenants } = await readWithin(primaryOf(ctx.db), "list", async (q) => ({
    people: await selectPeople(q),
    sessions: await selectSessions(q, LIMITS, undefined),
    tenants: await listTenantsAmong(q, undefined),
  }));
  const admins = people.filter((row) => row.role === "admin" && row.disabledAt === undefined);
  return {
    at: new Date().toISOString(),
    roles: ROLES,
    tenants,
    people: people.map(({ hasPassword, hasOidc, ...row }) => ({
      ...row,
      name: shownName(row.name),
      role: knownRole(row.role),
      tenants: row.tenants.flatMap(({ tenant, role }) => grantOf(tenant, knownRole(role))),
      signsInBy: [...(hasPassword ? (["password"] as const) : []), ...(hasOidc ? (["oidc"] as const) : [])],
      sessions: sessions.filter((session) => session.operatorId === row.id).map((one) => sessionOf(one, current)),
      self: row.id === person.id,
      lastAdmin: admins.length === 1 && admins[0]?.id === row.id,
    })),
  };
}

/** The caller's own sessions. @param current the one that asks. @throws AppError `auth.forbidden`, `auth.person_only` 403 */
export async function readOwnSessions(ctx: EngineContext, current: string | undefined): Promise<SessionsView> {
  requirePermission(ctx, "sessions.read_own");
  const { id } = requirePerson(ctx);
  const rows = await readWithin(primaryOf(ctx.db), "list", (q) => selectSessions(q, LIMITS, id));
  return { at: new Date().toISOString(), sessions: rows.map((row) => sessionOf(row, current)) };
}

/** How the caller signs in. @throws AppError `auth.forbidden` 403 */
export function readOwnSecurity(
  ctx: Asking,
  { twoFactor, confirmation }: Pick<Operator, "twoFactor" | "confirmation">,
): { readonly twoFactor: boolean; readonly hasPassword: boolean } {
  requirePermission(ctx, "two_factor.change_own");
  return { twoFactor, hasPassword: confirmation.by.includes("password") };
}

function grantOf(tenant: string, role: TenantGrant["role"] | undefined): TenantGrant[] {
  return role === undefined ? [] : [{ tenant, role }];
}

function sessionOf(row: SessionDbRow, current: string | undefined): SessionRow {
  return {
    ...only(row, "id", "since", "seenAt", "until"),
    device: deviceName(row.userAgent),
    address: knownAddress(row.ipAddress),
    own: row.id === current,
  };
}

/** Where Next alone brings the requests nobody has an address, and the library keeps all zeros. */
function knownAddress(kept: string | undefined): string | undefined {
  const shown = shownAddress(kept ?? "");
  return shown === "::" || shown === UNKNOWN_ADDRESS ? undefined : shown;
}
