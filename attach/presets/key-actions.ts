import type { ActionPart, PayloadPart, PurgePart, RowPart, StateRule } from "../contract/preset";

/** Rows of one table of keys, as the guarded statements see them. All SQL is over its raw columns, without an alias. */
export interface KeyRows {
  readonly table: string;
  /** What ids are made of: unique, and never null. */
  readonly id: string;
  readonly key: RowPart["key"];
  readonly states: readonly StateRule<"keys">[];
}

/** The text before the colon of every id of a key. */
const KEY_PREFIX = "key";

/** Why no key is ever requeued. */
export const KEY_REQUEUE_UNSAFE =
  "A key cannot be requeued, for nothing but a request of its client runs it. Forget the key, and the next retry executes again.";

/** Why a column of locks says what it says where the library takes none. */
export const NO_OWNER = "The library does not write which process works on a request.";

const LAST_TIME = "timestamp with time zone '9999-01-01 00:00Z'";
const FIRST_TIME = "timestamp with time zone '0001-01-01 00:00Z'";
const LAST_EPOCH_MS = "253370764800000";

/** A time moved by an interval; of `infinity`, or a year that nobody means, null: adding to it would break the whole list. */
export const movedTime = (time: string, sign: "+" | "-", interval: string): string =>
  `case when ${time} between ${FIRST_TIME} and ${LAST_TIME} then ${time} ${sign} ${interval} end`;

/** Milliseconds since 1970 as a time; a number that is no time is null, and breaks no list. */
export const epochTime = (column: string): string =>
  `case when ${column} between 0 and ${LAST_EPOCH_MS} then to_timestamp(${column} / 1000.0) end`;

const keyText = (rows: KeyRows): string => `'${KEY_PREFIX}:' || ${rows.id}`;

/** The id of a key, for the column `id`. */
export const keyId = (id: string): string => `'${KEY_PREFIX}:' || ${id}`;

const rowTest = ({ id, key }: KeyRows): string => `${id} = row_key${key === "text" ? "" : `::${key}`}`;

function stateOf(states: readonly StateRule<"keys">[]): string {
  const cases = states.map(({ state, when }) => `when ${when} then '${state}'`);
  return `case ${cases.join(" ")} else 'unknown' end`;
}

/** Forgets one key: deletes its row where the guard holds, so that the next retry executes again. */
export function forgetKey(rows: KeyRows, guard: string): ActionPart {
  return {
    prefix: KEY_PREFIX,
    key: rows.key,
    sql: `with taken as (
  select ${stateOf(rows.states)} as onceboard_was from ${rows.table}
  where ${rowTest(rows)} and (${guard}) for update skip locked
)
delete from ${rows.table} as row_of using taken where ${rowTest(rows)} and (${guard}) returning taken.onceboard_was, 'gone'`,
  };
}

/**
 * Frees the lock of one unfinished key.
 *
 * @param assignments what stands after SET
 * @param isNow the state that the key has then
 */
export function unlockKey(rows: KeyRows, guard: string, assignments: string, isNow: string): ActionPart {
  return {
    prefix: KEY_PREFIX,
    key: rows.key,
    sql: `with taken as (
  select ${stateOf(rows.states)} as onceboard_was from ${rows.table}
  where ${rowTest(rows)} and (${guard}) for update skip locked
)
update ${rows.table} as row_of set ${assignments}
from taken where ${rowTest(rows)} and (${guard}) returning taken.onceboard_was, '${isNow}'`,
  };
}

/** Deletes keys whose time is over; `guard` may use `before`. */
export function purgeKeys(rows: KeyRows, guard: string): PurgePart {
  return {
    sql: `with taken as (
  select ${rows.id} as onceboard_id, ${stateOf(rows.states)} as onceboard_was from ${rows.table}
  where ${guard} limit most for update skip locked
)
delete from ${rows.table} as row_of using taken where ${rows.id} = taken.onceboard_id and (${guard})
returning ${keyText(rows)}, taken.onceboard_was, 'gone'`,
  };
}

/** The response that a key replays. */
export function keyPayload(rows: KeyRows, codec: string, body: string): PayloadPart {
  return {
    prefix: KEY_PREFIX,
    key: rows.key,
    sql: `select '${codec}', ${body} from ${rows.table} where ${rowTest(rows)}`,
  };
}
