import { COUNTEREXAMPLES, type CounterexampleId } from "@/db/checks/counterexamples";
import { CHECKS, TENANT_CHECKS } from "@/presentation/checks/catalogue";
import type { Check } from "@/presentation/checks/check";

/** A check over a tenant's rows, with the statement that finds its counterexamples. */
export interface Invariant extends Pick<Check, "group" | "statement">, NonNullable<Check["tenant"]> {
  readonly name: CounterexampleId;
  readonly sql: string;
}

/** Each check of a tenant in the catalogue has a statement, or this does not compile. */
export const INVARIANTS: readonly Invariant[] = TENANT_CHECKS.map((name) => {
  const { group, statement, tenant } = CHECKS[name];
  return { name, group, statement, ...tenant, sql: COUNTEREXAMPLES[name] };
});

export const INVARIANT_NAMES: readonly string[] = TENANT_CHECKS;
