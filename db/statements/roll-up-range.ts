import type { Queryable } from "@/db/client";

/** Recomputes what needs it of [from, to). @returns minutes that were computed. */
export async function rollUpRange(
  db: Queryable,
  input: { readonly tenantId: string; readonly from: Date; readonly to: Date; readonly settleSeconds: number },
): Promise<number> {
  const { rows } = await db.query<{ minutes: number }>({
    name: "roll_up",
    text: "select onceboard.roll_up($1,$2,$3,$4) as minutes",
    values: [input.tenantId, input.from, input.to, input.settleSeconds],
  });
  return rows[0]?.minutes ?? 0;
}
