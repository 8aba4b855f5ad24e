import type { Queryable } from "@/db/client";
import type { DeadLetterFilters } from "@/domain/filters/dead-letters";
import { DEAD_LETTERS_PER_GROUP } from "@/domain/views/limits";
import { conditions, iso, type Conditions } from "../sql-text";

/** Groups shown; one more says that there are more. */
export const DEAD_LETTER_GROUPS = 50;

export interface DeadLetterGroupRow {
  readonly error_fingerprint: string;
  readonly side: "outbox" | "inbox";
  readonly place: string;
  readonly error_code: string;
  readonly error: string;
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly types: string[];
}

function filtered(tenantId: string, filters: DeadLetterFilters): Conditions {
  const where = conditions();
  where.equal("d.tenant_id", tenantId);
  if (!filters.requeued) where.add("d.settled_at is null");
  where.equal("d.side", filters.side);
  where.equal("d.place", filters.place);
  where.equal("d.error_fingerprint", filters.fingerprint);
  return where;
}

/** Dead letters by error and place, most recent first. */
export async function selectDeadLetterGroups(
  q: Queryable,
  tenantId: string,
  filters: DeadLetterFilters,
): Promise<DeadLetterGroupRow[]> {
  const where = filtered(tenantId, filters);
  const { rows } = await q.query<DeadLetterGroupRow>({
    text: `select d.error_fingerprint, d.side, d.place, (array_agg(d.error_code order by d.dead_at desc))[1] as error_code,
  (array_agg(d.error order by d.dead_at desc))[1] as error, count(*)::int as count, ${iso("min(d.dead_at)")} as first_at,
  ${iso("max(d.dead_at)")} as last_at, array_agg(distinct d.type) as types
from onceboard.dead_letters d where ${where.text()}
group by d.error_fingerprint, d.side, d.place order by max(d.dead_at) desc, d.error_fingerprint, d.side, d.place limit ${where.param(DEAD_LETTER_GROUPS + 1)}`,
    values: where.values,
  });
  return rows;
}

export interface DeadLetterDbRow {
  readonly id: string;
  readonly side: "outbox" | "inbox";
  readonly message_row_id: string;
  readonly place: string;
  readonly type: string;
  readonly operation_id: string | null;
  readonly error_fingerprint: string;
  readonly error_code: string;
  readonly error: string;
  readonly attempts: number;
  readonly dead_at: string;
  readonly settled_at: string | null;
  readonly settled_by: string | null;
}

const COLUMNS = `d.id, d.side, d.message_row_id, d.place, d.type, d.operation_id, d.error_fingerprint, d.error_code, d.error, d.attempts,
  ${iso("d.dead_at")} as dead_at, ${iso("d.settled_at")} as settled_at, d.settled_by`;

/** Newest rows of each group in one statement. */
export async function selectDeadLetters(
  q: Queryable,
  tenantId: string,
  filters: DeadLetterFilters,
): Promise<DeadLetterDbRow[]> {
  const where = filtered(tenantId, filters);
  const { rows } = await q.query<DeadLetterDbRow>({
    text: `select ${COLUMNS} from (
  select d.*, row_number() over (partition by d.error_fingerprint, d.side, d.place order by d.dead_at desc, d.id) as n
  from onceboard.dead_letters d where ${where.text()}) d
where d.n <= ${where.param(DEAD_LETTERS_PER_GROUP)} order by d.dead_at desc, d.id limit ${where.param(DEAD_LETTER_GROUPS * DEAD_LETTERS_PER_GROUP)}`,
    values: where.values,
  });
  return rows;
}

/** The deaths of one message, newest first. */
export async function selectDeadLettersOfMessage(
  q: Queryable,
  tenantId: string,
  side: "outbox" | "inbox",
  messageRowId: string,
): Promise<DeadLetterDbRow[]> {
  const { rows } = await q.query<DeadLetterDbRow>({
    text: `select ${COLUMNS} from onceboard.dead_letters d where d.tenant_id = $1 and d.side = $2 and d.message_row_id = $3 order by d.dead_at desc limit $4`,
    values: [tenantId, side, messageRowId, DEAD_LETTERS_PER_GROUP],
  });
  return rows;
}
