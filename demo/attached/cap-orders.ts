import { CAP_TABLES } from "@/attach/presets/cap/fixtures";
import type { Queryable } from "@/db/client";

/** FailedRetryCount of the shop: how often a message is tried. */
export const CAP_MAX_ATTEMPTS = "5";
/** Its servers write times of this zone. */
export const CAP_ZONE = "UTC";

const SEEDED = 800;
/** Between two messages of the past. */
const GAP = "90 seconds";
const NOW = `(clock_timestamp() at time zone '${CAP_ZONE}')`;
/** A message that is done is kept so long, as CAP's own default is. */
const KEPT = "interval '1 day'";
const KEPT_FAILED = "interval '15 days'";
/** Times with more digits than there are rows in a millisecond, as CAP's own ids. */
const ID_SHIFT = 1_048_576;

const TABLES = [
  { table: "published", names: ["orders.paid", "orders.shipped", "orders.cancelled"], error: TIMEOUT() },
  { table: "received", names: ["payments.captured", "stock.reserved"], error: "FormatException-->The SKU has no dash" },
] as const;
type CapTable = (typeof TABLES)[number];

function TIMEOUT(): string {
  return "BrokerUnreachableException-->None of the endpoints was reachable";
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** @param n a number of the message, in SQL @param failed a predicate */
function content({ names, error }: CapTable, n: string, failed: string): string {
  const headers = (exception: string) =>
    `json_build_object('cap-msg-id', ${n}::text, 'cap-msg-name', ${nameOf(names, n)}${exception})`;
  const value = `json_build_object('orderId', 'A-' || (10000 + ${n} % 90000), 'amount', (5 + ${n} % 400)::text || '.00')`;
  const body = (exception: string) => `json_build_object('Headers', ${headers(exception)}, 'Value', ${value})::text`;
  return `case when ${failed} then ${body(`, 'cap-exception', ${quoted(error)}`)} else ${body("")} end`;
}

const nameOf = (names: readonly string[], n: string): string =>
  `(array[${names.map(quoted).join(", ")}])[1 + ${n} % ${String(names.length)}]`;

/** One row for each `n` and `at` of a relation. */
function insert(of: CapTable, from: string): string {
  const group = of.table === "received";
  return `insert into cap.${of.table} ("Id", "Version", "Name", "Content", "Retries", "Added", "ExpiresAt", "StatusName"${group ? ', "Group"' : ""})
select (extract(epoch from at) * 1000)::bigint * ${String(ID_SHIFT)} + n % ${String(ID_SHIFT)}, 'v1', ${nameOf(of.names, "n")}, ${content(of, "n", "status = 'Failed'")},
  case when status <> 'Failed' then 0 when n % 97 = 0 then ${CAP_MAX_ATTEMPTS} else 2 end, at,
  case status when 'Succeeded' then at + ${KEPT} when 'Failed' then at + ${KEPT_FAILED} when 'Delayed' then at + interval '2 hours' end, status${group ? ", 'billing'" : ""}
from (${from}) as message`;
}

/** What the shop's messages came to before the demo began, one of each kind among many that went well. */
const PAST = `select n, ${NOW} - n * interval '${GAP}' as at,
  case when n in (4, 7) then 'Delayed' when n % 97 = 0 or n % 41 = 0 then 'Failed' else 'Succeeded' end as status
from generate_series(1, ${String(SEEDED)}) n`;

/** CAP's tables with a day of messages. */
export async function fillCapOrders(owner: Queryable): Promise<void> {
  await owner.query({ text: `begin; ${CAP_TABLES} ${TABLES.map((of) => insert(of, PAST)).join(";")}; commit` });
}

/** As CAP goes on: a message comes in, those that wait are tried, those that failed again, and what was kept long enough goes. */
export async function capStep(owner: Queryable): Promise<void> {
  for (const of of TABLES) {
    const { table, error } = of;
    const exception = `jsonb_set("Content"::jsonb, '{Headers,cap-exception}', to_jsonb(${quoted(error)}::text))::text`;
    await owner.query({
      text: insert(of, `select (random() * 1000000)::integer as n, ${NOW} as at, 'Scheduled'::text as status`),
    });
    await owner.query({
      text: `with tried as materialized (
  select "Id" as id, random() as luck from cap.${table}
  where ("StatusName" = 'Scheduled' and "Added" < ${NOW} - interval '3 seconds')
    or ("StatusName" = 'Failed' and "Retries" < ${CAP_MAX_ATTEMPTS} and random() < 0.05)
    or ("StatusName" = 'Delayed' and "ExpiresAt" < ${NOW})
  for update skip locked
)
update cap.${table} as row_of set
  "StatusName" = case when luck < 0.06 then 'Failed' else 'Succeeded' end,
  "Retries" = "Retries" + case when luck < 0.06 then 1 else 0 end,
  "Content" = case when luck < 0.06 then ${exception} else "Content" end,
  "ExpiresAt" = ${NOW} + case when luck < 0.06 then ${KEPT_FAILED} else ${KEPT} end
from tried where row_of."Id" = tried.id`,
    });
    await owner.query({
      text: `delete from cap.${table} where "StatusName" in ('Succeeded', 'Failed') and "ExpiresAt" < ${NOW}`,
    });
  }
}
