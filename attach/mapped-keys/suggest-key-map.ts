import {
  isOfFamily,
  sameName,
  type Family,
  type FoundColumn,
  type FoundTable,
  RESERVED_COLUMNS,
} from "../contract/tables";
import { keyMap, type KeyMap } from "./key-map";

/** A guess at a map, and why, in one sentence. */
interface SuggestedKeyMap {
  readonly map: KeyMap;
  readonly because: string;
}

/** Names that say of themselves that they are a key of idempotency. */
const SURE_KEYS = [
  ...["idempotency_key", "idempotent_key", "idempotency_id", "idem_key", "idempotency_token"],
  ...["idempotency_key_hash", "hashed_key", "key_hash", "key_digest"],
];
/** Names that many tables have. */
const LIKELY_KEYS = ["key", "request_key", "request_id", "dedupe_key", "deduplication_key", "digest"];
const HASHED = /hash|digest/;
const TABLE_OF_KEYS = /idem|dedup|requestkeys?$|processedrequests?$/;

const TEXT_LIKE: readonly Family[] = ["text", "uuid"];
const TIME_LIKE: readonly Family[] = ["time", "integer"];
const REFERENCE = /^(payment|order|charge|transaction|invoice|booking|transfer|refund|resource|result|entity)id$/;

/** What the usual columns are called, the likeliest first. */
const NAMES = {
  tenant: [
    ...[
      "tenant_id",
      "tenant",
      "organization_id",
      "organisation_id",
      "org_id",
      "account_id",
      "customer_id",
      "merchant_id",
    ],
    ...["user_id", "owner_id", "client_id", "workspace_id", "company_id", "api_key_id", "owner", "tenant_ref"],
  ],
  operation: ["scope", "operation", "action", "endpoint", "route", "operation_name", "command", "resource_type"],
  method: ["method", "http_method", "request_method", "verb"],
  path: ["path", "request_path", "http_path", "url", "uri", "request_url"],
  fingerprint: [
    ...["request_hash", "fingerprint", "request_fingerprint", "payload_hash", "body_hash", "hash", "checksum"],
    ...["params_hash", "request_digest", "request_checksum", "content_hash"],
  ],
  status: ["status", "state", "recovery_point", "request_status", "processing_status"],
  httpStatus: [
    "response_status",
    "status_code",
    "response_code",
    "http_status",
    "response_status_code",
    "http_status_code",
    "status",
  ],
  response: [
    ...["response_body", "response", "response_json", "response_data", "response_payload", "cached_response", "body"],
    ...["result", "result_json", "response_snapshot", "output"],
  ],
  created: [
    "created_at",
    "created",
    "inserted_at",
    "created_on",
    "first_seen_at",
    "created_time",
    "started_at",
    "timestamp",
  ],
  updated: ["updated_at", "updated", "last_run_at", "modified_at", "last_seen_at", "updated_on"],
  completed: ["completed_at", "finished_at", "processed_at", "completed_on", "done_at", "responded_at"],
  lockedBy: ["locked_by", "lock_owner", "owner_token", "worker_id", "lock_token"],
  lockedUntil: ["locked_until", "lock_expires_at", "lease_until", "lease_expires_at", "lock_until"],
  lockedAt: ["locked_at", "lock_acquired_at", "processing_started_at", "claimed_at"],
  expires: ["expires_at", "expire_at", "expiry", "expires", "expires_on", "expiration", "ttl_at", "valid_until"],
  attempts: ["attempts", "attempt_count", "retry_count", "retries", "attempt"],
} as const;

/** What hand-made tables call the three states. */
const USUAL_KEY_STATES = {
  in_progress: ["processing", "in_progress", "in-progress", "inprogress", "pending", "started", "running", "locked"],
  done: ["completed", "complete", "done", "finished", "succeeded", "success", "processed"],
  failed: ["failed", "failure", "error", "errored"],
};

type Find = (names: readonly string[], families: readonly Family[]) => string | undefined;

/**
 * Guesses which column of a table is what.
 *
 * @returns nothing for a table that is none of keys: a payment with a key of its own is still a payment
 */
export function suggestKeyMap(table: FoundTable): SuggestedKeyMap | undefined {
  const { columns } = table;
  if (columns.some(({ name }) => RESERVED_COLUMNS.has(name))) return undefined;
  const find = finder(columns);
  const text: readonly Family[] = TEXT_LIKE;
  const sure = find(SURE_KEYS, text);
  const key = sure ?? find(LIKELY_KEYS, text);
  if (key === undefined) return undefined;
  const parts = partsOf(columns, find, key);
  const named = TABLE_OF_KEYS.test(sameName(table.name));
  const kept = [parts.response, parts.fingerprint, parts.httpStatus].filter((name) => name !== undefined).length;
  // A name alone is not enough, and neither is a column that many tables have.
  const enough = named
    ? kept > 0 || parts.reference !== undefined || parts.status !== undefined
    : kept > (sure ? 0 : 1);
  if (!enough) return undefined;
  const inFlight = inFlightOf(parts);
  const map = keyMap.parse({
    ...parts,
    key,
    keyIsHashed: HASHED.test(key.toLowerCase()),
    id: idOf(columns, key, parts),
    inFlight,
    states: inFlight === "status" ? USUAL_KEY_STATES : undefined,
  });
  return { map, because: reasonOf(table, map) };
}

function finder(columns: readonly FoundColumn[]): Find {
  return (names, families) => {
    for (const name of names) {
      const found = columns.find((column) => sameName(column.name) === sameName(name));
      if (found !== undefined && families.some((family) => isOfFamily(found.type, family))) return found.name;
    }
    return undefined;
  };
}

/** An enum has a type of its own name; what no family of types has may be one. */
const isStatusText = ({ type }: FoundColumn): boolean =>
  !(["integer", "time", "boolean", "bytes", "array"] as const).some((family) => isOfFamily(type, family)) &&
  !/^(json|jsonb|uuid|numeric|date)/.test(type);

function partsOf(columns: readonly FoundColumn[], find: Find, key: string) {
  const free = columns.filter(({ name }) => name !== key);
  const scope = [find(NAMES.operation, ["text"]), find(NAMES.method, ["text"]), find(NAMES.path, ["text"])];
  const response = find(NAMES.response, ["json", "bytes"]);
  return {
    tenant: find(NAMES.tenant, ["text", "uuid", "integer"]),
    scope: scope.filter((name) => name !== undefined),
    fingerprint: find(NAMES.fingerprint, ["text", "bytes"]),
    status: finder(free.filter(isStatusText))(NAMES.status, ["any"]),
    // An integer that is called status is the status of the response.
    httpStatus: find(NAMES.httpStatus, ["integer"]),
    response,
    reference: response === undefined ? free.find(({ name }) => REFERENCE.test(sameName(name)))?.name : undefined,
    created: find(NAMES.created, TIME_LIKE),
    updated: find(NAMES.updated, TIME_LIKE),
    completed: find(NAMES.completed, TIME_LIKE),
    lockedBy: find(NAMES.lockedBy, ["text", "uuid", "integer"]),
    lockedUntil: find(NAMES.lockedUntil, TIME_LIKE),
    lockedAt: find(NAMES.lockedAt, TIME_LIKE),
    expires: find(NAMES.expires, TIME_LIKE),
    attempts: find(NAMES.attempts, ["integer"]),
  };
}

type Parts = ReturnType<typeof partsOf>;

/** A hash of the request is written before there is a response; a table without one is a cache of what is done. */
function inFlightOf({ status, fingerprint, response, httpStatus, completed }: Parts): KeyMap["inFlight"] {
  if (status !== undefined) return "status";
  if (completed !== undefined) return "no_response";
  return fingerprint !== undefined && (response ?? httpStatus) !== undefined ? "no_response" : "no_row";
}

/** A key names a row only together with whose it is and what it is for, unless the row has a name of its own. */
function idOf(columns: readonly FoundColumn[], key: string, { tenant, scope }: Parts): readonly string[] {
  const own = columns.find(
    ({ name, type }) => sameName(name) === "id" && (isOfFamily(type, "integer") || isOfFamily(type, "uuid")),
  );
  if (own !== undefined) return [own.name];
  return [...(tenant === undefined ? [] : [tenant]), ...scope, key];
}

const IN_FLIGHT_SAYS: Readonly<Record<KeyMap["inFlight"], (map: KeyMap) => string>> = {
  status: ({ status }) => `${status ?? ""} says what runs and what is done`,
  no_response: ({ response, httpStatus, completed }) =>
    `what runs has no ${response ?? httpStatus ?? completed ?? ""} yet`,
  no_row: () => "a row is there when the request is done, so work in flight leaves no row",
};

function reasonOf(table: FoundTable, map: KeyMap): string {
  const others = [map.fingerprint, map.status, map.httpStatus, map.response, map.reference, map.expires];
  const beside = [...new Set(others.filter((name) => name !== undefined))].join(", ");
  return `${table.schema}.${table.name} has ${map.key} as its key, with ${beside}; ${IN_FLIGHT_SAYS[map.inFlight](map)}.`;
}
