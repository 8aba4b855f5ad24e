import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openTill, payment } from "@/http/testing/till";
import { openExporter, type Exporter } from "./exporter";
import { ALERT_RULES, fromDashboards, fromRules } from "./expressions";
import { readExpression } from "./promql";
import { hasPrometheus, promtool, startPrometheus, type Prometheus } from "./prometheus";

const PRESENT = hasPrometheus();
/** What is counted from the first time on, and what is there only when something else is not. */
const NOTHING_HAPPENED = [
  "messages.json, Messages of brokers that were refused",
  "workers.json, Alerts: open, and how they were sent",
  "workers.json, Read replica: behind the primary, and in use",
  "workers.json, Read replica: behind the primary, and in use",
  "workers.json, Read replica: log not replayed",
  "RecoveryMissing",
  "ServerErrors",
];
/** Names that promtool would have otherwise. They are OpenTelemetry's, or older than this test and read by others. */
const OWN_NAMES = [
  'db_client_connection_count non-histogram and non-summary metrics should not have "_count" suffix',
  'dead_letter_count non-histogram and non-summary metrics should not have "_count" suffix',
  'partition_days_ahead use base unit "seconds" instead of "days"',
];
const UNTIL = { timeout: 30_000, interval: 250 };

let exporter: Exporter;
let prometheus: Prometheus;
beforeAll(async () => {
  if (!PRESENT) return;
  exporter = await openExporter();
  prometheus = await startPrometheus(exporter.host.url);
  // A rate is of two samples.
  await vi.waitFor(async () => {
    const [count] = await prometheus.query("count_over_time(outbox_pending[5m])");
    expect(Number(count?.value[1])).toBeGreaterThan(2);
  }, UNTIL);
});
afterAll(async () => {
  if (!PRESENT) return;
  await prometheus.stop();
  await exporter.close();
});
beforeEach(({ skip }) => skip(!PRESENT, "prometheus and promtool are not on PATH"));

describe("deploy/grafana and docs/alerts.yml in a Prometheus", () => {
  it("METRIC-5 answers every expression of panels and rules", async () => {
    const empty: string[] = [];
    for (const { place, expr } of [...fromDashboards(), ...fromRules()])
      if ((await prometheus.query(readExpression(expr).compared)).length === 0) empty.push(place);
    expect(empty).toEqual(NOTHING_HAPPENED);
    await expect(prometheus.query("sum by outcome (1)")).rejects.toThrow("parse error");
  });

  it("evaluates every rule", async () => {
    await vi.waitFor(async () => {
      const rules = await prometheus.rules();
      expect(rules.map(({ name }) => name).sort()).toEqual(
        fromRules()
          .map(({ place }) => place)
          .sort(),
      );
      expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
    }, UNTIL);
  });

  it("fires at the first conflict of a process", async () => {
    const state = async () => (await prometheus.rules()).find(({ name }) => name === "IdempotencyKeyReused")?.state;
    expect(await state()).toBe("inactive");
    const till = await openTill(exporter.host);
    const key = "one-conflict";
    await till.post("/payments", payment(), { key });
    expect((await till.post("/payments", payment({ amount: "99.00" }), { key })).status).toBe(409);
    await vi.waitFor(async () => expect(await state()).toBe("firing"), UNTIL);
  });

  it("is content with the rules and with the text of the metrics", async () => {
    expect(promtool(["check", "rules", ALERT_RULES])).toContain(`${String(fromRules().length)} rules found`);
    const said = promtool(["check", "metrics"], await exporter.scrape()).split("\n");
    // Those of Node itself are prom-client's.
    expect(said.filter((line) => line !== "" && !line.startsWith("nodejs_"))).toEqual(OWN_NAMES);
  });
});
