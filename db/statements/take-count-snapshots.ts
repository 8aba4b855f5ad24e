import type { Queryable } from "@/db/client";

/** Counts of the huge states; exact up to `bound` requests, an estimate beyond. */
export async function takeCountSnapshots(
  db: Queryable,
  tenantId: string,
  bound: number,
): Promise<"exact" | "estimate"> {
  const { rows } = await db.query<{ kind: "exact" | "estimate" }>({
    text: "select onceboard.take_count_snapshots($1,$2) as kind",
    values: [tenantId, bound],
  });
  return rows[0]?.kind ?? "exact";
}
