import { OTHER_ID, sampleOutbox, samplePlace, samplePlaces } from "@/components/messages/message-samples";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { OutboxFilters } from "@/domain/lists/filters";
import type { SearchInput } from "@/presentation/filters/search";
import type { OutboxDetail, OutboxView as View } from "@/presentation/views/outbox";
import { OutboxList } from "./outbox-list";
import { OutboxView } from "./outbox-view";

const ADDRESS = { path: "/outbox", search: {} };
const dead = sampleOutbox({ state: "dead", attempts: 8, errorCode: "a.b", error: "no route" });
const published = sampleOutbox({ state: "published", publishedAt: SAMPLE_NOW, lagMs: 264, errorCode: "a.b" });
const list = (rows: readonly OutboxDetail[], whyNot?: string, shown = false) =>
  inLive(<OutboxList rows={rows} now={SAMPLE_NOW} published={shown} address={ADDRESS} whyNot={whyNot} />);
const page = (
  changes: Partial<View>,
  filters: Partial<OutboxFilters> = {},
  problems: readonly string[] = [],
  search: SearchInput = {},
) =>
  inLive(
    <OutboxView
      view={{
        list: { kind: "page", rows: [], at: SAMPLE_NOW },
        verdict: { text: "", clauses: [] },
        dead: 1,
        pending: 1_200,
        ...changes,
      }}
      filters={{ state: "open", range: "24h", ...filters }}
      problems={problems.map((name) => ({ name, detail: "is unknown" }))}
      address={{ ...ADDRESS, search }}
      facts={{ page: "outbox", tenant: "acme", views: [] }}
      opened={undefined}
    />,
  );

export const outboxParts: readonly Part[] = [
  {
    name: "OutboxList",
    states: [
      {
        name: "one account stands still",
        shows: list([
          sampleOutbox({ id: "m3", aggregateId: "other", aggregateType: "account" }),
          dead,
          sampleOutbox({ id: "m2", behind: OTHER_ID }),
        ]),
        says: [
          "stands still, 1 on this page waits behind #7.",
          "All others 1 pending, 0 dead",
          "Attempts of 8",
          "a.b: no route",
        ],
        has: [`[title="after ${OTHER_ID}"]`, `a[href*="dialog=requeue%3A${SAMPLE_ID}"]`],
      },
      {
        name: "none stands still, one is paused",
        shows: list([sampleOutbox({ paused: true }), sampleOutbox({ id: "m2", aggregateId: "other" })]),
        says: ["when resumed", "now"],
        lacks: ["stands still", "All others", "Requeue"],
      },
      {
        name: "the verdict names the error, and this person may not requeue",
        shows: list(
          [{ ...dead, safe: { ...dead.safe, text: "Dead of a.b." }, requeueNot: "Still leased." }],
          "You need the role operator.",
        ),
        says: ["Dead of a.b.", "You need the role operator."],
        lacks: ["a.b: no route", "Still leased."],
        off: ["Requeue"],
      },
      {
        name: "published",
        shows: list([published], undefined, true),
        says: ["Published", "Lag", "264 ms"],
        lacks: ["Requeue", "a.b"],
        has: ['[aria-label="Published messages"]'],
      },
    ],
  },
  {
    name: "OutboxView",
    states: [
      {
        name: "nothing waits, not counted in time",
        shows: page({}),
        says: ["No message waits, and none is dead.", "Open", "Published"],
        lacks: ["1,201", "Clear the filters", "Left out", "By topic"],
      },
      {
        name: "none of a topic, a filter left out",
        shows: page(
          { places: samplePlaces([samplePlace({ label: "Card payments", waiting: 1_200, dead: 1 })]) },
          { topic: "payments", older: "1h" },
          ["type"],
        ),
        says: [
          "No message matches these filters.",
          "Clear the filters",
          "1,201",
          "Card payments",
          "Left out: type is unknown.",
        ],
      },
      {
        name: "none is dead",
        shows: page({}, { state: "dead" }),
        says: ["No message is dead."],
        lacks: ["last 24h"],
      },
      {
        name: "nothing that was published is kept",
        shows: page({}, { state: "published" }),
        says: ["No message that was published in this time is kept.", "last 24h"],
      },
      {
        name: "none is pending, and one is dead",
        shows: page({ pending: 0 }, { state: "pending" }),
        says: ["No message waits; 1 is dead."],
        lacks: ["has left"],
      },
      {
        name: "a later page whose rows have left",
        shows: page({}, {}, [], { cursor: "c2" }),
        says: ["There is no row on this page.", "First page"],
        lacks: ["No message"],
        has: ['a[href="/outbox"]'],
      },
      {
        name: "nothing was published since a time",
        shows: page({}, { state: "published", from: "2026-11-20T00:00:00Z" }),
        says: ["from 2026-11-20T00:00:00Z"],
        lacks: ["last 24h"],
      },
      {
        name: "a search that is too wide",
        shows: page({ list: { kind: "too_broad", stoppedAfterSeconds: 3, hours: 24 } }, { state: "published" }),
        says: ["This search took too long.", "It stopped after 3 s.", "Use 1 hour"],
        lacks: ["No message"],
      },
      {
        name: "open ones that could not be read in time: no time narrows them",
        shows: page({ list: { kind: "too_broad", stoppedAfterSeconds: 3, hours: 24 } }),
        says: ["It stopped after 3 s.", "Read again"],
        lacks: ["No message", "Use 1 hour"],
      },
      {
        name: "a page of open ones",
        shows: page({ list: { kind: "page", rows: [dead], at: SAMPLE_NOW, next: "c2" } }),
        says: ["Dead first, then oldest, 50 a page"],
        lacks: ["No message waits"],
        off: ["Newer"],
        has: ['[aria-label="Open messages"]'],
      },
      {
        name: "a page of published ones",
        shows: page({ list: { kind: "page", rows: [published], at: SAMPLE_NOW } }, { state: "published" }),
        says: ["Newest first, 50 a page"],
        off: ["Newer", "Older"],
        has: ['[aria-label="Published messages"]'],
      },
    ],
  },
];
