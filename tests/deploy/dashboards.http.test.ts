import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { METER_OUTCOMES, meters } from "@/engine/telemetry/meters";
import { readSamples, type Sample } from "@/http/testing/scrape";
import { openExporter, type Exporter } from "./exporter";
import { DASHBOARDS, fromDashboards, fromRules, readDashboard, type Named } from "./expressions";
import { readExpression } from "./promql";

/** What Prometheus makes of a histogram. */
const PART_OF_HISTOGRAM = /_(?:bucket|sum|count)$/;

let exporter: Exporter;
/** Its metrics, whether or not they have a sample yet. */
let declared: ReadonlySet<string>;
let samples: readonly Sample[];
beforeAll(async () => {
  exporter = await openExporter();
  const text = await exporter.scrape();
  samples = readSamples(text);
  declared = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name));
});
afterAll(() => exporter.close());

/** @returns what is wrong with an expression, in words */
function problemsOf({ expr, legend }: Named): string[] {
  const { selectors, grouping } = readExpression(expr);
  const known = new Set<string>();
  const problems: string[] = [];
  for (const { metric, labels } of selectors) {
    const base = declared.has(metric) ? metric : metric.replace(PART_OF_HISTOGRAM, "");
    if (!declared.has(base)) problems.push(`nobody exports ${metric}`);
    const own = labelsOf(metric, base);
    for (const label of own) known.add(label);
    for (const { name, value } of labels) {
      if (!own.has(name)) problems.push(`${metric} has no label ${name}`);
      else if (!valuesOf(metric, name).has(value)) problems.push(`no ${metric} has ${name} ${value}`);
    }
  }
  if (selectors.length === 0) problems.push("no metric");
  const kept = new Set(grouping);
  return [
    ...problems,
    ...grouping.filter((label) => !known.has(label)).map((label) => `grouped by ${label}, which no metric of it has`),
    ...legend.filter((label) => !kept.has(label)).map((label) => `the legend names ${label}, which is not grouped by`),
  ];
}

/** Of samples; of a counter that has none yet, as it was made. */
function labelsOf(metric: string, base: string): ReadonlySet<string> {
  const found = samples.filter(({ name }) => name === metric);
  if (found.length > 0) return new Set(found.flatMap(({ labels }) => Object.keys(labels)));
  const made = meters.registry.getSingleMetric(base) as { readonly labelNames?: readonly string[] } | undefined;
  return new Set([...(made?.labelNames ?? []), ...(metric.endsWith("_bucket") ? ["le"] : [])]);
}

/** Statuses and outcomes that did not happen here are known all the same. */
function valuesOf(metric: string, label: string): ReadonlySet<string> {
  const seen = samples.filter(({ name }) => name === metric).map(({ labels }) => labels[label] ?? "");
  const outcomes = metric === "idempotency_requests_total" && label === "outcome" ? METER_OUTCOMES : [];
  return new Set([...seen, ...outcomes, ...(label === "http_response_status_code" ? ["503"] : [])]);
}

describe("deploy/grafana and docs/alerts.yml", () => {
  it("METRIC-5 read only metrics and labels that a process exports", () => {
    const all = [...fromDashboards(), ...fromRules()];
    expect(all.length).toBeGreaterThan(60);
    const wrong = all.flatMap((named) => problemsOf(named).map((problem) => `${named.place}: ${problem}`));
    expect(wrong).toEqual([]);
  });

  it.each([
    ["sum(nobodys_total)", "nobody exports nobodys_total"],
    ['sum(idempotency_requests_total{tenant="a"})', "idempotency_requests_total has no label tenant"],
    ['sum(idempotency_requests_total{outcome="lost"})', "no idempotency_requests_total has outcome lost"],
    ["sum by (client) (outbox_pending)", "grouped by client, which no metric of it has"],
    ["sum by (queue) (rate(purge_rows_total[5m]))", "grouped by queue, which no metric of it has"],
    ["vector(1)", "no metric"],
  ])("METRIC-5 finds what is wrong with %s", (expr, problem) => {
    expect(problemsOf({ place: "here", expr, legend: [] })).toEqual([problem]);
  });

  it("METRIC-5 shows every metric of ours in a dashboard", () => {
    const shown = new Set(
      fromDashboards().flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => metric)),
    );
    const missing = [...declared]
      .filter((name) => !/^(?:nodejs|process)_/.test(name))
      .filter((name) => ![name, `${name}_bucket`, `${name}_count`].some((part) => shown.has(part)));
    expect(missing).toEqual([]);
  });

  it.each(DASHBOARDS)("%s has panels of their own place and id", (name) => {
    const { panels } = readDashboard(name);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${String(x + (at % w))},${String(y + Math.floor(at / w))}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
