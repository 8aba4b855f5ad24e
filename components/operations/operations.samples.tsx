import { sampleAttention } from "@/components/attention/attention.samples";
import { sampleAction, sampleOperation } from "@/components/operation/operation-facts.samples";
import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import { parseOperationFilters } from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import type { Listed, Page } from "@/presentation/views/common";
import type { OperationDetail, OperationRow } from "@/presentation/views/operations";
import type { SavedView } from "@/presentation/views/saved-views";
import { OperationsTable, type OperationsTableProps } from "./operations-table";
import { type OperationsProps, OperationsView, OperationTabs, type OperationTabsProps } from "./operations-view";

const ROW = sampleAttention();
const PAID: OperationRow = { ...ROW, operationId: "o2", key: "order-2", state: "COMPLETED", money: undefined };
const NO_PAGES = ["Newer", "Older"];
const PLANS: OperationsProps["kinds"] = [{ kind: "purge_bodies", whyNot: "You need the role admin." }];

/** The address and the filters that the page reads from it. */
const at = (search: SearchInput) => ({
  address: { path: "/operations", search },
  filters: parseOperationFilters(search).filters,
});
const page = (rows: readonly OperationRow[], changes: Partial<Page<OperationRow>> = {}): Listed<OperationRow> => ({
  kind: "page",
  rows,
  at: SAMPLE_NOW,
  ...changes,
});
const list = (listed: Listed<OperationRow>, search: SearchInput = {}, changes: Partial<OperationsProps> = {}) =>
  onConnection(
    <OperationsView
      list={listed}
      counts={{}}
      problems={[]}
      opened={undefined}
      now={SAMPLE_NOW}
      facts={{
        page: "operations",
        tenant: "acme",
        views: [],
        operations: [
          { value: "payments.create", label: "Payment" },
          { value: "refunds.create", label: "Refund" },
        ],
      }}
      kinds={[]}
      {...at(search)}
      {...changes}
    />,
  );
const counted = (ageMs: number) => ({ counts: { all: { value: 0, kind: "exact", ageMs } } }) as const;
const opened = (value: OperationDetail | "gone") => list(page([ROW]), {}, { opened: { name: SAMPLE_ID, value } });
const table = (search: SearchInput, changes: Partial<OperationsTableProps> = {}) =>
  onConnection(<OperationsTable rows={[ROW, PAID]} at={SAMPLE_NOW} kinds={[]} {...at(search)} {...changes} />, {
    newer: 3,
  });
const tabs = (changes: Partial<OperationTabsProps>) => (
  <OperationTabs address={at({}).address} states={[]} counts={{}} views={[]} {...changes} />
);
const view = (id: string): SavedView => ({
  id,
  page: "operations",
  name: `View ${id}`,
  search: "",
  href: `/operations?view=${id}`,
  createdBy: "Ada",
  updatedAt: SAMPLE_NOW,
  mayChange: true,
});
const VIEWS = ["1", "2", "3", "4", "5", "6"].map(view);

export const operationsParts: readonly Part[] = [
  {
    name: "OperationsView",
    states: [
      {
        name: "nothing is kept",
        shows: list(page([]), {}, counted(60_000)),
        says: ["0 kept, counted 1 min ago", "No operation is kept.", "See the clients"],
        lacks: ["A longer time", "match, exact", "Left out"],
      },
      {
        name: "none in the last hour, which begins after the count",
        shows: list(page([]), { range: "1h" }, counted(2 * 3_600_000)),
        says: ["0 kept, counted 2 h ago", "No operation in this time."],
      },
      {
        name: "none in the last day",
        shows: list(page([])),
        says: ["No operation in this time.", "A longer time may hold one.", "Use 7 days"],
        lacks: ["No operation is kept", "kept, counted", "Drop", "The row you open shows here"],
        hasNot: ['[aria-label="Remove filter time"]'],
      },
      {
        name: "a later page whose rows have left",
        shows: list(page([]), { cursor: "c2" }, { counts: { all: { value: 0, kind: "exact", ageMs: 60_000 } } }),
        says: ["There is no row on this page.", "First page"],
        lacks: ["No operation"],
      },
      {
        name: "none of one filter in all that is kept",
        shows: list(page([]), { state: "STALE", range: "all" }),
        says: ["No operation matches this filter.", "Older ones may have been purged.", "Drop the filter"],
        lacks: ["Use 7 days"],
        has: ['a[href="/operations?range=all"]', '[aria-label="Remove filter time"]'],
      },
      {
        name: "none of several filters, one of them not understood",
        shows: list(
          page([]),
          {
            client: "!load-test",
            error: "card.declined",
            operation: "refunds.create",
            min: "100.00",
            state: ["STALE", "COMPLETED"],
          },
          { problems: [{ name: "max", detail: "no amount" }] },
        ),
        says: [
          "No operation matches these 5 filters.",
          "Drop all filters",
          "client is not load-test",
          "error code card.declined",
          "kind Refund",
          "from 100.00",
          "states 2",
          "Left out: max is no amount.",
        ],
        has: ['a[href="/operations"]'],
      },
      {
        name: "none of a time of its own",
        shows: list(page([]), { from: "2026-11-20T10:00:00Z", to: "2026-11-21T10:00:00Z", attention: "true" }),
        says: ["from 20 Nov, 10:00 UTC", "to 21 Nov, 10:00 UTC", "only unknown or stale"],
        lacks: ["time last 24 h"],
        has: ['[aria-label="Remove filter from"]'],
      },
      {
        name: "days, and not in time",
        shows: list({ kind: "too_broad", hours: 168, stoppedAfterSeconds: 3 }, { range: "7d", client: "shop" }),
        says: ["This search took too long.", "It looked at 7 days and stopped after 3 s."],
        has: ['a[href="/operations?client=shop&range=24h"]'],
        lacks: ["match, exact"],
      },
      {
        name: "hours, and not in time",
        shows: list({ kind: "too_broad", hours: 47, stoppedAfterSeconds: 3 }),
        says: ["It looked at 47 h and"],
      },
      {
        name: "everything, and not in time",
        shows: list({ kind: "too_broad", stoppedAfterSeconds: 3 }, { range: "all" }),
        says: ["It looked at all that is kept and"],
      },
      {
        name: "looked at many, none matched so far",
        shows: list(page([], { looked: { rows: 10_000, until: "2026-11-22T13:00:00Z", further: "c9" } }), {
          reference: "r1",
        }),
        says: ["No match among the 10,000 rows looked at so far."],
        has: ['a[href="/operations?reference=r1&cursor=c9"]'],
        lacks: ["No operation matches"],
      },
      {
        name: "the only one",
        shows: list(page([ROW])),
        says: ["time last 24 h", "1 match, exact", "Newest first, 50 a page"],
        off: NO_PAGES,
      },
      {
        name: "two, the smallest first",
        shows: list(page([ROW, PAID]), { sort: "amount", direction: "asc" }),
        says: ["2 match, exact", "Smallest amount first, 50 a page"],
        off: NO_PAGES,
      },
      {
        name: "more follow, the last to expire first",
        shows: list(page([ROW], { next: "c2" }), { sort: "expires" }),
        says: ["Last to expire first"],
        lacks: ["match, exact"],
        has: ['a[href="/operations?sort=expires&cursor=c2"]'],
        off: ["Newer"],
      },
      {
        name: "one is open, and may be decided",
        search: `open=${SAMPLE_ID}`,
        shows: opened(
          sampleOperation({
            account: "acc-1",
            evidence: {
              leans: "succeeded",
              sentence: "Leans to succeeded.",
              rows: [
                {
                  ref: "webhook:1",
                  source: "Signed webhook",
                  note: "",
                  says: { glyph: "executed", tone: "proven", text: "succeeded" },
                  final: true,
                },
              ],
            },
          }),
        ),
        says: ["Evidence", "succeeded, final", "€12,480.00", "acc-1", "Decide", "Ask provider"],
        lacks: ["The row you open shows here", "Reference"],
        has: [`tr[data-current]`, `a[href="/operations/${SAMPLE_ID}#settle"]`],
        off: NO_PAGES,
      },
      {
        name: "one is open that is over",
        search: `open=${SAMPLE_ID}`,
        shows: opened(
          sampleOperation({
            state: "COMPLETED",
            money: undefined,
            reference: "ref-1",
            actions: [sampleAction("reconcile", "Ask the provider", "It is over.")],
          }),
        ),
        says: ["Open page", "ref-1"],
        lacks: ["Evidence", "Decide", "Ask provider", "€12,480.00"],
        off: NO_PAGES,
      },
      {
        name: "the open one is gone",
        search: `open=${SAMPLE_ID}`,
        shows: opened("gone"),
        says: ["The row you open shows here"],
        off: NO_PAGES,
      },
    ],
  },
  {
    name: "OperationsTable",
    states: [
      {
        name: "the newest, of which more arrived",
        shows: table({}, { kinds: PLANS }),
        says: ["Select Payment €12.00, unknown", "Select Payment order-2, completed", "3 newer operations", "none"],
        has: [`tr[data-row="${SAMPLE_ID}"][data-page="/operations/${SAMPLE_ID}"]`, 'th[aria-sort="ascending"]'],
        lacks: ["Plan a purge", "Reference"],
      },
      {
        name: "an older page offers none that are newer",
        shows: table({ cursor: "c2" }),
        lacks: ["newer operations"],
      },
      {
        name: "the largest first, with columns of choice",
        shows: table({ sort: "amount", columns: ["amount,error,reference"] }, { rows: [{ ...ROW, errorCode: "e.1" }] }),
        says: ["e.1", "Reference", "none"],
        lacks: ["newer operations", "Key to ledger"],
        has: ['th[aria-sort="descending"] a[href*="direction=asc"]'],
      },
    ],
  },
  {
    name: "OperationTabs",
    states: [
      {
        name: "counted in three ways",
        shows: tabs({
          counts: {
            STALE: { value: 12, kind: "exact", ageMs: 0 },
            COMPLETED: { value: 1_240_000, kind: "estimate", ageMs: 0 },
            EXPIRED: { value: 10_000, kind: "at_least", ageMs: 0 },
          },
        }),
        says: ["Stale12", "Completed~1.24 M", "Expired10,000+"],
        has: ['a[href="/operations"][aria-current="page"]', 'a[href="/operations?state=STALE"]:not([aria-current])'],
      },
      {
        name: "one state",
        shows: tabs({ states: ["STALE"] }),
        has: ['a[href$="state=STALE"][aria-current="page"]', 'a[href="/operations"]:not([aria-current])'],
      },
      { name: "several states", shows: tabs({ states: ["STALE", "EXPIRED"] }), hasNot: ["[aria-current]"] },
      {
        name: "the first four saved views",
        shows: tabs({ views: VIEWS }),
        says: ["View 4saved"],
        lacks: ["View 5", "View 6"],
        has: ['a[href="/operations"][aria-current="page"]'],
      },
      {
        name: "the last saved view is looked at",
        shows: tabs({ views: VIEWS, address: at({ view: "6" }).address }),
        lacks: ["View 5"],
        has: ['a[href$="view=6"][aria-current="page"]'],
        hasNot: ['a[href="/operations"][aria-current]'],
      },
    ],
  },
];
