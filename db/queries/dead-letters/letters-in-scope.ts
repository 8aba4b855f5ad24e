import type { Queryable } from "@/db/client";
import type { DeadLetterScope } from "@/domain/filters/dead-letters";
import { inScope, LETTER_COLUMNS, type LetterRow } from "./letter";

/** Open dead letters of a scope, newest first, at most `limit`. */
export async function lettersInScope(
  q: Queryable,
  tenantId: string,
  scope: DeadLetterScope,
  limit: number,
): Promise<LetterRow[]> {
  const where = inScope(tenantId, scope, false);
  const { rows } = await q.query<LetterRow>({
    text: `select ${LETTER_COLUMNS} from onceboard.dead_letters d where ${where.text()} order by d.dead_at desc, d.id desc limit ${where.param(limit)}`,
    values: where.values,
  });
  return rows;
}
