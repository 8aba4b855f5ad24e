import { expect, it } from "vitest";
import { chartWindow } from "@/domain/metrics/chart-window";
import { buildMeasures } from "./measures";
import { withNow } from "./measures-now";

const FROM = "2026-11-19T12:00:00.000Z";
const window = chartWindow({ range: "6h", from: FROM, to: "2026-11-19T14:00:00.000Z" }, "2026-11-19T14:43:20.000000Z");

it("TRUTH-2 what is now is never more than the most of a time that reaches to it", () => {
  const gauges = [
    { bucket: window.from, name: "unknown", value: 9 },
    { bucket: window.from, name: "inbox_oldest_seconds", value: 1.48 },
  ];
  const measured = { window, answers: [], gauges, distances: [], charges: [], suppressed: [], measured: [window.from] };
  const open = { inProgress: 2, unknown: 3, stale: 1, deadLetters: 16, oldestInboxMs: 2_600 };
  const most = (reachesNow: boolean) => {
    const charts = withNow(buildMeasures(measured), undefined, open, reachesNow);
    return ["open", "oldest_inbox"].map((name) => charts.find((chart) => chart.name === name)?.series[0]?.total);
  };
  expect(most(true)).toEqual([9, 2_600]);
  expect(most(false)).toEqual([9, 1_480]);
});
