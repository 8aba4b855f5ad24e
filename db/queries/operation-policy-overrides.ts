import type { Queryable } from "@/db/client";

export interface PolicyOverridesRow {
  readonly operation: string;
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** @returns what one tenant decided otherwise, for all its operations. */
export async function operationPolicyOverrides(db: Queryable, tenantId: string): Promise<PolicyOverridesRow[]> {
  const { rows } = await db.query<PolicyOverridesRow>({
    name: "operation_policy_overrides",
    text: "select operation, overrides from onceboard.operation_policies where tenant_id = $1",
    values: [tenantId],
  });
  return rows;
}
