import { and, asc, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { pick, rowsOf, select, subselect, timeText, type RowOf } from "@/db/query";
import { auditEntries, operationPolicies } from "@/db/schema";

export interface OperationPolicyChange {
  readonly tenantId: string;
  readonly operation: string;
  /** Only what differs, as in domain/idempotency/policy-form. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** The version that was looked at; 0 while there is none. */
  readonly expectedVersion: number;
  readonly by: string;
}

/** @returns the new version, or undefined when somebody changed it meanwhile. */
export function setOperationPolicy(db: Queryable, change: OperationPolicyChange): Promise<number | undefined> {
  return callScalar(db, "set_operation_policy", { ...change, overrides: JSON.stringify(change.overrides) });
}

type PolicyOverridesRow = Pick<OperationPolicyChange, "operation" | "overrides">;

/** @returns what one tenant decided otherwise, for all its operations. */
export async function operationPolicyOverrides(db: Queryable, tenantId: string): Promise<PolicyOverridesRow[]> {
  const { rows } = await db.query<PolicyOverridesRow>({
    name: "operation_overrides",
    text: "select operation, overrides from onceboard.operation_overrides($1)",
    values: [tenantId],
  });
  return rows;
}

const p = operationPolicies;
const a = alias(auditEntries, "a");

export type PolicyDbRow = RowOf<typeof selectPolicies>;

/** What a tenant decided otherwise: one row per operation at the most. */
export async function selectPolicies(q: Queryable, tenantId: string) {
  const query = select({
    ...pick(p, "operation", "overrides", "version", "updatedAt", "updatedBy"),
  })
    .from(p)
    .where(eq(p.tenantId, tenantId))
    .orderBy(asc(p.operation));
  return rowsOf(q, query);
}

/** What an entry of the audit keeps of a policy. */
type Kept = { readonly overrides?: Readonly<Record<string, unknown>> } | null;

/** Changes of one operation's policy that are looked back at. */
const CHANGES = 50;

export type PolicyChangeDbRow = RowOf<typeof selectPolicyChanges>;

/** The newest changes of each operation's policy, from the audit: when each value became what it is. */
export async function selectPolicyChanges(q: Queryable, tenantId: string, operations: readonly string[]) {
  const operation = sql<string>`o.operation`;
  const change = subselect({
    at: timeText(a.at),
    by: a.actorName,
    before: a.before,
    after: a.after,
    sequence: a.sequence,
  })
    .from(a)
    .where(
      and(
        eq(a.tenantId, tenantId),
        eq(a.subjectType, "policy"),
        eq(a.subjectId, operation),
        eq(a.action, "policies.write"),
      ),
    )
    .orderBy(desc(a.sequence))
    .limit(CHANGES)
    .as("c");
  const query = select({
    operation,
    at: change.at,
    by: sql<string>`${change.by}`,
    before: sql<Kept>`${change.before}`,
    after: sql<Kept>`${change.after}`,
  })
    .from(sql`unnest(${sql.param(operations)}::text[]) as o(operation)`)
    .crossJoinLateral(change)
    .orderBy(operation, desc(change.sequence));
  return rowsOf(q, query);
}
