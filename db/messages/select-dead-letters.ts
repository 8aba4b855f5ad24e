import type { Queryable } from "@/db/client";
import { inScope, LETTER_COLUMNS, type LetterRow } from "./dead-letters";
import { keyset, type PageRequest, type SortColumns } from "../paging";
import { iso } from "../sql-text";
import type { DeadLetterFilters } from "@/domain/lists/filters";

/** Groups shown; one more says that there are more. */
export const DEAD_LETTER_GROUPS = 50;
/** Newest rows of a filter that are grouped and counted; a wider one is narrowed. */
export const LETTERS_COUNTED = 10_000;
/** Settled ones that are counted beside a group. */
const SETTLED_COUNTED = 1_000;
/** Deaths of one message that are shown. */
const DEATHS = 20;

export interface DeadLetterGroupRow {
  readonly error_fingerprint: string;
  readonly side: "outbox" | "inbox";
  readonly place: string;
  readonly error_code: string;
  readonly error: string;
  readonly count: number;
  readonly settled: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly types: string[];
  readonly attempts: number;
  readonly operations: number;
  /** Of all groups together. */
  readonly matching: number;
}

const ORDERS = {
  last: "g.last_dead desc, g.error_fingerprint, g.side, g.place",
  count: "g.count desc, g.last_dead desc, g.error_fingerprint, g.side, g.place",
} as const;

/** Dead letters of a filter by error and place: the newest LETTERS_COUNTED of them. */
export async function selectDeadLetterGroups(
  q: Queryable,
  tenantId: string,
  filters: DeadLetterFilters,
): Promise<DeadLetterGroupRow[]> {
  const where = inScope(tenantId, filters, filters.settled);
  const text = `with letters as materialized (
  select d.* from onceboard.dead_letters d where ${where.text()} order by d.dead_at desc limit ${where.param(LETTERS_COUNTED + 1)}),
grouped as (
  select l.error_fingerprint, l.side, l.place, (array_agg(l.error_code order by l.dead_at desc))[1] as error_code,
    (array_agg(l.error order by l.dead_at desc))[1] as error, count(*) filter (where l.settled_at is null)::int as count,
    min(l.dead_at) as first_dead, max(l.dead_at) as last_dead, array_agg(distinct l.type) as types, max(l.attempts)::int as attempts,
    count(distinct l.operation_id)::int as operations, sum(count(*) filter (where l.settled_at is null)) over ()::int as matching
  from letters l group by 1, 2, 3)
select g.error_fingerprint, g.side, g.place, g.error_code, g.error, g.count, ${iso("g.first_dead")} as first_at, ${iso("g.last_dead")} as last_at,
  g.types, g.attempts, g.operations, g.matching, (
    select count(*)::int from (
      select 1 from onceboard.dead_letters s where s.tenant_id = $1 and s.error_fingerprint = g.error_fingerprint and s.side = g.side
        and s.place = g.place and s.settled_at is not null limit ${String(SETTLED_COUNTED)}) n) as settled
from grouped g order by ${ORDERS[filters.sort]} limit ${where.param(DEAD_LETTER_GROUPS + 1)}`;
  const { rows } = await q.query<DeadLetterGroupRow>({ text, values: where.values });
  return rows;
}

/**
 * The newest open dead letters of some causes of a filter, among its newest LETTERS_COUNTED.
 *
 * @param fingerprints of those causes
 * @param each of one cause at the most
 */
export async function selectNewestOfGroups(
  q: Queryable,
  tenantId: string,
  filters: DeadLetterFilters,
  fingerprints: readonly string[],
  each: number,
): Promise<LetterRow[]> {
  const where = inScope(tenantId, filters, false);
  where.add(`d.error_fingerprint = any (${where.param(fingerprints)}::text[])`);
  const { rows } = await q.query<LetterRow>({
    text: `with letters as materialized (
  select * from onceboard.dead_letters d where ${where.text()} order by d.dead_at desc limit ${where.param(LETTERS_COUNTED)}),
ranked as (
  select l.*, row_number() over (partition by l.error_fingerprint, l.side, l.place order by l.dead_at desc, l.id desc) as n from letters l)
select ${LETTER_COLUMNS} from ranked d where d.n <= ${where.param(each)}`,
    values: where.values,
  });
  return rows;
}

export const LETTER_SORT: SortColumns = { value: "d.dead_at", type: "timestamptz", id: "d.id", idType: "uuid" };

/** One page of dead letters, newest first. */
export async function selectDeadLetters(
  q: Queryable,
  tenantId: string,
  filters: DeadLetterFilters,
  page: PageRequest,
): Promise<LetterRow[]> {
  const where = inScope(tenantId, filters, filters.settled);
  const tail = keyset(where, LETTER_SORT, page);
  const { rows } = await q.query<LetterRow>({
    text: `select ${LETTER_COLUMNS} from onceboard.dead_letters d where ${where.text()}\n${tail}`,
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
): Promise<LetterRow[]> {
  const { rows } = await q.query<LetterRow>({
    text: `select ${LETTER_COLUMNS} from onceboard.dead_letters d where d.tenant_id = $1 and d.side = $2 and d.message_row_id = $3 order by d.dead_at desc limit $4`,
    values: [tenantId, side, messageRowId, DEATHS],
  });
  return rows;
}
