import { definePreset, derived, notStored, stored, type ActionPart, type ViewPart } from "../../contract/preset";
import type { Table } from "../../contract/tables";
import {
  MODULITH_COLUMNS,
  MODULITH_STALE_AFTER,
  MODULITH_V2_COLUMNS,
  modulithColumns,
  modulithDiscard,
  modulithOrder,
  modulithOutgoing,
  modulithPayload,
  modulithPurge,
  modulithTables,
} from "../modulith-v1/publication";

const DEAD_SAYS =
  "FAILED, ABANDONED, or without a status since version 1 wrote it: nobody tries again until the application resubmits it.";

const isDead = (table: Table): string =>
  `(${table.column("status")} in ('FAILED', 'ABANDONED') or (${table.column("status")} is null and ${table.column("completion_date")} is null))`;

function outgoing(table: Table, prefix: string): ViewPart<"outgoing"> {
  const [status, completion] = [table.column("status"), table.column("completion_date")];
  return {
    from: table.sql,
    columns: {
      ...modulithOutgoing(table, prefix),
      raw_state: stored(status),
      available_at: derived(
        `coalesce(${table.time("last_resubmission_date")}, ${table.time("publication_date")})`,
        "When it was resubmitted last, else when it was published.",
      ),
      attempts: stored(table.column("completion_attempts")),
    },
    states: [
      {
        state: "sent",
        when: `${status} = 'COMPLETED' or (${status} is null and ${completion} is not null)`,
        says: "Its listener completed.",
      },
      { state: "dead", when: isDead(table), says: DEAD_SAYS },
      {
        state: "in_progress",
        when: `${status} = 'PROCESSING'`,
        says: "Its listener runs, or its process ended meanwhile.",
      },
      {
        state: "retrying",
        when: `${status} = 'RESUBMITTED'`,
        says: "Resubmitted by the application, and not processed yet.",
      },
      { state: "waiting", when: `${status} = 'PUBLISHED'`, says: "Published, and not processed yet." },
    ],
    order: modulithOrder(table),
  };
}

function dead(table: Table): ViewPart<"dead"> {
  const error = "What a listener failed with is in the log of the application, and not in this table.";
  return {
    from: table.sql,
    where: isDead(table),
    columns: {
      ...modulithColumns(table, "out"),
      origin: derived("'outgoing'", "An event that a listener was to be given."),
      raw_state: stored(table.column("status")),
      first_seen_at: stored(table.time("publication_date")),
      dead_at: notStored("Spring Modulith does not write when a listener failed."),
      attempts: stored(table.column("completion_attempts")),
      error_type: notStored(error),
      error_message: notStored(error),
      error_trace: notStored(error),
      replay_requested: notStored("One that was resubmitted is no longer failed, and not in this list."),
      expires_at: notStored("Failed publications are kept until somebody deletes them."),
    },
    states: [{ state: "dead", when: "true", says: DEAD_SAYS }],
    order: modulithOrder(table),
  };
}

/** Not completed, and older than a listener may take. */
function isStale(table: Table, staleAfter: string): string {
  return `${table.column("completion_date")} is null
    and coalesce(${table.time("last_resubmission_date")}, ${table.time("publication_date")}) < now() - ${staleAfter}`;
}

/** What Spring Modulith's own monitor does with a publication that hangs. */
function markFailed(table: Table, staleAfter: string): ActionPart {
  const [id, status] = [table.column("id"), table.column("status")];
  const guard = `${isStale(table, staleAfter)}
    and (${status} is null or ${status} in ('PUBLISHED', 'PROCESSING', 'RESUBMITTED'))`;
  return {
    prefix: "out",
    key: "uuid",
    sql: `with taken as (
  select ${id} as taken_id, coalesce(${status}, 'no status') as was from ${table.sql} where ${id} = row_key::uuid and ${guard} for update skip locked
)
update ${table.sql} as row_of set ${status} = 'FAILED'
from taken where row_of.${id} = taken.taken_id and ${guard}
returning taken.was, 'FAILED'`,
  };
}

export const modulithV2 = definePreset<"publication" | "archive", "stale_after">({
  id: "modulith-v2",
  title: "Spring Modulith 2",
  versions: "Spring Modulith 2.0 to 2.1",
  revision: 1,
  schema: "public",
  tables: modulithTables({ needs: { ...MODULITH_COLUMNS, ...MODULITH_V2_COLUMNS } }),
  constants: { stale_after: MODULITH_STALE_AFTER },
  notes: [
    "Nothing is tried again by itself: a failed publication stays failed until the application resubmits it. Onceboard can mark one as FAILED and cannot resubmit it.",
    "Rows that version 1 wrote have no status. Some releases of version 2 list them as failed and yet cannot resubmit them; marking one as FAILED repairs it.",
    "Unless a staleness monitor is configured, a publication whose process ended stays PUBLISHED, PROCESSING or RESUBMITTED for ever: look at its age.",
    "Spring Modulith keeps completed publications for ever unless its completion mode says otherwise. Publications are listed in the order of their ids, which are random.",
  ],
  shape: ({ tables, constants: { stale_after } }) => {
    const { publication, archive } = tables;
    const [id, status] = [publication.column("id"), publication.column("status")];
    const parts = [[publication, "out"] as const, ...(tables.there("archive") ? [[archive, "archive"] as const] : [])];
    return {
      views: { outgoing: parts.map(([table, prefix]) => outgoing(table, prefix)), dead: [dead(publication)] },
      payload: parts.map(([table, prefix]) => modulithPayload(table, prefix)),
      actions: {
        requeue: [markFailed(publication, stale_after)],
        discard: [
          modulithDiscard(
            publication,
            `${isStale(publication, stale_after)} and coalesce(${status}, '') <> 'COMPLETED'`,
            `coalesce(${status}, 'no status')`,
          ),
        ],
        purge: parts.map(([table, prefix]) =>
          modulithPurge(table, prefix, `coalesce(${table.column("status")}, 'COMPLETED') = 'COMPLETED'`),
        ),
      },
      unsafe: {},
      caveats: {
        requeue:
          "It marks a publication that hangs, or that has no status, as FAILED. The application still has to resubmit it, by FailedEventPublications; one that is FAILED already only waits for that.",
        discard:
          "Its listener is never given the event. A publication that is younger than the time given as stale_after is left alone.",
      },
      indexes: [
        {
          says: "Failed publications: without it a list of them reads all that were ever completed.",
          sql: `create index concurrently if not exists onceboard_dead_event_publication on ${publication.sql} (${id}) where ${isDead(publication)}`,
        },
      ],
    };
  },
});
