import { MAX_PURGED_ROWS } from "@/domain/attachments/acts";
import type { ActionPart, PayloadPart, PurgePart, RowPart } from "../contract/preset";
import { quoteName, quoteText } from "../contract/tables";

/** A row that somebody works on is not waited for. */
const LOCK_TIMEOUT = "2s";
/** Of a payload that is shown; what is longer is cut, and said to be. */
export const MAX_PAYLOAD_BYTES = 262_144;

/**
 * How a key has to look before it is cast: what looks otherwise names no row. Not each number of 19 digits is a bigint, and an id that
 * is made of the time has as many.
 */
const KEY_TEST: Readonly<Record<RowPart["key"], string>> = {
  bigint:
    "(case when row_key ~ '^-?[0-9]{1,19}$' then row_key::numeric between -9223372036854775808 and 9223372036854775807 else false end)",
  uuid: "row_key ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'",
  text: "row_key ~ '^.+$'",
};

/** The owner's rights and nobody's search path: whoever may execute it can do what stands in it and no more. */
const GUARDS = `security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '${LOCK_TIMEOUT}'`;

/** A guarded change of one row, named by its id: it returns what the row was and is, and no row when somebody was first. */
export function actionSql(schema: string, name: "requeue" | "discard", parts: readonly ActionPart[]): string {
  const statement = ({ sql }: ActionPart): string => `with done(was, is_now) as (
${indent(sql, 6)}
    ) select wanted, done.was::text, done.is_now::text from done`;
  return rowFunctionSql(schema, name, "id text, was text, is_now text", "volatile", parts, statement);
}

/** Deletes rows that the library itself would delete, at most {@link MAX_PURGED_ROWS} in a call. */
export function purgeSql(schema: string, parts: readonly PurgePart[]): string {
  const deletions = parts.map(
    ({ sql }) => `  most := rows_left;
  if most > 0 then
    return query with done(id, was, is_now) as (
${indent(sql, 6)}
    ) select done.id::text, done.was::text, done.is_now::text from done;
    get diagnostics gone = row_count;
    rows_left := rows_left - gone;
  end if;`,
  );
  return `create function ${quoteName(schema)}.purge(before timestamp with time zone, limit_rows integer)
returns table (id text, was text, is_now text)
language plpgsql
volatile
${GUARDS}
as $onceboard$
#variable_conflict use_column
declare
  rows_left integer := least(greatest(limit_rows, 0), ${String(MAX_PURGED_ROWS)});
  most integer;
  gone integer;
begin
${deletions.join("\n")}
end
$onceboard$;`;
}

/** The payload of one row, when somebody asks for it: never in a list. */
export function payloadSql(schema: string, parts: readonly PayloadPart[]): string {
  const statement = ({ sql }: PayloadPart): string => `select found.codec::text,
      substring(found.body from 1 for ${String(MAX_PAYLOAD_BYTES)}), octet_length(found.body)::bigint from (
${indent(sql, 6)}
    ) as found(codec, body)`;
  return rowFunctionSql(schema, "payload", "codec text, body bytea, bytes bigint", "stable", parts, statement);
}

/** A function of the row that `wanted` names: the part with its prefix answers, and an id that is none has no row. */
function rowFunctionSql<Part extends RowPart>(
  schema: string,
  name: string,
  returns: string,
  volatility: "volatile" | "stable",
  parts: readonly Part[],
  statement: (part: Part) => string,
): string {
  const branches = parts.map((part) => `${rowTest(part)}\n    return query ${statement(part)};`);
  return `create function ${quoteName(schema)}.${name}(wanted text)
returns table (${returns})
language plpgsql
${volatility}
${GUARDS}
as $onceboard$
#variable_conflict use_column
declare
  row_key text := substr(wanted, strpos(wanted, ':') + 1);
begin
  ${branches.join("\n  els")}
  end if;
end
$onceboard$;`;
}

function rowTest({ prefix, key }: RowPart): string {
  const starts = `starts_with(wanted, ${quoteText(`${prefix}:`)})`;
  return `if ${starts} and ${KEY_TEST[key]} then`;
}

function indent(sql: string, by: number): string {
  return sql
    .trim()
    .split("\n")
    .map((line) => `${" ".repeat(by)}${line}`)
    .join("\n");
}
