import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import type { MeasureChart as Chart } from "@/presentation/views/metrics";
import { MeasureChart } from "./measure-chart";

const TIMES = ["2026-11-22T14:00:00.000Z", "2026-11-22T14:05:00.000Z"];
const drawn = (values: readonly (number | null)[], changes: Partial<Chart> = {}): string =>
  renderToStaticMarkup(
    inApp(
      <MeasureChart
        chart={{
          ...{ name: "conflict", section: "answers", title: "Conflicts", note: "", unit: "count" },
          series: [{ label: "conflicts", slot: 0, values, now: 0, total: 0 }],
          ...changes,
        }}
        times={TIMES}
        address={{ path: "/metrics", search: {} }}
        asTable={false}
      />,
    ),
  );
const NONE = "None was counted in this time.";

it("says none only of what is counted, where every minute with a value has none", () => {
  expect(drawn([0, null])).toContain(NONE);
  expect(drawn([0, 1])).not.toContain(NONE);
  // A sample may miss what was there between two, and a share or a time of zero is a value.
  expect(drawn([0, 0], { section: "waiting", name: "dead_letters" })).not.toContain(NONE);
  expect(drawn([0, 0], { unit: "share" })).not.toContain(NONE);
  expect(drawn([0, 0], { unit: "ms" })).not.toContain(NONE);
});
