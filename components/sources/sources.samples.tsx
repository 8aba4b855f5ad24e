import { inLive } from "@/components/parts/in-live";
import type { Part } from "@/components/parts/part";
import type { SourceView as View, SourceViewName } from "@/presentation/views/sources";
import { FoundInSources } from "./found-in-sources";
import { BECAUSE, EARLIER, sampleSource, sampleView } from "./source-facts.samples";
import { SourceProblem } from "./source-problem";
import { SourceRetentionView, SourceView } from "./source-view";

const gauge = (view: SourceViewName, value: number) => ({
  ...{ view, state: "dead", values: [null, value], most: value },
  last: { value, atLeast: false, at: EARLIER },
});
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
        name: "a read was cut off by a time limit",
        shows: overview({ cutOffs: [{ view: "outgoing", at: EARLIER, says: "a statement may take 5 s there" }] }),
        says: ["Outbox: a read was cut off", "a statement may take 5 s there, and it did not end by then."],
        lacks: ["not counted"],
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
