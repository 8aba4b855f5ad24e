import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { FilterProblem } from "@/presentation/filters/search";
import type { MeasureChart as Chart, MetricsView as View } from "@/presentation/views/metrics";
import { MeasureChart } from "./measure-chart";
import { MetricsView } from "./metrics-view";

const TIMES = ["2026-11-22T14:00:00.000Z", "2026-11-22T14:05:00.000Z"];
const LIST = { label: "the conflicts", path: "/conflicts", search: {}, windowed: true, groups: ["client" as const] };
const line = (label: string, slot: number) => ({ label, slot, values: [3, 12], now: 12, total: 15 });
const CONFLICTS: Chart = {
  name: "conflict",
  section: "answers",
  title: "Conflicts",
  note: "Another command under a used key.",
  unit: "count",
  series: [line("conflicts", 0)],
};
const LATENCY: Chart = { ...CONFLICTS, name: "latency", section: "times", title: "Time", unit: "ms" };
const MONEY: Chart = {
  ...CONFLICTS,
  name: "suppressed",
  title: "Not charged again",
  unit: "money",
  currency: "EUR",
  series: [{ ...line("money", 0), exact: { values: ["300", null], now: "1200", total: "1500" } }],
};
const ADDRESS = { path: "/metrics", search: {} };
const chart = (changes: Partial<Chart>, more: Partial<Parameters<typeof MeasureChart>[0]> = {}) => (
  <MeasureChart chart={{ ...CONFLICTS, ...changes }} times={TIMES} address={ADDRESS} asTable={false} {...more} />
);
const FACTS = { page: "metrics", tenant: "acme", views: [] } as const;
const VIEW: View = {
  at: SAMPLE_NOW,
  window: { from: "2026-11-22T14:00:00.000Z", to: "2026-11-22T14:10:00.000Z", bucketSeconds: 300, buckets: 2 },
  times: TIMES,
  charts: [CONFLICTS, LATENCY],
  rolledUpMs: 30_000,
  unmeasured: 0,
};
const page = (changes: Partial<View>, search = {}, custom = {}, problems: readonly FilterProblem[] = []) =>
  inLive(
    <MetricsView
      view={{ ...VIEW, ...changes }}
      filters={{ range: "6h", group: changes.group, ...custom }}
      problems={problems}
      address={{ ...ADDRESS, search }}
      facts={FACTS}
    />,
  );

export const metricsParts: readonly Part[] = [
  {
    name: "MeasureChart",
    states: [
      {
        name: "one line",
        shows: chart({}),
        says: ["Conflicts", "12 in the last minute, 15 in all", "Another command under a used key.", "as a table"],
        has: ["article#conflict", '[role="slider"]:not([data-opens])'],
        hasNot: ["ul", "table"],
      },
      {
        name: "nothing was answered",
        shows: chart({ series: [] }),
        says: ["No answer is in the roll-ups of this time."],
        lacks: ["in the last minute"],
        hasNot: ['[role="slider"]'],
      },
      {
        name: "nothing was measured, with a threshold and a list",
        shows: chart({
          unit: "share",
          series: [{ ...line("rate", 0), values: [null, null], now: null, total: null }],
          threshold: { value: 0.05, label: "alert" },
          list: LIST,
        }),
        says: ["none in the last minute, none measured", "No value in this time.", "5.00 %, alert", "the conflicts"],
        has: ['a[href^="/conflicts?"]'],
        hasNot: ["[data-opens]", "svg"],
      },
      {
        name: "it was measured, and was none",
        shows: chart({ series: [{ ...line("none", 0), values: [null, 0], now: 0, total: 0 }] }),
        says: ["0 in the last minute, 0 in all", "None was counted in this time.", "as a table"],
        hasNot: ['[role="slider"]', "svg"],
      },
      {
        name: "what is sampled each minute may have been between two samples",
        shows: chart({ section: "waiting", series: [{ ...line("none", 0), values: [0, 0], now: 0, total: 0 }] }),
        lacks: ["None was counted in this time."],
        has: ['[role="slider"]'],
      },
      {
        name: "shares are over all",
        shows: chart({ unit: "share", series: [{ ...line("r", 0), total: 0.5 }] }),
        says: ["50.0 % over all"],
      },
      { name: "of times the highest counts", shows: chart(LATENCY), says: ["12 ms in the last minute, 15 ms at most"] },
      {
        name: "of what waits, this moment",
        shows: chart({ section: "waiting", name: "dead_letters" }),
        says: ["12 now, 15 at most"],
      },
      {
        name: "money is exact",
        shows: chart(MONEY),
        says: ["Not charged again, EUR", "€12.00 in the last minute, €15.00 in all"],
        has: ["article#suppressed-eur"],
      },
      {
        name: "money as a table",
        shows: chart(MONEY, { asTable: true }),
        says: ["€3.00", "no data", "as a chart"],
        has: ["table"],
        hasNot: ['[role="slider"]'],
      },
      {
        name: "divided by client, each name leads to its list",
        shows: chart(
          { series: [line("till", 1), line("shop", 2), line("the rest", 6)], list: LIST },
          { group: "client" },
        ),
        says: ["the conflicts, till", "the rest: no list has it", "the conflicts, every client"],
        lacks: ["in the last minute"],
        has: ['li a[href*="client=till"]', "path[stroke-dasharray]"],
      },
      {
        name: "divided, and its list knows no such group",
        shows: chart(
          { series: [line("payments.create", 1), line("refunds.create", 2)], list: { ...LIST, groups: [] } },
          { group: "operation" },
        ),
        says: ["the conflicts, not by operation", "payments.create: no list has it"],
        hasNot: ["li a"],
      },
    ],
  },
  {
    name: "MetricsView",
    states: [
      {
        name: "a range that ends now",
        shows: page({}),
        says: ["Responses", "Rolled up", "one point per 5 min", "Views"],
        lacks: ["No data", "not kept by", "Export"],
        has: ['a[aria-current="true"][href*="range=6h"]', 'a[aria-current="true"][href="/metrics"]', "#latency"],
        hasNot: ['input[name="group"]', "table"],
      },
      {
        name: "a time of its own, by client, with gaps",
        shows: page({ group: "client", unmeasured: 1 }, { table: "true" }, { from: TIMES[0] }),
        says: ["No data for 1 of 2 points.", "not kept by client"],
        has: ['input[type="hidden"][value="client"]', "table"],
        hasNot: ['[aria-label="Range"] [aria-current]'],
      },
      {
        name: "nobody chose a time, and there is little data yet",
        shows: page({ fitted: true }),
        says: ["No data before that."],
        hasNot: ['[aria-label="Range"] [aria-current]'],
      },
      {
        name: "all gaps lie before the first point",
        shows: page({ unmeasured: 1, measuredFrom: TIMES[1] }),
        says: ["No data before", "14:05"],
        lacks: ["1 of 2"],
      },
      {
        name: "nothing was answered, said once",
        shows: page({
          charts: [{ ...CONFLICTS, series: [] }, { ...CONFLICTS, name: "executed", series: [] }, LATENCY],
        }),
        says: ["No answer is in the roll-ups of this time."],
        has: ["article#latency"],
        hasNot: ["article#conflict"],
      },
      {
        name: "one chart is a table",
        shows: page({}, { table: "conflict" }),
        has: ["#conflict table", "#latency [role='slider']"],
      },
      {
        name: "never rolled up",
        shows: page({ rolledUpMs: undefined }),
        says: ["Nothing to draw yet"],
        lacks: ["Rolled up", "Responses"],
      },
      {
        name: "a filter was not understood",
        shows: page({}, {}, {}, [{ name: "group", detail: "unknown" }]),
        says: ["Left out: group, unknown."],
      },
    ],
  },
];
