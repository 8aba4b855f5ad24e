import type { KeyMap } from "@/attach/mapped-keys/key-map";
import type { Queryable } from "@/db/client";

const SEEDED = 600;
/** A request that dies holds its key: of so many one does. */
const DIES = 60;
/** Retries of a key are answered from the table for so long. */
const KEPT = "interval '1 day'";

/** The table that a team of an API made for itself. */
const TABLE = `create table api_requests (
  id bigint generated always as identity primary key,
  idempotency_key text not null, customer_id text not null, method text not null, path text not null, request_hash text not null,
  status text not null, response_code integer, response_body jsonb, locked_by text,
  created_at timestamptz not null default clock_timestamp(), completed_at timestamptz, expires_at timestamptz not null,
  unique (customer_id, idempotency_key))`;

export const KEYS_TABLE = "api_requests";

/** What its owner says of the columns. */
export const KEYS_MAP: KeyMap = {
  ...{ key: "idempotency_key", keyIsHashed: false, id: ["id"], tenant: "customer_id", scope: ["method", "path"] },
  ...{ fingerprint: "request_hash", status: "status", httpStatus: "response_code", response: "response_body" },
  ...{ created: "created_at", completed: "completed_at", lockedBy: "locked_by", expires: "expires_at" },
  inFlight: "status",
  states: { in_progress: ["started"], done: ["finished"], failed: ["failed"] },
};

const PATH = "(array['/v1/orders', '/v1/refunds', '/v1/payouts'])[1 + n % 3]";

/** One request for each `n` and `at` of a relation, with the status that it has there. */
const insert = (from: string): string => `insert into ${KEYS_TABLE}
  (idempotency_key, customer_id, method, path, request_hash, status, response_code, response_body, locked_by, created_at, completed_at, expires_at)
select gen_random_uuid()::text, 'customer-' || 1 + n % 40, 'POST', ${PATH}, md5(n::text), status,
  case status when 'finished' then 201 when 'failed' then 502 end,
  case status when 'finished' then jsonb_build_object('id', 'ord_' || n, 'total', (n % 300)::text || '.00') end,
  case when status = 'started' then 'api-' || 1 + n % 2 end,
  at, case when status <> 'started' then at + interval '400 milliseconds' end, at + ${KEPT}
from (${from}) as request`;

const PAST = `select n, clock_timestamp() - n * interval '2 minutes' as at,
  case when n % 150 = 0 then 'started' when n % 45 = 0 then 'failed' else 'finished' end as status
from generate_series(1, ${String(SEEDED)}) n`;

/** The table with most of a day of requests, some of which died on their way. */
export async function fillKeysApi(owner: Queryable): Promise<void> {
  await owner.query({ text: `begin; ${TABLE}; ${insert(PAST)}; commit` });
}

/** A request begins, those that run end but for the few whose process died, and what was kept long enough goes. */
export async function keysStep(owner: Queryable): Promise<void> {
  await owner.query({
    text: insert("select (random() * 1000000)::integer as n, clock_timestamp() as at, 'started'::text as status"),
  });
  await owner.query({
    text: `with ended as materialized (
  select id, random() as luck from ${KEYS_TABLE}
  where status = 'started' and created_at > clock_timestamp() - interval '1 minute' and created_at < clock_timestamp() - interval '1 second'
    and id % ${String(DIES)} <> 0
  for update skip locked
)
update ${KEYS_TABLE} as row_of set locked_by = null, completed_at = clock_timestamp(),
  status = case when luck < 0.04 then 'failed' else 'finished' end,
  response_code = case when luck < 0.04 then 502 else 201 end,
  response_body = case when luck >= 0.04 then jsonb_build_object('id', 'ord_' || row_of.id) end
from ended where row_of.id = ended.id`,
  });
  await owner.query({ text: `delete from ${KEYS_TABLE} where expires_at < clock_timestamp()` });
}
