import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { riskPoints, riskTime, type RiskRange } from "@/domain/metrics/risk";
import { moneyView } from "@/presentation/operation/money-view";
import { riskSeries, type DoubtChange } from "@/presentation/risk/series";
import type { ChangeRow, ChangesView, RiskMark, RiskView } from "@/presentation/views/risk";
import { MoneyAtRisk } from "./money-at-risk";
import { RiskWindow } from "./risk-window";
import { WhatChanged } from "./what-changed";

const ADDRESS = { path: "/", search: {} };
/** Minutes before the sample's now. */
const ago = (minutes: number): string => new Date(Date.parse(SAMPLE_NOW) - minutes * 60_000).toISOString();

const change = (name: ChangeRow["name"], label: string, more: Partial<ChangeRow> = {}): ChangeRow => ({
  name,
  label,
  value: "48",
  usual: "0",
  from: "All sent to northpay, 14:02:09 to 14:09:00.",
  href: "/operations?became=unknown",
  open: "operations",
  list: "operations that became unknown in this time",
  ...more,
});
const WINDOW = { from: ago(28), to: ago(16) };
export const sampleChanges = (more: Partial<ChangesView> = {}): ChangesView => ({
  window: WINDOW,
  note: "against the same 12 minutes on the last 20 working days with data, by distance from the usual",
  rows: [],
  rest: ["Nothing is away from the usual."],
  href: "/metrics",
  measures: 11,
  ...more,
});

/** Doubts of one currency, each in its steps of age as it ripens. */
function changesOf(currency: string, minor: bigint, steps: number): readonly DoubtChange[] {
  const places = [0.6, 0.64, 0.72, 0.85].map((part) => Math.round(part * steps));
  return places.flatMap((index, step): DoubtChange[] => {
    const next = places[step + 1];
    const begin = { currency, step, index, minor: minor.toString(), count: 4 };
    return next === undefined
      ? [begin]
      : [begin, { currency, step, index: next, minor: (-minor).toString(), count: -4 }];
  });
}

interface SampleRisk extends Partial<RiskView> {
  readonly range?: RiskRange;
  readonly money?: Readonly<Record<string, bigint>>;
}
export function sampleRisk({ range = "2h", money = {}, ...more }: SampleRisk = {}): RiskView {
  const time = riskTime(range, SAMPLE_NOW);
  const series = riskSeries(
    Object.entries(money).flatMap(([currency, minor]) => changesOf(currency, minor, time.steps)),
    time,
  );
  const [shown] = series;
  return {
    at: SAMPLE_NOW,
    time,
    points: riskPoints(time),
    unknown: 0,
    series,
    shown,
    none: shown === undefined ? "Nothing was in doubt in these 2 hours." : undefined,
    spoken: shown === undefined ? "" : "Money in doubt: nothing until 14:02, €43,818.11 now.",
    end:
      shown === undefined
        ? undefined
        : {
            money: shown.currency === "" ? undefined : moneyView(money[shown.currency], shown.currency),
            operations: "4 operations",
            age: "all over 30 min",
          },
    notes: [],
    marks: [],
    changes: sampleChanges(),
    ...more,
  };
}

const MARKS: readonly RiskMark[] = [
  { id: "1", kind: "deploy", at: ago(100), label: "api 2.31.0", href: "https://ci.example/7" },
  { id: "2", kind: "policy", at: ago(80), label: "payments.create: lease 30 s", href: "/policies/payments.create" },
  { id: "3", kind: "pause", at: ago(60), until: ago(54), label: "analytics paused 6 min", href: "/topics/analytics" },
  { id: "4", kind: "incident", at: ago(28), until: ago(21), label: "new unknown" },
  { id: "5", kind: "deploy", at: ago(27), label: `${"long-name-".repeat(20)} 1` },
];
const chart = (risk: RiskView, asTable = false) => <MoneyAtRisk risk={risk} address={ADDRESS} asTable={asTable} />;
const EUR = { EUR: 4_381_811n };

export const riskParts: readonly Part[] = [
  {
    name: "MoneyAtRisk",
    states: [
      {
        name: "in doubt, with every kind of mark",
        shows: chart(sampleRisk({ money: EUR, marks: MARKS })),
        says: [
          "EUR in doubt by age, highest per 30 s",
          "€43,818.11",
          "4 operations, now",
          "all over 30 min",
          "Deploy: api 2.31.0, 12:50 UTC",
          "Policy change: payments.create: lease 30 s, 13:10 UTC",
          "Pause or stop: analytics paused 6 min, 13:30 to 13:36 UTC",
          "Incident: new unknown, 14:02 to 14:09 UTC",
          "€40,000",
        ],
        lacks: ["Nothing was in doubt"],
        has: [
          'path[data-step="3"]',
          '[role="slider"]',
          'a[href="https://ci.example/7"]',
          'a[href="/topics/analytics"]',
        ],
      },
      {
        name: "nothing was in doubt",
        shows: chart(sampleRisk()),
        says: ["Nothing was in doubt in these 2 hours.", "24 h"],
        lacks: ["under 5 min"],
        hasNot: ["figure"],
      },
      {
        name: "two currencies of fifteen digits, never added up",
        shows: chart(sampleRisk({ money: { EUR: 99_999_999_999_999_999n, JPY: 5_000_000_000n }, range: "24h" })),
        says: ["EUR", "JPY", "€999,999,999,999,999.99", "€1000 tn"],
        has: ['a[aria-current="true"][href="/?currency=EUR"]', 'a[href="/?currency=JPY"]'],
      },
      {
        name: "without an amount the operations are counted",
        shows: chart(sampleRisk({ money: { "": 0n }, notes: ["Up to 4 operations in doubt had no amount."] })),
        says: ["operations in doubt by age", "4 operations, now", "had no amount"],
      },
      {
        name: "brushed",
        shows: chart(sampleRisk({ money: EUR, window: WINDOW })),
        says: ["Start of the window", "End of the window"],
        has: ['[aria-valuetext="14:02 UTC"]', '[aria-valuetext="14:14 UTC"]'],
        hasNot: ["[data-idle]"],
      },
      {
        name: "a week of which the beginning is not kept, with an incident of days ago",
        shows: chart(
          sampleRisk({
            money: EUR,
            range: "7d",
            unknown: 100,
            marks: [{ id: "4", kind: "incident", at: ago(3 * 1_440), until: ago(3 * 1_440 - 9), label: "new unknown" }],
            notes: ["What was in doubt is kept for 31 days: nothing is known before 17 Nov, 16:30 UTC."],
          }),
        ),
        says: [
          "highest per 30 min",
          "no data",
          "nothing is known before 17 Nov, 16:30 UTC",
          "Incident: new unknown, 19 Nov, 14:30 to 19 Nov, 14:39 UTC",
        ],
        has: ["rect", 'a[href="/?from=2026-11-19T14%3A30%3A00Z&to=2026-11-19T14%3A39%3A00Z"]'],
      },
      {
        name: "a gap, as a table",
        shows: chart(sampleRisk({ money: EUR, range: "7d", unknown: 100 }), true),
        says: ["no data", "€43,818.11 (4)"],
        hasNot: ["figure"],
      },
      {
        name: "as a table",
        shows: chart(sampleRisk({ money: EUR, marks: MARKS }), true),
        says: ["as a chart", "EUR, over 30 min", "€43,818.11 (4)", "Pause or stop: analytics paused 6 min"],
        hasNot: ["figure"],
      },
    ],
  },
  {
    name: "RiskWindow",
    states: [
      {
        name: "all of the chart",
        shows: <RiskWindow drawn risk={sampleRisk({ money: EUR })} address={ADDRESS} />,
        says: ["about all of it", "Drag across the chart"],
        lacks: ["Drop the window"],
        has: ['input[name="from"][value="2026-11-22T12:30"]'],
      },
      {
        name: "nothing was in doubt, so there is no chart",
        shows: <RiskWindow drawn={false} risk={sampleRisk({})} address={ADDRESS} />,
        says: ["about all of it"],
        lacks: ["Drag across the chart"],
      },
      {
        name: "a window of twelve minutes",
        shows: (
          <RiskWindow
            drawn
            risk={sampleRisk({ money: EUR, window: WINDOW })}
            address={{ path: "/", search: { risk: "6h", from: WINDOW.from, to: WINDOW.to } }}
          />
        ),
        says: ["14:02 to 14:14 UTC", "12 min.", "Drop the window"],
        has: ['a[href="/?risk=6h"]', 'input[type="hidden"][name="risk"][value="6h"]'],
        hasNot: ['input[name="from"] ~ input[name="from"]'],
      },
    ],
  },
  {
    name: "WhatChanged",
    states: [
      {
        name: "three measures",
        shows: (
          <WhatChanged
            changes={sampleChanges({
              rows: [
                change("unknown", "New unknown"),
                change("in_progress", "Answered while in flight", {
                  value: "402",
                  usual: "8",
                  from: "311 of 402 from till-web.",
                }),
                change("first_answer", "First answer, p95", {
                  value: "10.0 s",
                  usual: "240 ms",
                  open: "chart",
                  from: "",
                }),
              ],
              rest: [
                "As usual: conflicts 1.",
                "No deploy, policy change or pause began or ended in the window; the nearest in the chart, analytics paused 6 min, ended 12 minutes before.",
              ],
            })}
          />
        ),
        says: [
          "on the last 20 working days with data",
          "New unknown",
          "48",
          "All sent to northpay",
          "10.0 s",
          "Usual 240 ms.",
          "New unknown: operations that became unknown in this time",
          "ended 12 minutes before",
          "all 11 measures",
        ],
        lacks: ["because", "caused"],
      },
      {
        name: "no day to compare with",
        shows: (
          <WhatChanged
            changes={sampleChanges({
              note: "no earlier working day has data for these minutes, so there is no usual",
              rest: [
                "No deploy, policy change or pause began or ended in the window, nor in the 2 hours of the chart.",
              ],
            })}
          />
        ),
        says: ["there is no usual", "nor in the 2 hours"],
        hasNot: ["table"],
      },
    ],
  },
];
