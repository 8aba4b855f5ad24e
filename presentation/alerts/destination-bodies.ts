import type { AlertCondition } from "@/domain/alerts/rules";
import type { AlertMessageNews, AlertText } from "./alert-message";

/** Characters of a summary that PagerDuty takes. */
const SUMMARY_MAX = 1_024;

/** In Slack's text these three have a meaning of their own. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** @returns the body of an incoming webhook of Slack, which Mattermost, Rocket.Chat and Discord (at `/slack`) take as well */
export function slackBody({ title, lines, link }: AlertText): string {
  const facts = lines.map(([name, value]) => `${name}: ${escaped(value)}`);
  return JSON.stringify({ text: [`*${escaped(title)}*`, ...facts, `<${link}|Open in Onceboard>`].join("\n") });
}

const SEVERITIES: Readonly<Record<AlertCondition, "critical" | "error">> = {
  money_in_doubt: "critical",
  red_invariant: "critical",
  dead_letters: "error",
  failing_topic: "error",
  stopped_loop: "error",
};

/**
 * @param of.alertId the `dedup_key`: PagerDuty makes one incident of all events of one alert, however often each comes
 * @returns an event of PagerDuty's Events API v2
 */
export function pagerDutyBody(
  { title, lines, link }: AlertText,
  of: {
    readonly routingKey: string;
    readonly alertId: string;
    readonly news: AlertMessageNews;
    readonly condition: AlertCondition;
    readonly tenant: string;
    readonly since: string;
    /** Address of the console. */
    readonly base: string;
  },
): string {
  const over = of.news === "resolved" || of.news === "turned_off" || of.news === "test_over";
  const isTest = of.news === "test" || of.news === "test_over";
  return JSON.stringify({
    routing_key: of.routingKey,
    event_action: over ? "resolve" : "trigger",
    dedup_key: of.alertId,
    client: "Onceboard",
    client_url: of.base,
    links: [{ href: link, text: "Open in Onceboard" }],
    payload: {
      summary: title.slice(0, SUMMARY_MAX),
      source: of.base,
      severity: isTest ? "info" : SEVERITIES[of.condition],
      timestamp: of.since,
      group: of.tenant,
      class: of.condition,
      custom_details: Object.fromEntries(lines),
    },
  });
}

/** @returns subject and text of a mail */
export function mailOf({ title, lines, link }: AlertText, tenant: string): { subject: string; text: string } {
  const width = Math.max(...lines.map(([name]) => name.length)) + 2;
  const facts = lines.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`);
  return { subject: `[${tenant}] ${title}`, text: [`${title}.`, "", ...facts, "", link, ""].join("\n") };
}
