import { definePreset, derived, notStored, stored, type StateRule } from "../../contract/preset";
import type { Table } from "../../contract/tables";
import { forgetKey, keyId, keyPayload, movedTime, NO_OWNER, purgeKeys, unlockKey, type KeyRows } from "../key-actions";

interface Constants {
  readonly lock_timeout: string;
  readonly keep: string;
}

const isFinished = (table: Table): string => `${table.column("recovery_point")} = 'finished'`;

/** A lock that the next request takes over. */
const lockEnd = (table: Table, { lock_timeout }: Constants): string =>
  movedTime(table.time("locked_at"), "+", lock_timeout);

function states(table: Table): readonly StateRule<"keys">[] {
  return [
    { state: "done", when: isFinished(table), says: "Finished: retries get the stored response." },
    {
      state: "in_progress",
      when: `${table.column("locked_at")} is not null`,
      says: "Locked by a request; a lock that is past its end belongs to a process that died.",
    },
    {
      state: "failed",
      when: `${table.column("recovery_point")} is not null`,
      says: "Its last attempt failed and freed the lock: the next request or the completer carries on where it stopped.",
    },
  ];
}

function columns(table: Table, constants: Constants) {
  const code = table.column("response_code");
  return {
    id: stored(keyId(table.column("id"))),
    tenant_ref: stored(table.column("user_id")),
    scope: derived(
      `${table.column("request_method")} || ' ' || ${table.column("request_path")}`,
      "Method and path of the first request.",
    ),
    key: stored(table.column("idempotency_key")),
    key_is_hashed: derived("false", "The key is kept as the client sent it."),
    fingerprint: notStored("Requests are compared by their parameters, which are kept whole."),
    raw_state: stored(table.column("recovery_point")),
    http_status: stored(code),
    has_response: derived(`${code} is not null`, "A response is there when its code is."),
    response_codec: derived("'json'", "The body is a JSON column."),
    created_at: stored(table.time("created_at")),
    updated_at: derived(table.time("last_run_at"), "`last_run_at`: when the last attempt began."),
    completed_at: notStored("The table does not say when a request finished, only when its last attempt began."),
    locked_by: notStored(NO_OWNER),
    locked_until: derived(
      `case when not (${isFinished(table)}) then ${lockEnd(table, constants)} end`,
      "`locked_at` and the time after which a lock counts as left behind, which was given.",
    ),
    expires_at: derived(
      movedTime(table.time("created_at"), "+", constants.keep),
      "`created_at` and the time that keys are kept, which was given: then the reaper deletes it, finished or not.",
    ),
    attempts: notStored("The table counts no attempts."),
  };
}

export const brandur = definePreset<"keys", keyof Constants>({
  id: "brandur",
  title: "Keys with recovery points (Brandur)",
  versions: "idempotency_keys of rocket-rides-atomic",
  revision: 2,
  schema: "public",
  tables: {
    keys: {
      name: "idempotency_keys",
      needs: {
        id: "integer",
        created_at: "time",
        idempotency_key: "text",
        last_run_at: "time",
        locked_at: "time",
        request_method: "text",
        request_path: "text",
        response_code: "integer",
        response_body: "json",
        recovery_point: "text",
        user_id: "any",
      },
      may: { request_params: "json" },
    },
  },
  constants: {
    lock_timeout: {
      kind: "interval",
      default: "90 seconds",
      says: "`IDEMPOTENCY_KEY_LOCK_TIMEOUT` of the application: after that a lock counts as left behind.",
    },
    keep: {
      kind: "interval",
      default: "72 hours",
      says: "`IDEMPOTENCY_KEY_REAP_TIMEOUT` of the application: how long the reaper keeps a key.",
    },
  },
  notes: [
    "Requeueing here frees a lock that a dead process left behind. It runs nothing: the next request of the client, or the completer, carries on from the recovery point.",
    "Only a finished key is forgotten, and the next retry of it executes again. Forgetting an unfinished one would lose its recovery point, and with it what was done already.",
    "The reaper deletes unfinished keys as well; purging here deletes finished ones only.",
    "A table that refers to a key without `on delete set null` keeps it from being deleted.",
  ],
  shape({ tables: { keys }, constants }) {
    const id = keys.column("id");
    const rows: KeyRows = { table: keys.sql, id, key: "bigint", states: states(keys) };
    const body = keys.column("response_body");
    const isStale = `not (${isFinished(keys)}) and (${lockEnd(keys, constants)}) < now()`;
    const isOver = `(${movedTime(keys.time("created_at"), "+", constants.keep)}) < now()`;
    return {
      views: {
        keys: [
          {
            from: keys.sql,
            columns: columns(keys, constants),
            states: rows.states,
            order: [{ sql: id, type: "bigint" }],
          },
        ],
      },
      payload: [keyPayload(rows, "json", `convert_to(${body}::text, 'UTF8')`)],
      actions: {
        requeue: [unlockKey(rows, isStale, `${keys.column("locked_at")} = null`, "failed")],
        discard: [forgetKey(rows, isFinished(keys))],
        purge: [purgeKeys(rows, `${isFinished(keys)} and ${isOver} and ${keys.time("created_at")} < before`)],
      },
      unsafe: {},
      indexes: [],
    };
  },
});
