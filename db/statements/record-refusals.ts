import type { Queryable } from "@/db/client";

export interface RefusalCount {
  readonly tenantId: string;
  readonly client: string;
  /** The stable code of the refusal. */
  readonly code: string;
  readonly count: number;
}

/** Adds refusals to the hour that runs, by the database's clock. */
export async function recordRefusals(db: Queryable, refusals: readonly RefusalCount[]): Promise<void> {
  await db.query({
    name: "record_refusals",
    text: "select onceboard.record_refusals($1)",
    values: [
      JSON.stringify(
        refusals.map(({ tenantId, client, code, count }) => ({ tenant_id: tenantId, client, code, count })),
      ),
    ],
  });
}
