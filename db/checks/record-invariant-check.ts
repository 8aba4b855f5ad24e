import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";

export interface InvariantCheck {
  readonly tenantId: string;
  readonly name: string;
  /** Undefined: it did not end in its time. */
  readonly violations: number | undefined;
  /** There are more than were counted. */
  readonly capped: boolean;
  readonly durationMs: number;
  /** Ids of the first violating rows. */
  readonly examples: readonly string[];
}

/** Keeps one run of one invariant, at the database's time. */
export async function recordInvariantCheck(db: Queryable, check: InvariantCheck): Promise<void> {
  const { tenantId: tenant, durationMs, examples, ...rest } = check;
  const run = { tenant, ...rest, durationMs: Math.round(durationMs), examples: JSON.stringify(examples) };
  await callScalar(db, "record_invariant_check", run);
}
