import { sampleInbox, samplePlaces } from "@/components/messages/message-samples";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { InboxFilters } from "@/domain/lists/filters";
import type { InboxDetail, InboxView as View } from "@/presentation/views/inbox";
import { Arrivals, InboxList } from "./inbox-list";
import { InboxView } from "./inbox-view";

const ADDRESS = { path: "/inbox", search: {} };
const list = (row: Partial<InboxDetail>, whyNot?: string) =>
  inLive(<InboxList rows={[sampleInbox(row)]} now={SAMPLE_NOW} address={ADDRESS} whyNot={whyNot} />);
const page = (changes: Partial<View>, filters: Partial<InboxFilters> = {}) =>
  inLive(
    <InboxView
      view={{
        list: { kind: "page", rows: [], at: SAMPLE_NOW },
        verdict: { text: "", clauses: [] },
        dead: 7,
        recorded: 1_300,
        ...changes,
      }}
      filters={{ states: [], range: "24h", failing: false, duplicates: false, mismatches: false, ...filters }}
      problems={[]}
      address={ADDRESS}
      facts={{ page: "inbox", tenant: "acme", views: [] }}
      opened={undefined}
    />,
  );

export const inboxParts: readonly Part[] = [
  {
    name: "Arrivals",
    states: [
      { name: "once", shows: <Arrivals row={sampleInbox()} />, says: ["once"], lacks: ["times"], hasNot: ["svg"] },
      {
        name: "again",
        shows: <Arrivals row={sampleInbox({ duplicates: 2 })} />,
        says: ["3 times", "2 duplicates, 0 with another payload"],
        hasNot: ["svg"],
      },
      {
        name: "with another payload",
        shows: <Arrivals row={sampleInbox({ mismatches: 1 })} />,
        says: ["2 times", "0 duplicates, 1 with another payload"],
        has: ['svg[aria-label="with another payload"]'],
      },
    ],
  },
  {
    name: "InboxList",
    states: [
      {
        name: "recorded",
        shows: list({ alone: true, errorCode: "a.b", error: "no account" }),
        says: ["from shop-bus, handled alone", "now", "a.b: no account", "Attempts of 8"],
        lacks: ["Requeue"],
        has: [`a[href="/inbox/${SAMPLE_ID}"]`],
      },
      {
        name: "handled",
        shows: list({ state: "processed", processedAt: SAMPLE_NOW, lagMs: 264, errorCode: "a.b", error: "no account" }),
        says: ["264 ms"],
        lacks: ["a.b", "handled alone", "now", "Requeue"],
      },
      {
        name: "dead",
        shows: list({ state: "dead" }),
        has: [`a[href*="dialog=requeue%3A${SAMPLE_ID}"]`],
      },
      {
        name: "dead, and a requeue would leave it alone",
        shows: list({ state: "dead", requeueNot: "Still leased." }),
        says: ["Still leased."],
        off: ["Requeue"],
      },
    ],
  },
  {
    name: "InboxList of one message",
    states: [
      {
        name: "three consumers inside, one sentence said once",
        shows: inLive(
          <InboxList
            rows={[
              sampleInbox({ id: "i1", consumer: "ledger", error: "no account", errorCode: "a.b" }),
              sampleInbox({ id: "i2", consumer: "receipts", error: "no account", errorCode: "a.b" }),
              sampleInbox({ id: "i3", consumer: "webhooks", source: "other" }),
            ]}
            now={SAMPLE_NOW}
            address={ADDRESS}
          />,
        ),
        says: ["2 consumers", "from shop-bus", "from other", "receipts", "webhooks"],
        has: ['tr[data-row="i2"][data-continues]', 'a[href="/inbox/i2"]'],
        hasNot: ['tr[data-row="i1"][data-continues]', 'tr[data-row="i3"][data-continues]'],
      },
    ],
  },
  {
    name: "InboxView",
    states: [
      {
        name: "nothing arrived, not counted in time",
        shows: page({}),
        says: ["No arrival of this time is kept.", ", the last 24h", "Show 30 days", "last 24h"],
        lacks: ["Clear the filters", "1,300"],
      },
      {
        name: "nothing that is kept came again",
        shows: page({ places: samplePlaces([]) }, { duplicates: true, range: "all" }),
        says: ["No message matches.", ", all that is kept", "Clear the filters", "1,300"],
        lacks: ["Show 30 days"],
        has: ['a[aria-current="page"][href*="duplicates=true"]'],
      },
      {
        name: "none of a consumer since a time",
        shows: page({}, { consumer: "ledger", from: "2026-11-20T00:00:00Z" }),
        says: ["No message matches.", ", the time that was chosen", "ledger", "20 Nov, 00:00 UTC"],
        lacks: [", the last 24h"],
      },
      {
        name: "none is failing, however old",
        shows: page({}, { failing: true }),
        says: ["No message matches.", ", all that waits"],
        lacks: [", the last 24h", "Show 30 days"],
      },
      {
        name: "a page",
        shows: page(
          { list: { kind: "page", rows: [sampleInbox()], at: SAMPLE_NOW, previous: "c0" } },
          { states: ["recorded"] },
        ),
        says: ["Newest first, 50 messages a page; tabs count each consumer of a message"],
        lacks: ["No message matches."],
        off: ["Older"],
        has: ['a[aria-current="page"][href*="state=recorded"]'],
      },
    ],
  },
];
