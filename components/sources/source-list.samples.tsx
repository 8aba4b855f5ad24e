import { inLive } from "@/components/parts/in-live";
import type { Part } from "@/components/parts/part";
import type { SourceListView as ListView } from "@/presentation/views/sources";
import { BECAUSE, sampleList, sampleRow, sampleSource } from "./source-facts.samples";
import { SourceListView } from "./source-list-view";

const address = { path: "/sources/orders-db/outbox", search: {} };
const list = (changes: Partial<ListView> = {}) =>
  inLive(<SourceListView view={sampleList(changes)} address={address} />);

export const sourceListParts: readonly Part[] = [
  {
    name: "SourceListView",
    states: [
      {
        name: "rows, one of them dead",
        shows: list(),
        says: [
          "The newest 2 messages.",
          "1 of them is dead.",
          "Whether a receiver had a message more than once is not known here.",
          "Failed",
          "– Not stored",
          "CAP does not write when a message was sent.",
          "All states",
        ],
        lacks: ["Sent at none"],
        has: ['a[href*="cursor=older"]', 'a[aria-current="page"][href="/sources/orders-db/outbox"]'],
        hasNot: ['a[href="/sources/orders-db/inbox"]', 'a[href*="dialog="]'],
        off: ["Newer"],
      },
      {
        name: "a row opened, what is not offered has its reason",
        shows: list({ opened: { kind: "row", row: sampleRow("out:1", "dead", "timeout") } }),
        says: [
          "It was tried as often as it may be.",
          "not stored: CAP does not write when a message was sent.",
          "Discard is not offered: CAP has no state for it.",
          "Bodies are not shown",
        ],
        has: ['a[href*="dialog=requeue%3Aout%3A1"]'],
        off: ["Newer"],
      },
      {
        name: "a row that is gone",
        shows: list({ opened: { kind: "gone" } }),
        says: ["This row is no longer in this list."],
        off: ["Newer"],
      },
      {
        name: "a row that would be dear to read",
        shows: list({ opened: { kind: "not_shown", because: BECAUSE } }),
        says: [BECAUSE],
        off: ["Newer"],
      },
      {
        name: "not shown, because",
        shows: list({ page: { kind: "not_shown", because: BECAUSE }, whyNoFilter: BECAUSE }),
        says: [
          "The list outbox of orders-db is not shown.",
          BECAUSE,
          "Rows of one state are not listed by themselves.",
        ],
        hasNot: ["table[aria-label='Outbox of orders-db']", "nav[aria-label='State']"],
      },
      {
        name: "empty",
        shows: list({ page: { kind: "rows", rows: [] } }),
        says: ["The list outbox of orders-db has no row.", "No row."],
        off: ["Newer", "Older"],
      },
      {
        name: "dead letters, by the errors of the rows shown",
        shows: list({
          view: "dead",
          page: {
            kind: "rows",
            rows: [
              sampleRow("out:1", "dead", "timeout"),
              sampleRow("out:2", "dead", "timeout"),
              sampleRow("in:3", "dead"),
            ],
          },
        }),
        says: ["of the 3 rows shown, not of all", "timeout2", "none stored in the row1"],
        has: ['a[href*="dialog=requeue%3Ain%3A3"]'],
        off: ["Newer", "Older"],
      },
      {
        name: "dead letters for somebody who may not act",
        shows: list({
          view: "dead",
          source: sampleSource({
            acts: {
              requeue: { offered: true, whyNot: "You need the role operator." },
              discard: { offered: false, says: "No." },
              purge: { offered: false, says: "No." },
            },
          }),
          page: { kind: "rows", rows: [sampleRow("out:1", "dead")] },
        }),
        hasNot: ['a[href*="dialog="]'],
        off: ["Requeue", "Newer", "Older", "Plan to requeue the dead rows"],
      },
      {
        name: "keys: refused commands and replays are not there",
        shows: list({ view: "keys", page: { kind: "rows", rows: [sampleRow("k:1", "unknown")] } }),
        says: [
          "These tables do not keep refused commands or replays",
          "docs/ONCE.md",
          "1 is in a state that the preset does not know.",
          "State not known",
        ],
        off: ["Newer", "Older"],
      },
    ],
  },
];
