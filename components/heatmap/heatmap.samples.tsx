import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import { bucketStarts } from "@/domain/metrics/chart-window";
import { binCount, type BinMeasure } from "@/domain/metrics/bins";
import { heatWindow, type HeatMeasure } from "@/domain/metrics/heatmap";
import { buildDistribution } from "@/presentation/metrics/distribution";
import { buildHeatmap, type HeatInput, type HeatSamples } from "@/presentation/metrics/heatmap";
import { cellFilters, cellListHref } from "@/presentation/metrics/heatmap-links";
import type { HeatmapView as View, HeatSelection } from "@/presentation/views/heatmap";
import { CellSide } from "./cell-side";
import { Distribution } from "./distribution";
import { HeatMap } from "./heat-map";
import { HeatmapView } from "./heatmap-view";

const WINDOW = heatWindow("6h", SAMPLE_NOW);
const COLUMNS = WINDOW.buckets;
const LAST = COLUMNS - 1;
const ADDRESS = { path: "/metrics/clients", search: {} };
const LONG = `merchant-${"of-a-very-long-name-".repeat(9)}end`.slice(0, 200);

const whole = (except: readonly number[] = []): HeatSamples["minutes"] =>
  Array.from({ length: COLUMNS }, (_, slot) => ({ slot, minutes: 15 })).filter(({ slot }) => !except.includes(slot));
/** @param counts per client, one number for each cell from the first on */
function samples(counts: Readonly<Record<string, readonly number[]>>, clients?: number): HeatSamples {
  const rows = Object.entries(counts);
  const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
  return {
    minutes: whole(),
    cells: [
      ...rows.flatMap(([client, values]) =>
        values.flatMap((count, slot) =>
          count === 0 ? [] : [{ client, slot, count, total: sum(values), clients: clients ?? rows.length }],
        ),
      ),
      ...Array.from({ length: COLUMNS }, (_, slot) => ({ slot, count: sum(rows.map(([, each]) => each[slot] ?? 0)) })),
    ],
  };
}
const flat = (count: number, changes: Readonly<Record<number, number>> = {}): readonly number[] =>
  Array.from({ length: COLUMNS }, (_, slot) => changes[slot] ?? count);

const NOW = samples({
  "till-web": flat(52, { 21: 412, 22: 96 }),
  "till-ios": flat(17, { 0: 9, 21: 120 }),
  "load-test": flat(0, { 6: 11, 7: 18, 8: 12 }),
});
const BEFORE = samples({ "till-web": flat(45), "till-ios": flat(17), "load-test": flat(0, { 6: 11, 7: 18, 8: 12 }) });

function distribution(measure: BinMeasure, never = 0, known = true) {
  const times = bucketStarts({ ...WINDOW, bucketSeconds: 300, buckets: 72 });
  const shape = [6, 12, 31, 410, 370, 70, 10, 4, 1];
  return buildDistribution({
    measure,
    window: { ...WINDOW, bucketSeconds: 300, buckets: 72 },
    times,
    minutes: known ? times.map((_, slot) => ({ slot, minutes: 5 })).filter(({ slot }) => slot > 5) : [],
    bins: known
      ? times.flatMap((_, slot) =>
          Array.from({ length: binCount(measure) }, (_, bin) => ({
            slot,
            bin,
            count: shape[bin] ?? (slot === 63 ? never : 0),
          })),
        )
      : [],
    at: SAMPLE_NOW,
  });
}

function view(changes: Partial<HeatInput> = {}, more: Partial<View> = {}): View {
  const input: HeatInput = {
    ...{ measure: "replayed", range: "6h", compare: "last-week", page: 1, window: WINDOW },
    ...{ until: "2026-11-22T14:30:00.000Z", due: "2026-11-22T14:28:00.000Z", now: NOW, before: BEFORE },
    ...changes,
  };
  const built = buildHeatmap(input);
  const { measure, range, compare, page, window, until } = input;
  return {
    ...{ at: SAMPLE_NOW, measure, range, compare, page, window, until, ...built },
    pages: Math.max(1, Math.ceil(built.clients / 8)),
    distributions: [distribution("first_answer", 48), distribution("retry_delay")],
    rolledUpMs: 22_000,
    ...more,
  };
}

export const SAMPLE_MAP = view();
const FROM = bucketStarts(WINDOW)[21] ?? "";
const TO = bucketStarts(WINDOW)[22] ?? "";
const MONEY = {
  minor: "999999999999999",
  amount: "9999999999999.99",
  currency: "EUR",
  display: "€9,999,999,999,999.99",
};
const operation = (count: number, key: string) => ({
  ...{ operationId: `${SAMPLE_ID.slice(0, -2)}${String(count).padStart(2, "0")}`, key, kind: "Payment", count },
  state: "COMPLETED" as const,
  money: MONEY,
});
const selected = (changes: Partial<HeatSelection> = {}, measure: HeatMeasure = "replayed"): HeatSelection => ({
  ...{ client: "till-web", from: FROM, to: TO, counted: 412, compared: 45 },
  href: cellListHref(cellFilters(measure, "till-web", { from: FROM, to: TO })),
  found: {
    ...{ answers: 412, operations: 96, purged: 0 },
    top: [14, 12, 11, 9, 8].map((count) => operation(count, `till-7-20261122-882${String(count)}-pay-1`)),
  },
  retries: { cell: [0, 20, 64, 10, 6, 0, 0, 0, 0], window: [0, 40, 80, 300, 200, 80, 0, 0, 0] },
  ...changes,
});
const page = (shown: View, search: Readonly<Record<string, string>> = {}) =>
  inLive(<HeatmapView view={shown} problems={[]} address={{ ...ADDRESS, search }} />);
const map = (shown: View) => <HeatMap map={shown} address={ADDRESS} />;
const side = (shown: HeatSelection | undefined, measure: HeatMeasure = "replayed") =>
  inLive(
    <CellSide
      view={{ ...view(), measure }}
      selected={shown}
      address={{ ...ADDRESS, search: { client: "till-web" } }}
    />,
  );

const MANY = samples(
  Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [index === 0 ? LONG : `client-${String(index)}`, flat(20_000 - index)]),
  ),
  300,
);

export const heatmapParts: readonly Part[] = [
  {
    name: "HeatMap",
    states: [
      {
        name: "beside last week",
        shows: map(view()),
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
          view({
            now: {
              ...NOW,
              minutes: whole([3, 4]).map((each) => (each.slot === LAST ? { ...each, minutes: 6 } : each)),
            },
          }),
        ),
        says: ["till-web, 09:15 to 09:30: no data", "not all of it is rolled up"],
        has: ['span[data-step="gap"]'],
        hasNot: ['a[data-step="gap"]'],
      },
      {
        name: "a request without a client has no list",
        shows: map(view({ now: samples({ "": flat(3) }), before: undefined, compare: "nothing" })),
        says: ["no client"],
        lacks: ["last week"],
        hasNot: ["tbody a"],
      },
      {
        name: "a name of 200 characters and large counts",
        shows: map(view({ now: MANY, before: undefined, compare: "nothing" })),
        says: [LONG, "480,000", "20,000 replays"],
      },
    ],
  },
  {
    name: "CellSide",
    states: [
      { name: "no cell is open", shows: side(undefined), says: ["Choose a cell"], hasNot: ["table"] },
      {
        name: "the operations with most answers",
        shows: side(selected()),
        says: [
          "412 replays",
          "On 96 operations.",
          "Last week: 45.",
          "Open all 96",
          "5 of 96",
          "84 % of the client's retries in this cell came within 2 s",
          "In the whole time it is 17 %.",
        ],
        lacks: ["purged", "Rolled up:"],
        has: [
          'a[href="/operations?answered=replayed&answeredTo=till-web&from=2026-11-22T13%3A45%3A00Z&to=2026-11-22T14%3A00%3A00Z"]',
          'a[href="/metrics/clients"]',
        ],
      },
      {
        name: "some operations are purged, and late events came since",
        shows: side(
          selected({ counted: 400, found: { answers: 412, operations: 1, purged: 408, top: [operation(4, "k-1")] } }),
        ),
        says: ["408 replays on purged operations", "Rolled up: 400.", "Open it in the list"],
      },
      {
        name: "too many to read",
        shows: side(selected({ found: undefined, retries: undefined })),
        says: ["412 replays", "Too many to read at once.", "Open the list"],
        lacks: ["On ", "retries"],
      },
      {
        name: "reuse too fast",
        shows: side(selected({ retries: undefined }, "reused"), "reused"),
        says: ["412 reuses too fast"],
        has: ['a[href^="/operations?reused=too_fast&answeredTo=till-web"]'],
      },
    ],
  },
  {
    name: "Distribution",
    states: [
      {
        name: "first answers, some never came, the first half hour is a gap",
        shows: <Distribution view={distribution("first_answer", 48)} address={ADDRESS} />,
        says: [
          "At least half of first answers took less than 200 ms, at least 95 % less than 800 ms.",
          "48 requests had no answer, most at 13:45 UTC: 48.",
          "No data for 6 of 72 columns.",
          "1.6 to 3.2 s",
          "over 3.2 s",
          "as a table",
        ],
        has: ['rect[data-shade="never"]', 'rect[data-shade="6"]', "svg[role='img']", 'a[href*="table=first-answer"]'],
        hasNot: ["table"],
      },
      {
        name: "retries",
        shows: <Distribution view={distribution("retry_delay")} address={ADDRESS} />,
        says: ["under 100 ms", "over 2 h", "reused a key too fast"],
        lacks: ["no answer", "p95"],
        hasNot: ['[data-shade="never"]'],
      },
      {
        name: "as a table",
        shows: (
          <Distribution
            view={distribution("first_answer", 48)}
            address={{ ...ADDRESS, search: { table: "first-answer" } }}
          />
        ),
        says: ["no answer", "as a chart", "no data"],
        has: ["table"],
        hasNot: ["svg"],
      },
      {
        name: "no bins are kept yet",
        shows: <Distribution view={distribution("first_answer", 0, false)} address={ADDRESS} />,
        says: ["No minute of this time has a distribution yet."],
        lacks: ["At least"],
        hasNot: ['rect[data-shade="6"]'],
      },
    ],
  },
  {
    name: "HeatmapView",
    states: [
      {
        name: "more than last week, most of it at once",
        shows: page(view({}, { selected: selected() })),
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
        shows: page(view({ now: MANY, before: undefined, compare: "nothing" })),
        says: ["Clients 1 to 8 of 300, most first", "292 more"],
        lacks: ["far more than"],
        has: ['a[href="/metrics/clients?page=2"]'],
      },
      {
        name: "as a table",
        shows: page(view(), { table: "heatmap" }),
        says: ["412 (last week 45), far more", "all clients"],
        has: ['td a[href*="answeredTo=till-web"]'],
        hasNot: ['[role="grid"]'],
      },
      {
        name: "conflicts, and none",
        shows: page(
          view({ measure: "conflict", now: { cells: [], minutes: whole() }, before: undefined, compare: "nothing" }),
          { show: "conflict" },
        ),
        says: ["No conflict in six hours.", "it is refused and charges nothing"],
        hasNot: ['[role="grid"]'],
      },
      {
        name: "nothing is rolled up",
        shows: page(
          view(
            { now: { cells: [], minutes: [] }, before: { cells: [], minutes: [] } },
            { rolledUpMs: undefined, distributions: [] },
          ),
        ),
        says: ["No data for these six hours.", "not rolled up yet"],
      },
      {
        name: "seven days",
        shows: page(view({ range: "7d", compare: "nothing", before: undefined })),
        says: ["replays in seven days."],
        lacks: ["yesterday"],
      },
    ],
  },
];
