import type { Queryable } from "@/db/client";

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
  await db.query({
    name: "record_invariant_check",
    text: "select onceboard.record_invariant_check($1,$2,$3,$4,$5,$6)",
    values: [
      check.tenantId,
      check.name,
      check.violations ?? null,
      check.capped,
      Math.round(check.durationMs),
      JSON.stringify(check.examples),
    ],
  });
}
