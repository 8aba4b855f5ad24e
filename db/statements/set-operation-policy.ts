import type { Queryable } from "@/db/client";

export interface OperationPolicyChange {
  readonly tenantId: string;
  readonly operation: string;
  /** Only what differs, as in domain/policy-form. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** The version that was looked at; 0 while there is none. */
  readonly expectedVersion: number;
  readonly by: string;
}

/** @returns the new version, or undefined when somebody changed it meanwhile. */
export async function setOperationPolicy(db: Queryable, change: OperationPolicyChange): Promise<number | undefined> {
  const { rows } = await db.query<{ version: number | null }>({
    name: "set_operation_policy",
    text: "select onceboard.set_operation_policy($1,$2,$3::jsonb,$4,$5) as version",
    values: [change.tenantId, change.operation, JSON.stringify(change.overrides), change.expectedVersion, change.by],
  });
  return rows[0]?.version ?? undefined;
}
