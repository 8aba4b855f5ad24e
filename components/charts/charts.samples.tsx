import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { ChartAge } from "./sparkline-section";
import { ChartTable } from "./chart-table";
import { CursorLayer } from "./cursor-layer";
import { RangeLinks } from "./range-links";
import { ShareBars } from "./share-bars";
import { SparklinePlot } from "./sparkline-plot";
import { Sparklines } from "./sparklines";
import { Trend } from "./trend";
import type { Draw, SparklineSeries } from "./types";

const TIMES = ["2026-11-22T14:00:00.000Z", "2026-11-22T14:05:00.000Z", "2026-11-22T14:10:00.000Z"];
const SERIES: SparklineSeries = {
  id: "conflict",
  label: "Conflicts",
  draw: "bars",
  color: "conflict",
  values: [0, null, 12],
  now: "12",
  total: "12 in all",
};
const LIST = { label: "the conflicts", path: "/conflicts", search: {}, windowed: true, groups: [] };
const BANDS = [
  { from: "2026-11-22T14:00:00.000Z", to: "2026-11-22T14:04:00.000Z", label: "provider timeouts" },
  { from: "2026-11-22T14:11:00.000Z", to: "2026-11-22T14:14:00.000Z", label: "late" },
];
const age = (asTable: boolean) => (
  <ChartAge at={SAMPLE_NOW} now={SAMPLE_NOW} tableHref="/?table=true" chartHref="/" asTable={asTable} />
);
const plot = (draw: Draw, values: SparklineSeries["values"]) => (
  <SparklinePlot series={{ draw, values, color: "ink" }} />
);
const cursor = (props: Partial<Parameters<typeof CursorLayer>[0]>) => (
  <div style={{ position: "relative", height: 44 }}>
    <CursorLayer
      size={4}
      active={undefined}
      onActive={() => undefined}
      label="Conflicts"
      say={(index) => `bucket ${String(index)}`}
      {...props}
    />
  </div>
);

export const chartParts: readonly Part[] = [
  {
    name: "Sparklines",
    states: [
      {
        name: "drawn",
        shows: <Sparklines label="Answers" times={TIMES} series={[SERIES]} totalLabel="15 min" />,
        says: ["Answers", "now", "15 min", "12 in all", "14:05"],
        has: ["figure", '[role="slider"][aria-valuetext="14:10, 12"]'],
        hasNot: ["table", "a", "figure [data-tone]", "[data-opens]"],
      },
      {
        name: "with lists behind it, its state and two incidents",
        shows: (
          <Sparklines
            label="Answers"
            times={TIMES}
            series={[{ ...SERIES, glyph: "conflict", href: "/metrics#conflict", list: LIST, nowTone: "broken" }]}
            totalLabel="15 min"
            bands={BANDS}
          />
        ),
        says: ["provider timeouts 14:00 to 14:04", "late 14:11 to 14:14"],
        has: [
          'a[href="/metrics#conflict"]',
          'div[data-tone="broken"]',
          '[data-opens][aria-description="Enter opens the conflicts"]',
          'span[style*="right"]',
        ],
      },
      {
        name: "as a table",
        shows: <Sparklines asTable label="Answers" times={TIMES} series={[{ ...SERIES, list: LIST }]} totalLabel="" />,
        says: ["From", "no data"],
        has: ['a[href*="/conflicts?"]'],
        hasNot: ["figure", "td + td", "tr:first-child td a"],
      },
    ],
  },
  {
    name: "ChartTable",
    states: [
      {
        name: "each number in its unit, words where a number is not exact",
        shows: (
          <ChartTable
            label="Times"
            times={TIMES}
            series={[
              { id: "a", label: "Time", unit: "ms", values: [240, null, 12_000] },
              { id: "b", label: "Share", unit: "share", values: [0.05, 0.5, 1] },
              { id: "c", label: "Money", values: [1, 2, 3], words: ["€1.00", "€2.00", "€3.00"] },
            ]}
          />
        ),
        says: ["240 ms", "none", "5.00 %", "50.0 %", "€2.00"],
        hasNot: ["a"],
      },
      {
        name: "a stretch without data is one row",
        shows: (
          <ChartTable label="Gap" times={TIMES} series={[{ id: "a", label: "Answers", values: [null, null, 4] }]} />
        ),
        says: [" to ", "no data", "4"],
        has: ["tbody tr:nth-child(2):last-child"],
      },
    ],
  },
  {
    name: "CursorLayer",
    states: [
      {
        name: "at rest it reads the newest, and opens nothing",
        shows: cursor({}),
        says: ["Conflicts"],
        has: ['[aria-valuenow="3"][aria-valuetext="bucket 3"]'],
        hasNot: ["i", "[data-opens]", "[aria-description]"],
      },
      {
        name: "on a bucket that opens a list",
        shows: cursor({ active: 1, onOpen: () => undefined, opens: "the conflicts" }),
        has: ['[data-opens][aria-valuenow="1"][aria-description="Enter opens the conflicts"]', 'i[style*="37.5%"]'],
      },
    ],
  },
  {
    name: "SparklinePlot",
    states: [
      {
        name: "what was not measured is a dotted base",
        shows: plot("bars", [1, null, 0]),
        has: ['path:first-child[d="M10 44h10"]', 'path:last-child[fill="var(--ob-ink2)"]'],
      },
      { name: "outline", shows: plot("outline", [1]), has: ['path[fill="none"][stroke="var(--ob-ink2)"]'] },
      { name: "dashed", shows: plot("dashed", [1]), has: ['path[stroke-dasharray="3 1.5"][d="M5 44V2"]'] },
      {
        name: "a line breaks where nothing was measured, and a point alone is drawn",
        shows: plot("line", [1, 1, null, 1]),
        has: ['path:last-child[d="M5 2L15 2M35 2h.01"]'],
      },
    ],
  },
  {
    name: "ChartAge",
    states: [
      { name: "beside a chart", shows: age(false), says: ["as a table"], has: ['a[href="/?table=true"]'] },
      { name: "beside a table", shows: age(true), says: ["as a chart"], has: ['a[href="/"]'] },
    ],
  },
  {
    name: "RangeLinks",
    states: [
      {
        name: "one is shown",
        shows: <RangeLinks current="6h" href={(range) => `/?range=${range}`} />,
        lacks: ["30 d"],
        has: ['a[href="/?range=6h"][aria-current]', 'a[href="/?range=7d"]:not([aria-current])'],
      },
      {
        name: "another time than one of these",
        shows: <RangeLinks current={undefined} href={(range) => `/?range=${range}`} ranges={["1h", "30d"]} />,
        says: ["1 h", "30 d"],
        lacks: ["24 h"],
        hasNot: ["[aria-current]"],
      },
    ],
  },
  {
    name: "ShareBars",
    states: [
      {
        name: "parts of a whole",
        shows: (
          <ShareBars
            items={[
              { label: "payment", count: 8 },
              { label: "refund", count: 0 },
            ]}
          />
        ),
        has: ['li:first-child:not([data-none]) i[style*="74%"]', "li[data-none]:last-child"],
      },
    ],
  },
  {
    name: "Trend",
    states: [
      {
        name: "little is seen, nothing is not",
        shows: <Trend values={[0, 1, 1_000]} color="broken" label="1,001 in three hours" />,
        says: ["1,001 in three hours"],
        has: ['rect:nth-of-type(1)[height="0"]', 'rect:nth-of-type(2)[height="2"]', 'rect[fill="var(--ob-broken)"]'],
      },
    ],
  },
];
