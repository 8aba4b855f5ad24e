import {
  derived,
  notStored,
  stored,
  type ActionPart,
  type Constant,
  type PayloadPart,
  type PurgePart,
} from "../../contract/preset";
import type { Family, Table, TableSpec } from "../../contract/tables";

/** Columns of `event_publication` in every version, and of its archive. */
export const MODULITH_COLUMNS: Readonly<Record<string, Family>> = {
  id: "uuid",
  listener_id: "text",
  event_type: "text",
  serialized_event: "text",
  publication_date: "time",
  completion_date: "time",
};

/** Columns that version 2 added. */
export const MODULITH_V2_COLUMNS: Readonly<Record<string, Family>> = {
  status: "text",
  completion_attempts: "integer",
  last_resubmission_date: "time",
};

/** The table that listeners are served from, and the one that keeps what is completed where an application asks for it. */
export function modulithTables(
  columns: Pick<TableSpec, "needs" | "not">,
): Record<"publication" | "archive", TableSpec> {
  return {
    publication: { name: "event_publication", ...columns },
    archive: { name: "event_publication_archive", optional: true, ...columns },
  };
}

export const MODULITH_STALE_AFTER: Constant = {
  kind: "interval",
  says: "How long a listener may take at most: a publication that is younger is left alone, because its listener may still run. Spring Modulith has no such time unless it is configured.",
};

/** Columns of a view that no version stores more of than the other. */
export function modulithColumns(table: Table, prefix: string) {
  return {
    id: stored(`'${prefix}:' || ${table.column("id")}`),
    type: stored(table.column("event_type")),
    order_key: notStored("Spring Modulith promises no order, and keeps no key of one."),
    tenant_ref: notStored("Spring Modulith knows no tenant."),
    payload_codec: derived(
      "'json'",
      "Spring Modulith writes JSON unless the application brings a serializer of its own.",
    ),
  };
}

/** Columns of `outgoing`: a publication is what one listener is to be given. */
export function modulithOutgoing(table: Table, prefix: string) {
  return {
    ...modulithColumns(table, prefix),
    message_id: stored(table.column("id")),
    destination: stored(table.column("listener_id")),
    created_at: stored(table.time("publication_date")),
    locked_by: notStored("Spring Modulith does not write which process serves a listener."),
    locked_until: notStored("Spring Modulith takes no lock."),
    sent_at: stored(table.time("completion_date")),
    max_attempts: notStored("Spring Modulith tries once; how often it is resubmitted is up to the application."),
    last_error: notStored("What a listener failed with is in the log of the application, and not in this table."),
    headers: notStored("An event has no headers."),
    expires_at: notStored("Completed publications are kept until somebody deletes them."),
  };
}

export const modulithOrder = (table: Table) => [{ sql: table.column("id"), type: "uuid" }] as const;

export function modulithPayload(table: Table, prefix: string): PayloadPart {
  return {
    prefix,
    key: "uuid",
    sql: `select 'json', convert_to(${table.column("serialized_event")}, 'UTF8') from ${table.sql} where ${table.column("id")} = row_key::uuid`,
  };
}

/**
 * Forgets a publication whose listener can no longer run.
 *
 * @param guard which rows those are
 * @param was what a row is told to have been
 */
export function modulithDiscard(table: Table, guard: string, was: string): ActionPart {
  const id = table.column("id");
  return {
    prefix: "out",
    key: "uuid",
    sql: `with taken as (
  select ${id} as taken_id, ${was} as was from ${table.sql} where ${id} = row_key::uuid and ${guard} for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${id} = taken.taken_id and ${guard}
returning taken.was, 'gone'`,
  };
}

/** Deletes what the library's own clean-up of completed publications would delete. */
export function modulithPurge(table: Table, prefix: string, guard = "true"): PurgePart {
  const id = table.column("id");
  const old = `${table.time("completion_date")} < least(before, now()) and ${guard}`;
  return {
    sql: `with taken as (
  select ${id} as taken_id from ${table.sql} where ${old} limit most for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${id} = taken.taken_id and ${old}
returning '${prefix}:' || taken.taken_id, 'completed', 'gone'`,
  };
}
