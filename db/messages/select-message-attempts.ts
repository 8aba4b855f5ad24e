import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";
import type { MessageSide } from "@/domain/messages/side";

export interface MessageAttemptDbRow {
  readonly attempt: number;
  readonly owner: string | null;
  readonly fence: number;
  readonly ended_at: string;
  readonly outcome: "failed" | "dead" | "lost";
  readonly error_code: string | null;
  readonly error: string | null;
}

/** Rows of one message; one more says that there are more. */
export const ATTEMPTS_SHOWN = 100;

/** Attempts that did not succeed, oldest first. @param since when the message was written, RFC 3339 */
export async function selectMessageAttempts(
  q: Queryable,
  tenantId: string,
  message: { readonly side: MessageSide; readonly id: string; readonly since: string },
): Promise<MessageAttemptDbRow[]> {
  const { rows } = await q.query<MessageAttemptDbRow>({
    text: `select a.attempt, a.owner, a.fence, ${iso("a.ended_at")} as ended_at, a.outcome, a.error_code, a.error
from onceboard.message_attempts a
where a.tenant_id = $1 and a.message_row_id = $2 and a.side = $3 and a.day >= ($4::timestamptz at time zone 'utc')::date
order by a.ended_at, a.id limit $5`,
    values: [tenantId, message.id, message.side, message.since, ATTEMPTS_SHOWN],
  });
  return rows;
}
