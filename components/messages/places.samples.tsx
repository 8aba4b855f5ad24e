import { sampleAction } from "@/components/operation/operation-facts.samples";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { TopicView as Topic } from "@/presentation/views/place-pages";
import type { PlaceChart, PlaceSeries } from "@/presentation/views/places";
import { sampleOutbox, samplePlace, samplePlaces } from "./message-samples";
import { PlaceCharts, type PlaceChartsProps } from "./place-charts";
import { PlaceName, PlaceTable } from "./place-table";
import { PlacesView } from "./places-view";
import { WaitingLongest } from "./waiting-longest";

const ADDRESS = { path: "/topics/payments", search: {} };
const paused = { at: "2026-11-22T14:00:00.000000Z", by: "Ada", reason: "maintenance" };
const strip = (name: PlaceSeries["name"], total: number | null, unit: "count" | "ms" = "count"): PlaceSeries => ({
  name,
  unit,
  values: [total, null],
  now: total,
  total,
});

/** Of an hour in which one message waited. */
export function samplePlaceChart(changes: Partial<PlaceChart> = {}): PlaceChart {
  return {
    range: "1h",
    bucketSeconds: 60,
    buckets: ["2026-11-22T14:28:00Z", "2026-11-22T14:29:00Z"],
    strips: [strip("succeeded", 0), strip("lag_max", 1_500, "ms")],
    ...changes,
  };
}

export function sampleTopic(changes: Partial<Topic> = {}): Topic {
  return {
    at: SAMPLE_NOW,
    row: samplePlace(),
    verdict: { text: "", clauses: [] },
    chart: samplePlaceChart(),
    errors: [],
    waiting: [],
    route: { transport: "http", otherwise: "the default", offered: ["http"], fallback: "http", version: 0 },
    actions: {
      pause: sampleAction("pause", "Pause"),
      resume: sampleAction("resume", "Resume"),
      route: sampleAction("route", "Change route"),
    },
    ...changes,
  };
}

const charts = (changes: Partial<PlaceChart>, props: Partial<PlaceChartsProps> = {}) =>
  inLive(
    <PlaceCharts
      side="outbox"
      label="payments"
      chart={samplePlaceChart(changes)}
      now={SAMPLE_NOW}
      address={ADDRESS}
      {...props}
    />,
  );
const longest = (count: number) => (
  <WaitingLongest
    whyNot={undefined}
    detail={sampleTopic({ row: samplePlace({ waiting: 1_200 }), waiting: Array(count).fill(sampleOutbox()) })}
  >
    the list
  </WaitingLongest>
);

export const placeParts: readonly Part[] = [
  {
    name: "PlaceName",
    states: [
      {
        name: "nothing is wrong",
        shows: <PlaceName row={samplePlace({ place: "a/b" })} />,
        lacks: ["paused", "handled alone"],
        has: ['a[href="/topics/a%2Fb"]'],
        hasNot: ["i"],
      },
      {
        name: "paused",
        shows: <PlaceName row={samplePlace({ transport: "nats", paused })} />,
        says: ["nats", "paused", "by Ada: maintenance"],
        has: ['i[data-tone="doubt"]'],
        hasNot: ['i[data-tone="broken"]'],
      },
      {
        name: "an outage, and a consumer that handles some alone",
        shows: <PlaceName row={samplePlace({ side: "inbox", outage: "no connection", alone: 1_200 })} />,
        says: ["1,200 handled alone"],
        has: ['i[data-tone="broken"][title="no connection"]', 'a[href="/consumers/payments"]'],
      },
    ],
  },
  {
    name: "PlaceTable",
    states: [
      { name: "no place", shows: <PlaceTable places={samplePlaces([])} />, hasNot: ["*"] },
      {
        name: "all of two, which add up",
        shows: (
          <PlaceTable
            places={samplePlaces(
              [
                samplePlace({ waiting: 2, failing: 1, dead: 3, oldestMs: 5_000 }),
                samplePlace({ place: "mail", label: "mail", waiting: 5, oldestMs: 9_000 }),
              ],
              { rolledUpMs: 4_000 },
            )}
          />
        ),
        says: ["By topic", "last hour rolled up", "7 waiting", "3 dead", "Published, 1 h"],
        lacks: ["not rolled up yet", "All 2"],
      },
      {
        name: "the first of more than are looked at",
        shows: (
          <PlaceTable
            most={1}
            places={samplePlaces(
              [
                samplePlace({ side: "inbox", place: "ledger", label: "ledger" }),
                samplePlace({ side: "inbox", place: "mailer", label: "mailer" }),
              ],
              { side: "inbox", more: true },
            )}
          />
        ),
        says: ["By consumer", "All 2+ consumers", "not rolled up yet", "Handled, 1 h", "none"],
        lacks: ["mailer"],
        has: ['a[href="/consumers"]'],
      },
    ],
  },
  {
    name: "PlacesView",
    states: [
      {
        name: "no topic",
        shows: <PlacesView places={samplePlaces([])} />,
        says: ["No topic is listed.", "Topics are sent independently"],
        hasNot: ["table"],
      },
      {
        name: "no consumer",
        shows: <PlacesView places={samplePlaces([], { side: "inbox" })} />,
        says: ["No consumer is listed.", "Each consumer has its own row"],
      },
      {
        name: "topics",
        shows: <PlacesView places={samplePlaces([samplePlace()])} />,
        says: ["All topics"],
        lacks: ["No topic is listed."],
        has: ["table"],
      },
    ],
  },
  {
    name: "PlaceCharts",
    states: [
      {
        name: "nothing was done in the minute that was rolled up",
        shows: charts({}),
        says: ["Last hour", "per minute", "not rolled up yet", "Nothing was done here in what was", "Published"],
        lacks: ["Handled", "in this time"],
      },
      {
        name: "nothing was done in the whole hour",
        shows: charts({ strips: [{ ...strip("succeeded", 0), values: [0, 0] }] }),
        says: ["Nothing was done here in this time."],
      },
      {
        name: "no minute of it was rolled up",
        shows: charts({ strips: [{ ...strip("succeeded", 0), values: [null, null] }] }),
        says: ["Nothing was rolled up of this time."],
        lacks: ["Nothing was done"],
      },
      {
        name: "a consumer that gave up",
        shows: charts(
          {
            range: "24h",
            bucketSeconds: 300,
            rolledUpMs: 5_000,
            strips: [strip("succeeded", 4), strip("dead", 2), strip("lag_p95", null, "ms")],
          },
          { side: "inbox" },
        ),
        says: ["Last 24 hours", "per 5 minutes", "Handled", "Died", "none"],
        lacks: ["Nothing was done", "not rolled up yet", "none max", "Published"],
      },
      {
        name: "seven days as a table",
        shows: charts(
          { range: "7d", bucketSeconds: 7_200, rolledUpMs: 5_000 },
          { address: { path: "/topics/payments", search: { table: "true" } } },
        ),
        says: ["per 2 hours"],
        has: ["table"],
      },
    ],
  },
  {
    name: "WaitingLongest",
    states: [
      {
        name: "nothing waits",
        shows: longest(0),
        says: ["Nothing waits."],
        lacks: ["the list", "the oldest"],
        has: ['a[href="/outbox?topic=payments"]'],
      },
      {
        name: "two of many",
        shows: longest(2),
        says: ["the oldest 2 of 1,200", "the list"],
        lacks: ["Nothing waits."],
      },
    ],
  },
];
