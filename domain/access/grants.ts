import { ROLES, type Role } from "../idempotency/states";

/**
 * What somebody may look into: a role on all tenants, a role in some, or both. In a tenant of its own the role given there counts
 * and the one on all tenants does not, whichever may do more.
 */
export interface Grants {
  /** On all tenants, later ones too; undefined: none. */
  readonly role: Role | undefined;
  /** By the tenant's id. Undefined as a value: nothing there, whatever the role on all tenants. */
  readonly tenants?: Readonly<Record<string, Role | undefined>> | undefined;
}

/** @returns the role in one tenant; undefined without a grant there, and nothing of that tenant is shown then */
export function roleInTenant({ role, tenants = {} }: Grants, tenantId: string): Role | undefined {
  return Object.hasOwn(tenants, tenantId) ? tenants[tenantId] : role;
}

/** @returns the tenants that are granted one by one; undefined: all tenants are */
export function tenantsNamed({ role, tenants = {} }: Grants): readonly string[] | undefined {
  if (role !== undefined) return undefined;
  return Object.keys(tenants).filter((tenant) => tenants[tenant] !== undefined);
}

/** A tenant with a role of its own, as lists of people show it. */
export interface TenantGrant {
  readonly tenant: string;
  readonly role: Role;
}

/** @returns the role that a kept word is; one that this version does not know lets nobody in */
export function knownRole(value: unknown): Role | undefined {
  return ROLES.find((role) => role === value);
}

/** A person's grants as they are kept. */
export function readGrants(kept: {
  readonly role: string | null | undefined;
  readonly tenants: Readonly<Record<string, string>>;
}): Grants {
  const tenants = Object.entries(kept.tenants).map(([tenant, value]) => [tenant, knownRole(value)] as const);
  return { role: knownRole(kept.role), tenants: Object.fromEntries(tenants) };
}
