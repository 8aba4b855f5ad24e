import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type {
  SourceColumn,
  SourceHead,
  SourceListView as ListView,
  SourceRowView,
  SourceView as View,
  SourceViewName,
} from "@/presentation/views/sources";
import { FoundInSources } from "./found-in-sources";
import { SourceListView } from "./source-list-view";
import { SourceProblem } from "./source-problem";
import { SourceRetentionView, SourceView } from "./source-view";

const EARLIER = "2026-11-22T12:00:00.000000Z";
const BECAUSE =
  "Not shown: PostgreSQL estimates a cost of 1,204,000, more than 20,000. It would read all of published.";

const text = (value: string, cut = false) => ({ kind: "text" as const, text: value, cut });
const time = { kind: "time" as const, at: EARLIER };

export function sampleSource(changes: Partial<SourceHead> = {}): SourceHead {
  return {
    ...{ id: "s1", name: "orders-db", shown: "db:5432/orders", title: "CAP", preset: "cap", at: SAMPLE_NOW },
    installedAs: "onceboard_attach",
    views: ["outgoing", "dead"],
    acts: {
      requeue: { offered: true, says: "CAP sends it at its next pass." },
      discard: { offered: false, says: "CAP has no state for it." },
      purge: { offered: true },
    },
    ...changes,
  };
}

const COLUMNS: readonly SourceColumn[] = [
  { name: "id", kind: "stored" },
  { name: "type", kind: "stored" },
  { name: "raw_state", kind: "stored" },
  { name: "attempts", kind: "stored" },
  { name: "error_message", kind: "stored" },
  { name: "created_at", kind: "derived", says: "CAP writes the local time of its server; its zone was given." },
  { name: "sent_at", kind: "not_stored", says: "CAP does not write when a message was sent." },
];

const row = (id: string, state: string, error?: string): SourceRowView => ({
  id,
  place: `at-${id}`,
  state,
  values: {
    id: text(id),
    type: text("orders.paid"),
    raw_state: text("Failed"),
    attempts: text("50"),
    error_message: error === undefined ? undefined : text(error),
    created_at: time,
    sent_at: undefined,
  },
});

export function sampleList(changes: Partial<ListView> = {}): ListView {
  return {
    source: sampleSource(),
    at: SAMPLE_NOW,
    view: "outgoing",
    columns: COLUMNS,
    states: [
      { state: "sent", says: "A handler had it." },
      { state: "dead", says: "It was tried as often as it may be." },
    ],
    page: { kind: "rows", rows: [row("out:2", "sent"), row("out:1", "dead", "timeout\n at x")], next: "older" },
    ...changes,
  };
}

export function sampleView(changes: Partial<View> = {}): View {
  return {
    source: sampleSource(),
    at: SAMPLE_NOW,
    ...{ attachedAt: EARLIER, attachedBy: "Ada", constants: { max_attempts: "50" }, notes: ["`Scheduled` is both."] },
    lists: (["outgoing", "dead"] as const).map((view) => ({
      view,
      columns: COLUMNS,
      states: [{ state: "dead", says: "" }],
    })),
    range: "1h",
    buckets: ["2026-11-22T14:20:00.000Z", "2026-11-22T14:25:00.000Z"],
    gauges: [],
    notCounted: [],
    ...changes,
  };
}

const gauge = (view: SourceViewName, value: number) => ({
  ...{ view, state: "dead", values: [null, value], most: value },
  last: { value, atLeast: false, at: EARLIER },
});
const address = { path: "/sources/orders-db/outbox", search: {} };
const list = (changes: Partial<ListView> = {}) =>
  inLive(<SourceListView view={sampleList(changes)} address={address} />);
const overview = (changes: Partial<View> = {}) =>
  inLive(<SourceView view={sampleView(changes)} address={{ path: "/sources/orders-db", search: {} }} />);
const retention = (changes: Partial<View> = {}) =>
  inLive(
    <SourceRetentionView view={sampleView(changes)} address={{ path: "/sources/orders-db/retention", search: {} }} />,
  );
const problem = (code: string) => (
  <SourceProblem
    title="Outbox of orders-db"
    what="The list"
    problem={{ error: { status: 502, code, message: "away" }, requestId: "r1" }}
    retryHref="/sources/orders-db/outbox"
  />
);

export const sourceParts: readonly Part[] = [
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
        shows: list({ opened: { kind: "row", row: row("out:1", "dead", "timeout") } }),
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
            rows: [row("out:1", "dead", "timeout"), row("out:2", "dead", "timeout"), row("in:3", "dead")],
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
          page: { kind: "rows", rows: [row("out:1", "dead")] },
        }),
        hasNot: ['a[href*="dialog="]'],
        off: ["Requeue", "Newer", "Older", "Plan to requeue the dead rows"],
      },
      {
        name: "keys: refused commands and replays are not there",
        shows: list({ view: "keys", page: { kind: "rows", rows: [row("k:1", "unknown")] } }),
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
    name: "SourceView",
    states: [
      {
        name: "nothing was counted yet",
        shows: overview(),
        says: [
          "Nothing of orders-db was counted yet.",
          "Nothing was counted yet.",
          "Offered.",
          "Not offered: CAP has no state for it.",
          "Scheduled is both.",
        ],
        lacks: ["Dead0", "not counted"],
        hasNot: ["figure"],
      },
      {
        name: "counted, and a list that is too long",
        shows: overview({
          gauges: [gauge("dead", 1_204)],
          notCounted: [{ view: "outgoing", because: BECAUSE }],
        }),
        says: [
          "1,204 rows are dead, when last counted.",
          "last counted",
          "1 list is too long to be counted.",
          "Outbox: not counted",
          BECAUSE,
        ],
        lacks: ["Nothing was counted yet."],
        has: ["figure", '[data-tone="broken"]'],
      },
      {
        name: "nothing dead",
        shows: overview({ gauges: [gauge("dead", 0)] }),
        says: ["No row was dead when last counted."],
      },
    ],
  },
  {
    name: "SourceRetentionView",
    states: [
      {
        name: "not stored, and a purge",
        shows: retention(),
        says: ["CAP does not store when rows may be deleted.", "– Not stored"],
        has: ['a[href*="dialog=purge"]'],
      },
      {
        name: "stored, and no purge",
        shows: retention({
          lists: [
            {
              view: "outgoing",
              states: [],
              columns: [{ name: "expires_at", kind: "derived", says: "A day after it was sent." }],
            },
          ],
          source: sampleSource({
            acts: { ...sampleSource().acts, purge: { offered: false, says: "CAP deletes them by itself." } },
          }),
        }),
        says: [
          "1 of 1 list says when rows may be deleted.",
          "A day after it was sent.",
          "Purge is not offered: CAP deletes them by itself.",
        ],
        hasNot: ['a[href*="dialog=purge"]'],
      },
    ],
  },
  {
    name: "SourceProblem",
    states: [
      { name: "away", shows: problem("attach.unreachable"), says: ["The attached database cannot be reached."] },
      { name: "not installed", shows: problem("attach.not_installed"), says: ["The views are not installed there."] },
      { name: "our own", shows: problem("dependency.timeout"), says: ["The list did not load."] },
    ],
  },
  {
    name: "FoundInSources",
    states: [
      {
        name: "a row",
        shows: (
          <FoundInSources
            query="m-1"
            found={{
              asked: 1,
              left: [],
              hits: [
                {
                  ...{ source: "orders-db", view: "outgoing", id: "out:1", state: "dead", label: "orders.paid, out:1" },
                  href: "/sources/orders-db/outbox?open=x",
                },
              ],
            }}
          />
        ),
        says: ["orders.paid, out:1", "Dead", "orders-db"],
        lacks: ["No row", "could not be asked"],
      },
      {
        name: "nothing, and a database that was not asked",
        shows: (
          <FoundInSources
            query="m-1"
            found={{
              asked: 2,
              hits: [],
              left: [{ source: "away-db", because: "The attached database cannot be reached." }],
            }}
          />
        ),
        says: ["No row has exactly the id or key “m-1” where it could be asked.", "away-db: The attached database"],
      },
    ],
  },
];
