/** The chains that the audit can be read as: of the tenant that is looked at, or of the whole deployment's people. */
export const AUDIT_CHAINS = ["tenant", "access"] as const;
export type AuditChain = (typeof AUDIT_CHAINS)[number];

/** What the access log stands under where tenants have their names; no tenant can be called that. */
const ACCESS_LOG = "@access";
/** Kind of subject of which the entry is the whole deployment's. */
const PEOPLE = "operator";

/** @returns the name of the chain that an entry belongs to: people are of no tenant, so what concerns them is in the access log */
export function chainOfSubject(tenantId: string, subjectType: string): string {
  return subjectType === PEOPLE ? ACCESS_LOG : tenantId;
}

/** @returns the name of a chain as its reader sees it */
export function chainName(tenantId: string, chain: AuditChain): string {
  return chain === "access" ? ACCESS_LOG : tenantId;
}
