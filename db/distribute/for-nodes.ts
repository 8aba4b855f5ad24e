/** One function of the schema, as a file of db/ says it. */
export interface FunctionFile {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/**
 * The functions as a distributed database has them. They say what the files in db/ say; Citus plans some constructs of theirs only in
 * other words, which would cost time on one PostgreSQL (docs/scale/citus.md).
 */
export function forNodes(files: readonly FunctionFile[]): FunctionFile[] {
  return [...files.map((file) => ({ ...file, text: inOtherWords(file) })), ANSWER_DELAY];
}

function inOtherWords({ name, text }: FunctionFile): string {
  const rules: readonly (readonly [RegExp, string])[] = [
    // A place in a table names a row of every shard.
    [/\b(\w+)\.ctid = (\w+)\.at\b/g, "$1.id = $2.id"],
    [/\b(\w+)\.ctid = any \(array\(select (\w+)\.at\b/g, "$1.id = any (array(select $2.id"],
    [/\b\w+\.ctid as at, /g, ""],
    // One plan for all tenants is none for one shard.
    [/\bset plan_cache_mode = force_generic_plan\b/g, ""],
    ...(ASKS_TABLES.includes(name) ? AS_PROCEDURE : []),
    // A lease is judged by the time after the wait for its row; Citus takes no such time in an UPDATE.
    ...(name === "mark_sent" ? TIME_AT_START : []),
    ...(name === "record_events"
      ? [[DELAY, "onceboard.answer_delay(e.tenant_id, e.operation_id, e.at)"] as const]
      : []),
  ];
  return rules.reduce((words, [from, to]) => words.replace(from, to), text);
}

/** Functions in the language SQL that read distributed tables: their arguments reach no shard. */
const ASKS_TABLES: readonly string[] = [
  "client_measures",
  "metric_rows",
  "operation_overrides",
  "repeats",
  "suppressed_rows",
];
const AS_PROCEDURE: readonly (readonly [RegExp, string])[] = [
  [
    /\blanguage sql (?:stable|volatile) as \$\$/,
    "language plpgsql volatile as $$$$\n#variable_conflict use_column\nbegin return query",
  ],
  [/;?\s*\$\$;\s*$/, ";\nend $$$$;\n"],
];

const TIME_AT_START: readonly (readonly [RegExp, string])[] = [
  [/\$\$\nbegin\n/, "$$$$\ndeclare\n  v_now timestamptz := clock_timestamp();\nbegin\n"],
  [/(> |[^:]= )clock_timestamp\(\)/g, "$1v_now"],
];

/** A subquery that depends on a row of a document. */
const DELAY = /\(select \(extract\(epoch from e\.at - b\.at\)[^;]*?limit 1\)/;
const ANSWER_DELAY: FunctionFile = {
  file: "answer_delay",
  name: "answer_delay",
  text: `create or replace function onceboard.answer_delay(p_tenant text, p_operation_id uuid, p_at timestamptz) returns integer
language plpgsql stable as $$
begin
  return (select (extract(epoch from p_at - b.at) * 1000)::integer from onceboard.idempotency_events b
    where b.tenant_id = p_tenant and b.operation_id = p_operation_id and b.at < p_at
      and b.day between (p_at at time zone 'utc')::date - 3 and (p_at at time zone 'utc')::date
      and (b.outcome is not null or b.type = 'claimed')
    order by b.at desc limit 1);
end $$;`,
};
