import type { Queryable } from "@/db/client";

/** Says who looks after an open operation. @param to `kind:id`; undefined: nobody @returns who did before; undefined when it is not open */
export async function assignOperationRow(
  db: Queryable,
  tenantId: string,
  operationId: string,
  to: string | undefined,
): Promise<{ readonly was: string | null } | undefined> {
  const { rows } = await db.query<{ was: string | null }>({
    name: "assign_operation",
    text: "select was from onceboard.assign_operation($1,$2,$3)",
    values: [tenantId, operationId, to ?? null],
  });
  return rows[0];
}
