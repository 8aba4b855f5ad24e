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
  readonly keep: string;
  readonly stale_after: string;
}

/** Status and fingerprint stand first in what the library writes; the rest is the response. */
const SEARCHED_CHARACTERS = 1_000;

/** What stands between quotation marks at a place of the data, found without reading it as JSON: one that is none breaks no list. */
const quoted = (table: Table, place: number): string =>
  `split_part(left(${table.column("data")}, ${String(SEARCHED_CHARACTERS)}), '"', ${String(place)})`;

/** `{"status":"COMPLETE","fingerPrint":"…"`: by marks, since a search for a pattern in each of fifty rows takes longer than to read them. */
const beginsWithStatus = (table: Table): string =>
  `btrim(${quoted(table, 1)}) = '{' and ${quoted(table, 2)} = 'status' and btrim(${quoted(table, 3)}) = ':'`;

const statusOf = (table: Table): string =>
  `(case when ${beginsWithStatus(table)} then nullif(${quoted(table, 4)}, '') end)`;

const fingerprintOf = (table: Table): string =>
  `(case when ${beginsWithStatus(table)} and ${quoted(table, 6)} = 'fingerPrint' and btrim(${quoted(table, 7)}) = ':' then nullif(${quoted(table, 8)}, '') end)`;

/** A key that was used again after its time keeps its first `created_at`: then only its end says when the last request began. */
const writtenAt = (table: Table, { keep }: Constants): string =>
  `greatest(${table.time("created_at")}, ${movedTime(table.time("expires_at"), "-", keep)})`;

const staleAt = (table: Table, constants: Constants): string =>
  movedTime(writtenAt(table, constants), "+", constants.stale_after);

function states(table: Table): readonly StateRule<"keys">[] {
  return [
    {
      state: "expired",
      when: `${table.time("expires_at")} < now()`,
      says: "Its time is over: the next request with this key executes again.",
    },
    {
      state: "done",
      when: `${statusOf(table)} = 'COMPLETE'`,
      says: "Complete: retries get the stored response or error.",
    },
    {
      state: "in_progress",
      when: `${statusOf(table)} = 'IN_PROGRESS'`,
      says: "In progress, or its process died: retries are refused.",
    },
  ];
}

function columns(table: Table, constants: Constants) {
  const key = table.column("key");
  const method = `substring(${key} from '^[^:]*:([A-Za-z]+):')`;
  const path = `substring(${key} from '^[^:]*:[A-Za-z]+:(.*):[^:]*$')`;
  const status = statusOf(table);
  return {
    id: stored(keyId(key)),
    tenant_ref: notStored("node-idempotency knows no tenant; a key holds for all callers of a route."),
    scope: derived(
      `${method} || ' ' || ${path}`,
      "Method and path, which stand before the last colon of the stored key.",
    ),
    key: derived(
      `case when ${path} is null then ${key} else substring(${key} from '[^:]*$') end`,
      "What stands behind the last colon of the stored key: of a key with a colon in it only the end.",
    ),
    key_is_hashed: derived("false", "The key is kept as the client sent it."),
    fingerprint: derived(fingerprintOf(table), "It is a part of the data; a request without a body has none."),
    raw_state: derived(status, "The status at the beginning of the data."),
    http_status: notStored("It is a part of the data, behind the body: the response has it."),
    has_response: derived(`${status} = 'COMPLETE'`, "Complete data has a response or an error."),
    response_codec: derived("'json'", "The library writes JSON."),
    created_at: stored(table.time("created_at")),
    updated_at: derived(
      writtenAt(table, constants),
      "`expires_at` less the time that keys are kept, which was given: when the data was written last.",
    ),
    completed_at: derived(
      `case when ${status} = 'COMPLETE' then ${writtenAt(table, constants)} end`,
      "Of a complete key: when its data was written last.",
    ),
    locked_by: notStored(NO_OWNER),
    locked_until: derived(
      `case when ${status} = 'IN_PROGRESS' then ${staleAt(table, constants)} end`,
      "While it is in progress: its start and the longest time that a request may take, which was given. The library itself waits for `expires_at`.",
    ),
    expires_at: stored(table.time("expires_at")),
    attempts: notStored("The library does not count requests of a key."),
  };
}

export const nodeIdempotency = definePreset<"keys", keyof Constants>({
  id: "node-idempotency",
  title: "node-idempotency",
  versions: "@node-idempotency/postgres-adapter 1.0",
  revision: 2,
  schema: "node_idempotency",
  tables: {
    keys: { name: "idempotency", needs: { key: "text", created_at: "time", data: "text", expires_at: "time" } },
  },
  constants: {
    keep: {
      kind: "interval",
      default: "24 hours",
      says: "`cacheTTLMS` of the application, how long a key is kept; where routes differ, the shortest, so that no request is taken for older than it is.",
    },
    stale_after: {
      kind: "interval",
      says: "How long a request may take at most: one that is in progress for longer counts as stale, and its key may be forgotten.",
    },
  },
  notes: [
    "The table is unlogged unless the application said otherwise: after a crash of the database it is empty, and every retry executes again.",
    "A key that is used again after its time keeps its first `created_at`; the start of a request is then worked out from `cacheTTLMS`.",
    "Forgetting a key deletes it: the next retry executes again. The library knows no owner, so a request that still runs then writes its response under the key once more.",
    "The status of a response stands behind its body, so no list shows it.",
  ],
  shape({ tables: { keys }, constants }) {
    const key = keys.column("key");
    const rows: KeyRows = { table: keys.sql, id: key, key: "text", states: states(keys) };
    const stale = `${statusOf(keys)} = 'IN_PROGRESS' and ${staleAt(keys, constants)} < now()`;
    return {
      views: {
        keys: [
          {
            from: keys.sql,
            columns: columns(keys, constants),
            states: rows.states,
            order: [
              { sql: keys.column("expires_at"), type: "timestamp with time zone" },
              { sql: key, type: "text" },
            ],
          },
        ],
      },
      payload: [keyPayload(rows, "json", `convert_to(${keys.column("data")}, 'UTF8')`)],
      actions: {
        discard: [forgetKey(rows, `${statusOf(keys)} = 'COMPLETE' or (${stale})`)],
        purge: [purgeKeys(rows, `${keys.time("expires_at")} < least(before, now())`)],
      },
      unsafe: { requeue: KEY_REQUEUE_UNSAFE },
      indexes: [],
    };
  },
});
