import type { PersonRow } from "../views/access";

type Granted = Pick<PersonRow, "role" | "tenants">;

/** Where somebody has which role, one line each: "admin on all tenants", "viewer in acme". Nothing: they see no tenant. */
export function grantLines({ role, tenants }: Granted): readonly string[] {
  return [
    ...(role === undefined ? [] : [`${role} on all tenants`]),
    ...tenants.map(({ tenant, role: own }) => `${own} in ${tenant}`),
  ];
}
