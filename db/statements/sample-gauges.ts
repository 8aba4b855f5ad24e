import type { Queryable } from "@/db/client";

/** Samples what is open into the current minute. @returns how many gauges. */
export async function sampleGauges(db: Queryable, tenantId: string): Promise<number> {
  const { rows } = await db.query<{ sampled: number }>({
    name: "sample_gauges",
    text: "select onceboard.sample_gauges($1) as sampled",
    values: [tenantId],
  });
  return rows[0]?.sampled ?? 0;
}
