import type { TenantGrant } from "@/domain/access/grants";
import type { Role } from "@/domain/idempotency/states";

export interface SessionRow {
  readonly id: string;
  /** "Firefox on Linux", as far as the browser says it. */
  readonly device: string;
  readonly address: string | undefined;
  readonly since: string;
  /** To the minute. */
  readonly seenAt: string;
  readonly until: string;
  /** The session of this request. */
  readonly own: boolean;
}

export interface SessionsView {
  readonly at: string;
  readonly sessions: readonly SessionRow[];
}

export interface PersonIdentity {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** On all tenants; undefined: none. */
  readonly role?: Role | undefined;
  readonly disabledAt?: string | undefined;
  readonly createdAt: string;
}

export interface PersonRow extends PersonIdentity {
  /** Tenants with a role of their own; there it counts instead of the one on all tenants. */
  readonly tenants: readonly TenantGrant[];
  readonly twoFactor: boolean;
  /** By what they sign in. */
  readonly signsInBy: readonly ("password" | "oidc")[];
  /** Until when a link of theirs may be used. */
  readonly invitedUntil?: string | undefined;
  readonly sessions: readonly SessionRow[];
  readonly self: boolean;
  /** The last admin of all tenants who may sign in cannot lose the role. */
  readonly lastAdmin: boolean;
}

export interface PeopleView {
  readonly at: string;
  readonly people: readonly PersonRow[];
  readonly roles: readonly Role[];
  /** Those that a role can be given in, the first 500. */
  readonly tenants: readonly string[];
}

export interface PermissionRow {
  /** "operations.resolve". */
  readonly action: string;
  readonly label: string;
  readonly roles: readonly Role[];
  readonly allowed: boolean;
  /** Asks a person to confirm their identity again. */
  readonly confirmed: boolean;
}

export interface PermissionsView {
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly actions: readonly PermissionRow[];
}
