import type { Queryable } from "@/db/client";
import { LETTER_COLUMNS, type LetterRow } from "./letter";

/** Dead letters of these ids, open or settled, newest first. */
export async function lettersById(q: Queryable, tenantId: string, ids: readonly string[]): Promise<LetterRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await q.query<LetterRow>({
    name: "letters_by_id",
    text: `select ${LETTER_COLUMNS} from onceboard.dead_letters d where d.tenant_id = $1 and d.id = any ($2::uuid[]) order by d.dead_at desc, d.id desc`,
    values: [tenantId, ids],
  });
  return rows;
}
