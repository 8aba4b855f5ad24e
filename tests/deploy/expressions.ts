import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const FOLDER = "deploy/grafana";
export const DASHBOARDS = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
export const ALERT_RULES = "docs/alerts.yml";
const DASHBOARD = z.object({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })),
    }),
  ),
});
const RULES = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

/** An expression of a panel or of an alert rule, and where it stands. */
export interface Named {
  readonly place: string;
  readonly expr: string;
  /** Labels that its legend names. */
  readonly legend: readonly string[];
}

/** @param name of a file in `deploy/grafana/` */
export const readDashboard = (name: string) => DASHBOARD.parse(JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8")));

/** Of every panel; what Grafana puts in for an interval is five minutes. */
export const fromDashboards = (): Named[] =>
  DASHBOARDS.flatMap((name) =>
    readDashboard(name).panels.flatMap(({ title, targets }) =>
      targets.map(({ expr, legendFormat }) => ({
        place: `${name}, ${title}`,
        expr: expr.replaceAll("$__rate_interval", "5m"),
        legend: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label),
      })),
    ),
  );

export const fromRules = (): Named[] =>
  RULES.parse(parse(readFileSync(ALERT_RULES, "utf8"))).groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }) => ({ place: alert, expr, legend: [] })),
  );
