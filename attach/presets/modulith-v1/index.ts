import { definePreset, derived, notStored, type ViewPart } from "../../contract/preset";
import type { Table } from "../../contract/tables";
import {
  MODULITH_COLUMNS,
  MODULITH_STALE_AFTER,
  MODULITH_V2_COLUMNS,
  modulithDiscard,
  modulithOrder,
  modulithOutgoing,
  modulithPayload,
  modulithPurge,
  modulithTables,
} from "./publication";

function outgoing(table: Table, prefix: string): ViewPart<"outgoing"> {
  const completed = `${table.column("completion_date")} is not null`;
  return {
    from: table.sql,
    columns: {
      ...modulithOutgoing(table, prefix),
      raw_state: derived(
        `case when ${completed} then 'completed' else 'incomplete' end`,
        "Whether completion_date is set; this shape of the table has no status.",
      ),
      available_at: notStored("A publication is due when it is written; a resubmission leaves no trace."),
      attempts: notStored("This shape of the table does not count attempts; version 2 does."),
    },
    states: [
      { state: "sent", when: completed, says: "Its listener completed." },
      {
        state: "waiting",
        when: "true",
        says: "Not completed: its listener runs, or it failed. This shape of the table does not tell which, only for how long.",
      },
    ],
    order: modulithOrder(table),
  };
}

export const modulithV1 = definePreset<"publication" | "archive", "stale_after">({
  id: "modulith-v1",
  title: "Spring Modulith 1",
  versions: "Spring Modulith 1.1 to 1.4, and 2 with its legacy structure",
  revision: 1,
  schema: "public",
  tables: modulithTables({ needs: MODULITH_COLUMNS, not: Object.keys(MODULITH_V2_COLUMNS) }),
  constants: { stale_after: MODULITH_STALE_AFTER },
  notes: [
    "A publication that is not completed waits, runs or has failed: this shape of the table does not tell which. What tells trouble is how long the oldest one is not completed.",
    "Spring Modulith keeps completed publications for ever unless its completion mode says otherwise, so this table grows until somebody purges it.",
    "Publications are listed in the order of their ids, which are random: the table has no index on the time of publication.",
  ],
  shape: ({ tables, constants: { stale_after } }) => {
    const { publication, archive } = tables;
    const incomplete = `${publication.column("completion_date")} is null and ${publication.time("publication_date")} < now() - ${stale_after}`;
    const parts = [[publication, "out"] as const, ...(tables.there("archive") ? [[archive, "archive"] as const] : [])];
    return {
      views: { outgoing: parts.map(([table, prefix]) => outgoing(table, prefix)) },
      payload: parts.map(([table, prefix]) => modulithPayload(table, prefix)),
      actions: {
        discard: [modulithDiscard(publication, incomplete, "'incomplete'")],
        purge: parts.map(([table, prefix]) => modulithPurge(table, prefix)),
      },
      unsafe: {
        requeue:
          "No statement makes this version try again: the application resubmits what is not completed, by IncompleteEventPublications or by republishing when it starts.",
      },
      caveats: {
        discard: `Its listener is never given the event. A publication that is younger than the time given as stale_after is left alone.`,
      },
      indexes: [],
    };
  },
});
