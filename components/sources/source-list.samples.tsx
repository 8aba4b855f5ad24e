import { inLive } from "@/components/parts/in-live";
import type { Live } from "@/components/shell/live-provider";
import type { Part } from "@/components/parts/part";
import type { SourceNews } from "@/presentation/metrics/live-status";
import type { SourceListView as ListView } from "@/presentation/views/sources";
import { BECAUSE, EARLIER, sampleList, sampleRow, sampleSource } from "./source-facts.samples";
import { SourceListView } from "./source-list-view";
import { SourceNewer } from "./source-newer";
import { SourceTools, type SourceListFacts } from "./source-tools";

const address = { path: "/sources/orders-db/outbox", search: {} };
const facts: SourceListFacts = { tenant: "acme", views: [], exportedRows: 10_000 };
const list = (changes: Partial<ListView> = {}) =>
  inLive(<SourceListView view={sampleList(changes)} facts={facts} address={address} />);

const reading = { readAt: EARLIER, again: "/sources/orders-db/outbox" };
const newer = (source: SourceNews | undefined, live: Partial<Live> = {}) =>
  inLive(<SourceNewer row="message" watched {...reading} />, { source, ...live });
const tools = inLive(<SourceTools source={sampleSource()} view="outgoing" facts={facts} address={address} />);

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
        hasNot: ['a[href="/sources/orders-db/inbox"]', 'a[href*="dialog=requeue"]'],
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
        hasNot: ['a[href*="dialog=requeue"]'],
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
  {
    name: "SourceNewer",
    states: [
      {
        name: "not asked yet",
        shows: newer(undefined),
        says: ["Its database was not asked for newer rows yet."],
        lacks: ["No newer"],
        hasNot: ["button"],
      },
      {
        name: "nothing newer, and when that was asked",
        shows: newer({ kind: "read", newer: 0, more: false, at: EARLIER }),
        says: ["No newer message above these when its database was last asked.", "asked"],
        hasNot: ["button"],
      },
      {
        name: "newer rows wait",
        shows: newer({ kind: "read", newer: 50, more: true, at: EARLIER }),
        says: ["50+ newer messages. Show", "Rows stay where they are until you do, or act."],
        has: ["button"],
      },
      {
        name: "its database is away",
        shows: newer({ kind: "away", because: "The attached database cannot be reached.", at: EARLIER }),
        says: ["The attached database cannot be reached. Newer rows are not known."],
        lacks: ["No newer"],
      },
      {
        name: "too dear to ask again and again",
        shows: newer({ kind: "not_watched", because: "Not watched: PostgreSQL estimates a cost of 4,000." }),
        says: ["Newer rows are not watched for. Not watched: PostgreSQL estimates a cost of 4,000."],
      },
      {
        name: "paused",
        shows: newer({ kind: "read", newer: 0, more: false, at: EARLIER }, { status: "paused" }),
        says: ["Not watching for newer rows."],
        lacks: ["No newer"],
      },
      {
        name: "not the first page of all states",
        shows: inLive(<SourceNewer row="message" watched={false} {...reading} />),
        says: [
          "Newer rows are watched for on the first page of all states.",
          "The states here are as of",
          ": a row that changes afterwards is not noticed.",
        ],
        has: ['a[href="/sources/orders-db/outbox"]'],
        hasNot: ["button"],
      },
    ],
  },
  {
    name: "SourceTools",
    states: [{ name: "both menus, closed", shows: tools, says: ["Views", "Export"], hasNot: ["a"] }],
  },
];
