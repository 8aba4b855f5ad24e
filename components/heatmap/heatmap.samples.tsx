import { inLive } from "@/components/parts/in-live";
import type { Part } from "@/components/parts/part";
import type { HeatMeasure } from "@/domain/metrics/heatmap";
import type { HeatmapView as View, HeatSelection } from "@/presentation/views/heatmap";
import { CellSide } from "./cell-side";
import { HeatMap } from "./heat-map";
import {
  flatCounts,
  HEAT_ADDRESS,
  LAST_COLUMN,
  LONG_CLIENT,
  HEAT_NOW,
  cellOperation,
  heatSamples,
  sampleCell,
  sampleHeatmap,
  wholeMinutes,
} from "./heatmap-facts.samples";
import { HeatmapView } from "./heatmap-view";

const page = (shown: View, search: Readonly<Record<string, string>> = {}) =>
  inLive(<HeatmapView view={shown} problems={[]} address={{ ...HEAT_ADDRESS, search }} />);
const map = (shown: View) => <HeatMap map={shown} address={HEAT_ADDRESS} />;
const side = (shown: HeatSelection | undefined, measure: HeatMeasure = "replayed") =>
  inLive(
    <CellSide
      view={{ ...sampleHeatmap(), measure }}
      selected={shown}
      address={{ ...HEAT_ADDRESS, search: { client: "till-web" } }}
    />,
  );

const MANY = heatSamples(
  Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      index === 0 ? LONG_CLIENT : `client-${String(index)}`,
      flatCounts(20_000 - index),
    ]),
  ),
  300,
);

export const heatmapParts: readonly Part[] = [
  {
    name: "HeatMap",
    states: [
      {
        name: "beside last week",
        shows: map(sampleHeatmap()),
        says: [
          "till-web, 13:45 to 14:00: 412 replays, last week 45, far more than last week",
          "till-ios, 08:30 to 08:45: 9 replays, last week 17",
          "load-test, 08:30 to 08:45: no replay, last week 0",
          "+53 %",
          "same",
        ],
        has: [
          'table[role="grid"]',
          'a[data-step="6"][data-far][href="/metrics/clients?client=till-web&cell=2026-11-22T13%3A45%3A00Z"]',
          'span[data-step="0"]',
          '[data-place="0 23"][tabindex="0"]',
        ],
        hasNot: ['[data-place="0 0"][tabindex="0"]', '[data-place="1 21"][data-step="6"]', "a[aria-current]"],
      },
      {
        name: "a gap is not none, and half a cell says so",
        shows: map(
          sampleHeatmap({
            now: {
              ...HEAT_NOW,
              minutes: wholeMinutes([3, 4]).map((each) => (each.slot === LAST_COLUMN ? { ...each, minutes: 6 } : each)),
            },
          }),
        ),
        says: ["till-web, 09:15 to 09:30: no data", "not all of it is rolled up"],
        has: ['span[data-step="gap"]'],
        hasNot: ['a[data-step="gap"]'],
      },
      {
        name: "requests that named no client have a list too; without a comparison there is no column of changes",
        shows: map(sampleHeatmap({ now: heatSamples({ "": flatCounts(3) }), before: undefined, compare: "nothing" })),
        says: ["no client"],
        lacks: ["last week", "change"],
        has: ['td a[href^="/metrics/clients?client=%28none%29&cell="]'],
        hasNot: ["tbody th a"],
      },
      {
        name: "a name of 200 characters and large counts",
        shows: map(sampleHeatmap({ now: MANY, before: undefined, compare: "nothing" })),
        says: [LONG_CLIENT, "480,000", "20,000 replays"],
      },
    ],
  },
  {
    name: "CellSide",
    states: [
      { name: "no cell is open", shows: side(undefined), says: ["Choose a cell"], hasNot: ["table"] },
      {
        name: "the operations with most answers",
        shows: side(sampleCell()),
        says: [
          "412 replays",
          "On 96 operations.",
          "Last week: 45.",
          "Open all 96",
          "5 of 96",
          "84 % of the client's retries in this cell came within 2 s",
          "In the whole time it is 17 %.",
        ],
        lacks: ["purged", "Rolled up:", "not read in time"],
        has: [
          'a[href="/operations?answered=replayed&answeredTo=till-web&from=2026-11-22T13%3A45%3A00Z&to=2026-11-22T14%3A00%3A00Z"]',
          'a[href="/metrics/clients"]',
        ],
      },
      {
        name: "some operations are purged, and late events came since",
        shows: side(
          sampleCell({
            counted: 400,
            found: { answers: 412, operations: 1, purged: 408, top: [cellOperation(4, "k-1")] },
          }),
        ),
        says: ["408 replays on purged operations", "Rolled up: 400.", "Open it in the list"],
      },
      {
        name: "too many to read",
        shows: side(sampleCell({ found: undefined, retries: undefined })),
        says: ["412 replays", "They were not read in time.", "Open the list"],
        lacks: ["On ", "retries"],
      },
      {
        name: "of requests that named no client",
        shows: side(sampleCell({ client: "", found: { answers: 0, operations: 0, purged: 0, top: [] } })),
        says: ["no client", "0 replays"],
        lacks: ["On 0"],
      },
      {
        name: "reuse too fast",
        shows: side(sampleCell({ retries: undefined }, "reused"), "reused"),
        says: ["412 reuses too fast"],
        has: ['a[href^="/operations?reused=too_fast&answeredTo=till-web"]'],
      },
    ],
  },
  {
    name: "HeatmapView",
    states: [
      {
        name: "more than last week, most of it at once",
        shows: page(sampleHeatmap({}, { selected: sampleCell() })),
        says: [
          "2,196 replays in six hours, 44 % more than last week.",
          "470 of the 667 more came at 13:45 UTC.",
          "Most from till-web: 1,652.",
          "Replays by client",
          "15 min a cell",
          "First answer",
          "Retry delay",
        ],
        lacks: ["No data, or"],
        has: ['a[aria-current="true"][href*="cell="]', 'a[href="/metrics/clients?show=conflict"]', "#first-answer"],
        hasNot: ['a[href*="page="]'],
      },
      {
        name: "300 clients",
        shows: page(sampleHeatmap({ now: MANY, before: undefined, compare: "nothing" })),
        says: ["Clients 1 to 8 of 300, most first", "292 more"],
        lacks: ["far more than"],
        has: ['a[href="/metrics/clients?page=2"]', 'form input[name="find"]'],
      },
      {
        name: "11 of 300 clients are looked for",
        shows: page(
          sampleHeatmap({ now: MANY, before: undefined, compare: "nothing", find: "client" }, { found: 11, pages: 2 }),
          { show: "conflict", find: "client", page: "1" },
        ),
        says: ["Clients 1 to 8 of 11, most first", "11 of 300 clients have “client” in the name.", "3 more"],
        has: ['form input[type="hidden"][name="show"]', 'input[name="find"][value="client"]'],
        hasNot: ['input[type="hidden"][name="page"]'],
      },
      {
        name: "nobody has that name",
        shows: page(
          sampleHeatmap(
            { now: { cells: [{ slot: 0, count: 3, clients: 300 }], minutes: wholeMinutes() }, before: undefined },
            { find: LONG_CLIENT, clients: 300, found: 0 },
          ),
        ),
        says: ["None of 300 clients has “merchant-of-a-very-long", "Show all 300"],
        lacks: ["Other times"],
        hasNot: ['[role="grid"]'],
      },
      {
        name: "as a table",
        shows: page(sampleHeatmap(), { table: "heatmap" }),
        says: ["412 (last week 45), far more", "all clients"],
        has: ['td a[href*="answeredTo=till-web"]'],
        hasNot: ['[role="grid"]'],
      },
      {
        name: "conflicts, and none",
        shows: page(
          sampleHeatmap({
            measure: "conflict",
            now: { cells: [], minutes: wholeMinutes() },
            before: undefined,
            compare: "nothing",
          }),
          { show: "conflict" },
        ),
        says: ["No conflict in six hours.", "it is refused and charges nothing"],
        lacks: ["Choose a cell"],
        hasNot: ['[role="grid"]'],
      },
      {
        name: "nothing is rolled up",
        shows: page(
          sampleHeatmap(
            { now: { cells: [], minutes: [] }, before: { cells: [], minutes: [] } },
            { rolledUpMs: undefined, distributions: [] },
          ),
        ),
        says: ["No data for these six hours.", "not rolled up yet"],
      },
      {
        name: "seven days",
        shows: page(sampleHeatmap({ range: "7d", compare: "nothing", before: undefined })),
        says: ["replays in seven days."],
        lacks: ["yesterday"],
      },
    ],
  },
];
