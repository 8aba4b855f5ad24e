import { SAID_BYTES, SAID_COUNT, isBytes, isCount, type RowMeaning } from "./meanings";
import { KEPT_SQL } from "./purge-world";

/**
 * What every sentence of the retention page about a purge means, over what stands in the tables (`k`), never over what the preview counted.
 * `c` is what the sentence captured.
 */
const count = (where: string): string => `(select count(*) from k where ${where})`;
const bodies = "(select coalesce(sum(bodies), 0) from k where goes)";
const bytes = "(select coalesce(sum(bytes), 0) from k where goes)";
const none = (where: string): string => `not exists (select from k where ${where})`;
const LOSES = "goes and replays";
/** A count that was stopped says at least so much. */
const freed = (at: number, more: number): string =>
  `case when c[${String(more)}] is null then ${isBytes(`c[${String(at)}]`, `c[${String(at + 1)}]`, bytes)} else ${bytes} > 0 end`;

/** More stands there than a preview looks at, or it was stopped before its end. */
const PARTLY = "p.stopped or (select count(*) from k where old) >= 10000";

export const PURGE_ORACLE: readonly RowMeaning[] = [
  [String.raw`^What has expired could not be counted in time\.$`, "p.stopped"],
  [String.raw`^Not counted: the purge works in batches and says what it did\.$`, "p.stopped"],
  [String.raw`^Effect: Expired command and answer bodies are removed for good, in batches\.$`, "p.stopped"],
  [String.raw`^Not all of their keys were looked at: some may lose byte-equal replay\.$`, PARTLY],
  [String.raw`^Skipped: What is in progress, unknown or may run again\.$`, PARTLY],
  // What the page opens with.
  [String.raw`^(?:Not offered: )?Nothing can be purged\.$`, none("goes")],
  [
    String.raw`^${SAID_COUNT} bod(?:y|ies) can be purged, ${SAID_BYTES}( or more)?\.$`,
    `${isCount("c[1]", bodies)} and ${freed(2, 4)}`,
  ],
  [String.raw`^No byte-equal replay is lost\.$`, none(LOSES)],
  [String.raw`^${SAID_COUNT} keys? loses? byte-equal replay\.$`, isCount("c[1]", count(LOSES))],
  [String.raw`^${SAID_COUNT} skipped, still open\.$`, isCount("c[1]", count("old and open"))],
  [String.raw`^${SAID_COUNT} skipped, may run again\.$`, isCount("c[1]", count("old and again"))],
  // What stands over the button.
  [String.raw`^Frees ${SAID_BYTES}( or more)?\.$`, freed(1, 3)],
  [String.raw`^${SAID_COUNT} keys? would answer without the stored bytes\.$`, isCount("c[1]", count(LOSES))],
  // What the dialog says.
  [
    String.raw`^Effect: ${SAID_COUNT} bod(?:y|ies) of ${SAID_COUNT} operations?, ${SAID_BYTES}( or more)?, (?:is|are) removed for good, in batches\.$`,
    `${isCount("c[1]", bodies)} and ${isCount("c[2]", count("goes"))} and ${freed(3, 5)}`,
  ],
  [String.raw`^Byte-equal replay is lost for ${SAID_COUNT} keys?\.$`, isCount("c[1]", count(LOSES))],
  [String.raw`^Skipped: None\.$`, none("old and not goes")],
  [
    String.raw`^Skipped: ${SAID_COUNT}, because (?:it is|they are) in progress or unknown\.$`,
    isCount("c[1]", count("old and open")),
  ],
  [
    String.raw`^Skipped: ${SAID_COUNT}, because (?:its key|their keys) may run again\.$`,
    isCount("c[1]", count("old and again")),
  ],
];

/** $1 tenant, $2 what the sentence captured, $3 whether the preview was stopped. */
export const purgeQuery = (sql: string): string =>
  `with ${KEPT_SQL} select coalesce((${sql}), false) as holds from (select $2::text[] as c, $3::boolean as stopped) p`;

/** What the preview counts, from the tables. */
export const PREVIEW_SQL = `with ${KEPT_SQL}
select ${count("goes")}::int as "operations", ${bodies}::int as "bodyRows", ${bytes}::text as "bytes", ${count(LOSES)}::int as "losingReplay",
  ${count("old and open")}::int as "skippedOpen", ${count("old and again")}::int as "mayRunAgain",
  (select array_agg(operation_id::text) from (select operation_id from k where ${LOSES} order by kept, operation_id limit 5) l) as losing,
  (select array_agg(operation_id::text order by operation_id) from k where goes) as going,
  (select array_agg(operation_id::text order by operation_id) from k where not goes) as staying`;
