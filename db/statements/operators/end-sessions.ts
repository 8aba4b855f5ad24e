import type { Queryable } from "@/db/client";

export interface SessionsToEnd {
  readonly operatorId: string;
  /** Only this one. */
  readonly only?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
}

/** Deletes sessions of one operator; the next request of each is nobody's. @returns their ids */
export async function endSessions(tx: Queryable, { operatorId, only, except }: SessionsToEnd): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    text: `delete from onceboard.sessions
            where user_id = $1 and ($2::text is null or id = $2) and ($3::text is null or id <> $3)
           returning id`,
    values: [operatorId, only ?? null, except ?? null],
  });
  return rows.map(({ id }) => id);
}
