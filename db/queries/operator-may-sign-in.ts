import type { Queryable } from "@/db/client";

/** @returns whether this operator exists and is not disabled. */
export async function operatorMaySignIn(db: Queryable, operatorId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: "select 1 from onceboard.operators where id = $1 and disabled_at is null",
    values: [operatorId],
  });
  return rowCount === 1;
}
