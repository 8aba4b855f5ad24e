import type { Queryable } from "@/db/client";

/** Calls a function of db/functions that answers with one word. @returns undefined for null */
export async function saidWord<Word extends string>(
  db: Queryable,
  name: string,
  text: string,
  values: unknown[],
): Promise<Word | undefined> {
  const { rows } = await db.query<{ said: Word | null }>({ name, text, values });
  return rows[0]?.said ?? undefined;
}
