import { definePreset, derived, notStored, stored, type StateRule } from "../../contract/preset";
import type { Table } from "../../contract/tables";
import {
  forgetKey,
  KEY_REQUEUE_UNSAFE,
  keyId,
  keyPayload,
  movedTime,
  NO_OWNER,
  purgeKeys,
  type KeyRows,
} from "../key-actions";

interface Constants {
  readonly stale_after: string;
}

/** How newer versions write a key: a hash over the route and what the client sent. */
const HASHED = "'@nestarc/idempotency:key:v1:'";

function states(table: Table): readonly StateRule<"keys">[] {
  const status = table.column("status");
  return [
    {
      state: "expired",
      when: `${table.time("expires_at")} <= now()`,
      says: "Its time is over: the next request with this key executes again.",
    },
    { state: "done", when: `${status} = 'COMPLETED'`, says: "Completed: retries get the stored response." },
    {
      state: "in_progress",
      when: `${status} = 'PROCESSING'`,
      says: "Processing, or its process died: retries get 409.",
    },
  ];
}

const staleAt = (table: Table, { stale_after }: Constants): string =>
  `least(${table.time("expires_at")}, ${movedTime(table.time("created_at"), "+", stale_after)})`;

function columns(table: Table, constants: Constants) {
  const key = table.column("key");
  const status = table.column("status");
  const cut = `strpos(${key}, '::')`;
  const isCut = `not starts_with(${key}, ${HASHED}) and ${cut} > 0`;
  return {
    id: stored(keyId(key)),
    tenant_ref: notStored("The library knows no tenant; an application may make it a part of the scope."),
    scope: derived(
      `case when ${isCut} then left(${key}, ${cut} - 1) end`,
      "What stands before the first :: of the stored key; a key that is hashed or holds for all routes has none.",
    ),
    key: derived(
      `case when ${isCut} then substr(${key}, ${cut} + 2) else ${key} end`,
      "What stands behind the first :: of the stored key, or all of it.",
    ),
    key_is_hashed: derived(`starts_with(${key}, ${HASHED})`, "Newer versions keep a hash and mark it so."),
    fingerprint: stored(table.column("fingerprint")),
    raw_state: stored(status),
    http_status: stored(table.column("response_code")),
    has_response: derived(`${status} = 'COMPLETED'`, "A completed request has a response, which may have no body."),
    response_codec: derived("'json'", "The library writes JSON."),
    created_at: stored(table.time("created_at")),
    updated_at: notStored("The library does not write when a key changed."),
    completed_at: notStored("The library does not write when a response was stored."),
    locked_by: notStored(`${NO_OWNER} Its token tells owners apart, and names none.`),
    locked_until: derived(
      `case when ${status} = 'PROCESSING' then ${staleAt(table, constants)} end`,
      "While it is in progress: when another request may take the key over, or its start and the longest time that a request may take, whichever is first.",
    ),
    expires_at: stored(table.time("expires_at")),
    attempts: notStored("The library does not count requests of a key."),
  };
}

export const nestarcIdempotency = definePreset<"records", keyof Constants>({
  id: "nestarc-idempotency",
  title: "@nestarc/idempotency",
  versions: "@nestarc/idempotency 0.2 to 0.4",
  revision: 1,
  schema: "public",
  tables: {
    records: {
      name: "idempotency_records",
      needs: {
        key: "text",
        token: "uuid",
        fingerprint: "text",
        status: "text",
        response_code: "integer",
        response_body: "text",
        created_at: "time",
        expires_at: "time",
      },
      may: { response_headers: "json" },
    },
  },
  constants: {
    stale_after: {
      kind: "interval",
      says: "How long a request may take at most: one that is in progress for longer counts as stale, and its key may be forgotten.",
    },
  },
  notes: [
    "A request whose process died stays `PROCESSING` until `expires_at`; without `processingTtl` that is as long as responses are kept.",
    "A request that fails deletes its key, so failed requests leave no row.",
    "Forgetting a key deletes it: the next retry executes again. The token of a request that still runs then fits no row, and its response is not kept.",
    "A key that holds for all routes and has :: in it is shown as if its beginning were a scope.",
  ],
  shape({ tables: { records }, constants }) {
    const key = records.column("key");
    const status = records.column("status");
    const expires = records.time("expires_at");
    const rows: KeyRows = { table: records.sql, id: key, key: "text", states: states(records) };
    const stale = `${status} = 'PROCESSING' and ${staleAt(records, constants)} < now()`;
    return {
      views: {
        keys: [
          {
            from: records.sql,
            columns: columns(records, constants),
            states: rows.states,
            order: [
              { sql: records.column("expires_at"), type: "timestamp with time zone" },
              { sql: key, type: "text" },
            ],
          },
        ],
      },
      payload: [keyPayload(rows, "json", `convert_to(${records.column("response_body")}, 'UTF8')`)],
      actions: {
        discard: [forgetKey(rows, `${status} = 'COMPLETED' or (${stale})`)],
        purge: [purgeKeys(rows, `${expires} < least(before, now())`)],
      },
      unsafe: { requeue: KEY_REQUEUE_UNSAFE },
      indexes: [],
    };
  },
});
