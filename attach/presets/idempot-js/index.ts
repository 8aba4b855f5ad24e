import { definePreset, derived, notStored, stored, type StateRule } from "../../contract/preset";
import type { Table } from "../../contract/tables";
import {
  epochTime,
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

/** What it compares with: milliseconds, as it writes them, so that its index on them is used. */
const NOW_MS = "(extract(epoch from now()) * 1000)::bigint";

const columnsOf = (table: Table) => ({
  key: table.column("key"),
  status: table.column("status"),
  expires: table.column("expires_at"),
  responseStatus: table.column("response_status"),
});

/** When the request began: the row has only its end. */
const startOf = (table: Table, { keep }: Constants): string =>
  movedTime(`(${epochTime(table.column("expires_at"))})`, "-", keep);

const staleAt = (table: Table, constants: Constants): string =>
  movedTime(`(${startOf(table, constants)})`, "+", constants.stale_after);

function states(table: Table): readonly StateRule<"keys">[] {
  const { status, expires } = columnsOf(table);
  return [
    {
      state: "expired",
      when: `${expires} <= ${NOW_MS}`,
      says: "Its time is over: one of the next requests deletes it.",
    },
    { state: "done", when: `${status} = 'complete'`, says: "Complete: retries get the stored response." },
    {
      state: "in_progress",
      when: `${status} = 'processing'`,
      says: "Processing, or its process died: retries get 409.",
    },
  ];
}

export const idempotJs = definePreset<"records", keyof Constants>({
  id: "idempot-js",
  title: "idempot-js",
  versions: "@idempot/postgres-store 1.0 and 1.1",
  revision: 1,
  schema: "public",
  tables: {
    records: {
      name: "idempotency_records",
      needs: {
        key: "text",
        fingerprint: "text",
        status: "text",
        response_status: "integer",
        response_headers: "text",
        response_body: "text",
        expires_at: "integer",
      },
    },
  },
  constants: {
    keep: {
      kind: "interval",
      default: "24 hours",
      says: "`ttlMs` of the application, how long a key is kept; where routes differ, the shortest, so that no request is taken for older than it is.",
    },
    stale_after: {
      kind: "interval",
      says: "How long a request may take at most: one that is in progress for longer counts as stale, and its key may be forgotten.",
    },
  },
  notes: [
    "A row has no time of its own but its end, so the start of a request is worked out from `ttlMs`; a wrong one shifts every start.",
    "A request whose process died stays `processing` until its key expires, and retries get 409 until then.",
    "Forgetting a key deletes it: the next retry executes again. A request that still runs then cannot keep its response.",
    "Its columns of the same name are not those of @nestarc/idempotency, which calls its table `idempotency_records` too.",
  ],
  shape({ tables: { records }, constants }) {
    const { key, status, expires, responseStatus } = columnsOf(records);
    const rows: KeyRows = { table: records.sql, id: key, key: "text", states: states(records) };
    return {
      views: {
        keys: [
          {
            from: records.sql,
            columns: {
              id: stored(keyId(key)),
              tenant_ref: notStored("idempot-js knows no tenant; a key holds for all callers."),
              scope: notStored("idempot-js writes no route: a key holds for all of them."),
              key: stored(key),
              key_is_hashed: derived("false", "The key is kept as the client sent it."),
              fingerprint: stored(records.column("fingerprint")),
              raw_state: stored(status),
              http_status: stored(responseStatus),
              has_response: derived(`${responseStatus} is not null`, "A response is there when its status is."),
              response_codec: derived("'text'", "The body is kept as text, as it was sent."),
              created_at: derived(
                startOf(records, constants),
                "`expires_at` less the time that keys are kept, which was given.",
              ),
              updated_at: notStored("idempot-js does not write when a key changed."),
              completed_at: notStored("idempot-js does not write when a response was stored."),
              locked_by: notStored(NO_OWNER),
              locked_until: derived(
                `case when ${status} = 'processing' then ${staleAt(records, constants)} end`,
                "While it is in progress: its start and the longest time that a request may take, which was given. idempot-js itself waits for `expires_at`.",
              ),
              expires_at: derived(epochTime(expires), "Kept as milliseconds since 1970."),
              attempts: notStored("idempot-js runs a request once for a key."),
            },
            states: rows.states,
            order: [
              { sql: expires, type: "bigint" },
              { sql: key, type: "text" },
            ],
          },
        ],
      },
      payload: [keyPayload(rows, "text", `convert_to(${records.column("response_body")}, 'UTF8')`)],
      actions: {
        discard: [
          forgetKey(
            rows,
            `${status} = 'complete' or (${status} = 'processing' and (${staleAt(records, constants)}) < now())`,
          ),
        ],
        purge: [
          purgeKeys(rows, `${expires} <= (extract(epoch from least(greatest(before, 'epoch'), now())) * 1000)::bigint`),
        ],
      },
      unsafe: { requeue: KEY_REQUEUE_UNSAFE },
      indexes: [],
    };
  },
});
