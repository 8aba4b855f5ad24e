import { readFileSync } from "node:fs";
import type { Sample } from "./scrape";

/** One rule of docs/alerts.yml. */
export interface AlertRule {
  readonly name: string;
  readonly expr: string;
}

/** What was scraped before and after a fault, and the seconds since 1970 of the second time. */
export interface Scrapes {
  readonly before: readonly Sample[];
  readonly after: readonly Sample[];
  readonly now: number;
}

const FILE = `${import.meta.dirname}/../../docs/alerts.yml`;
const RULE = /- alert: (?<name>\w+)\n(?:\s+#.*\n)*\s+expr: (?<expr>.+)\n/g;
const SELECTOR = /^(?<name>[a-z_]+)(?:\{(?<label>\w+)="(?<value>[^"]*)"\})?$/;
const EXPRESSION =
  /^(?<age>time\(\) - )?(?<fold>sum|max|min)(?: by \(\w+\) )?\((?<inner>.+)\) (?<sign>[<>]) (?<bound>[\d.]+)$/;
/** Words of the language that look like names of metrics. */
const WORDS = new Set(["time", "sum", "max", "min", "by", "increase", "absent", "operation", "side", "m"]);

/** @throws Error when the file holds fewer rules than alerts: a rule that is not read is not tested either */
export function readAlertRules(): AlertRule[] {
  const text = readFileSync(FILE, "utf8");
  const rules = [...text.matchAll(RULE)].map(({ groups = {} }) => ({
    name: groups["name"] ?? "",
    expr: groups["expr"] ?? "",
  }));
  const alerts = text.match(/- alert:/g)?.length ?? 0;
  if (rules.length !== alerts)
    throw new Error(`${String(alerts)} alerts, but ${String(rules.length)} rules could be read`);
  return rules;
}

/** @returns names of metrics in an expression. */
export function metricsIn({ expr }: AlertRule): string[] {
  const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, "");
  return [...new Set(bare.match(/[a-z_]+/g) ?? [])].filter((word) => !WORDS.has(word));
}

/**
 * The part of PromQL that our rules use, over two scrapes: aggregates and comparisons, `increase`, `time() -` and `absent`.
 * Groups are not kept apart: a test causes one fault.
 *
 * @throws Error for an expression beyond that
 */
export function fires(rule: AlertRule, scrapes: Scrapes): boolean {
  const gone = /^absent\((.+)\)$/.exec(rule.expr)?.[1];
  if (gone !== undefined) return select(gone, scrapes.after).length === 0;
  const parts = EXPRESSION.exec(rule.expr)?.groups;
  if (parts === undefined) throw new Error(`${rule.name}: ${rule.expr} is beyond this test`);
  const { age, fold = "", inner = "", sign, bound } = parts;
  const grown = /^increase\((.+)\[\w+\]\)$/.exec(inner)?.[1];
  const values =
    grown === undefined
      ? select(inner, scrapes.after)
      : [total(select(grown, scrapes.after)) - total(select(grown, scrapes.before))];
  if (values.length === 0) return false;
  const folded = fold === "sum" ? total(values) : fold === "max" ? Math.max(...values) : Math.min(...values);
  const value = age === undefined ? folded : scrapes.now - folded;
  return sign === ">" ? value > Number(bound) : value < Number(bound);
}

function select(selector: string, samples: readonly Sample[]): number[] {
  const { name, label, value } = SELECTOR.exec(selector)?.groups ?? {};
  if (name === undefined) throw new Error(`${selector} is beyond this test`);
  return samples
    .filter((sample) => sample.name === name && (label === undefined || sample.labels[label] === value))
    .map((sample) => sample.value);
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
