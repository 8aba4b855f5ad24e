import type { Queryable } from "@/db/client";
import { CHECKS, TENANT_CHECKS } from "@/domain/checks/catalogue";
import { CHECK_HOURS, type Check } from "@/domain/checks/check";
import { COUNTEREXAMPLES } from "./counterexamples";

/** Violations counted per check at the most. */
export const MOST_VIOLATIONS = 100;

/** A check over a tenant's rows, with the statement that finds its counterexamples. */
export interface Invariant extends Pick<Check, "group" | "statement">, NonNullable<Check["tenant"]> {
  readonly name: string;
  readonly sql: string;
}

export const INVARIANTS: readonly Invariant[] = TENANT_CHECKS.map((name) => {
  const { group, statement, tenant } = CHECKS[name];
  return { name, group, statement, ...tenant, sql: COUNTEREXAMPLES[name] };
});

export const INVARIANT_NAMES: readonly string[] = TENANT_CHECKS;

/** @returns ids that violate the invariant; one more than MOST_VIOLATIONS: there are more. */
export async function checkInvariant(q: Queryable, tenantId: string, { sql }: Invariant): Promise<string[]> {
  const { rows } = await q.query<{ id: string | null }>({
    text: `select v.id::text as id from (${sql}) v limit ${String(MOST_VIOLATIONS + 1)}`,
    values: sql.includes("$2") ? [tenantId, CHECK_HOURS] : [tenantId],
  });
  return rows.map((row) => row.id ?? "");
}

/** The same statement with its values in it, to be run by hand. */
export function sqlToCopy(tenantId: string, { sql }: Invariant): string {
  const tenant = `'${tenantId.replaceAll("'", "''")}'`;
  return `${sql.replaceAll("$1", () => tenant).replaceAll("$2", String(CHECK_HOURS))}\nlimit ${String(MOST_VIOLATIONS)};`;
}
