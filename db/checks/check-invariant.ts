import type { Queryable } from "@/db/client";
import { EXECUTIONS, MONEY } from "./executions";
import { INVARIANT_HOURS, type Invariant } from "./invariant";
import { MESSAGES, RECORDS } from "./messages";

export { INVARIANT_HOURS, type Invariant, type InvariantPage } from "./invariant";

/** Violations counted per check at the most. */
export const MOST_VIOLATIONS = 100;

/** What must hold, each as a statement that finds its counterexamples. */
export const INVARIANTS: readonly Invariant[] = [...EXECUTIONS, ...MONEY, ...MESSAGES, ...RECORDS];

export const INVARIANT_NAMES = INVARIANTS.map(({ name }) => name);

/** @returns ids that violate the invariant; one more than MOST_VIOLATIONS: there are more. */
export async function checkInvariant(q: Queryable, tenantId: string, { sql }: Invariant): Promise<string[]> {
  const { rows } = await q.query<{ id: string | null }>({
    text: `select v.id::text as id from (${sql}) v limit ${String(MOST_VIOLATIONS + 1)}`,
    values: sql.includes("$2") ? [tenantId, INVARIANT_HOURS] : [tenantId],
  });
  return rows.map((row) => row.id ?? "");
}

/** The same statement with its values in it, to be run by hand. */
export function sqlToCopy(tenantId: string, { sql }: Invariant): string {
  const tenant = `'${tenantId.replaceAll("'", "''")}'`;
  return `${sql.replaceAll("$1", () => tenant).replaceAll("$2", String(INVARIANT_HOURS))}\nlimit ${String(MOST_VIOLATIONS)};`;
}
