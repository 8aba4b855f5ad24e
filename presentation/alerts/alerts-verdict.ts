import { waitingMessages } from "../format/waiting-count";
import { claimWords, firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { CLEAR_MS, HOLD_MS } from "@/domain/alerts/decide";
import type { AlertCondition, AlertDestinationKind } from "@/domain/alerts/rules";
import { plural } from "../format/words";
import type { AlertDestinationView, AlertRuleView, AlertsView } from "../views/alerts";
import type { VerdictClause } from "../views/common";

interface Toned extends PageClaim<AlertsView> {
  readonly tone: VerdictClause["tone"];
}

const failing = ({ destinations }: AlertsView): number =>
  destinations.filter(({ dead, lastError }) => dead > 0 || lastError !== undefined).length;

/** What the page of alerts opens with. */
const ALERTS_CLAIMS: readonly Toned[] = [
  { name: "none open", tone: "fine", holds: ({ open }) => open.length === 0, words: () => "No alert is open." },
  {
    name: "open",
    tone: "broken",
    holds: ({ open }) => open.length > 0,
    words: ({ open }) => `${plural(open.length, "alert")} ${open.length === 1 ? "is" : "are"} open.`,
  },
  {
    name: "pending",
    tone: "doubt",
    holds: ({ pending }) => pending > 0,
    words: ({ pending }) => `${String(pending)} more may follow.`,
  },
  {
    name: "nowhere",
    tone: "doubt",
    holds: ({ destinations }) => destinations.length === 0,
    words: () => "Nobody is told: there is no destination.",
  },
  {
    name: "not delivered",
    tone: "broken",
    holds: (view) => failing(view) > 0,
    words: (view) => `${plural(failing(view), "destination")} could not be reached.`,
  },
];

export function alertsVerdict(view: AlertsView): readonly VerdictClause[] {
  return holding(ALERTS_CLAIMS, view).map(({ words, tone }) => ({ text: words(view), tone }));
}

const MS_PER_MINUTE = 60_000;
const HOLD_MINUTES = HOLD_MS / MS_PER_MINUTE;
const CLEAR_MINUTES = CLEAR_MS / MS_PER_MINUTE;

/** How often somebody is told. */
export const ALERTS_RULE = `An alert is sent once after ${plural(HOLD_MINUTES, "minute")} at its limit, again at twice the limit, at four times and so on, and once when it has been below the limit for ${plural(CLEAR_MINUTES, "minute")}.`;

/** A tenant has as many as it may have. */
const FULL: readonly PageClaim<Pick<AlertsView, "destinations" | "limit">>[] = [
  {
    name: "full",
    holds: ({ destinations, limit }) => destinations.length >= limit,
    words: ({ limit }) => `A tenant has at most ${plural(limit, "destination")}; delete one first.`,
  },
];

/** @returns why no further destination can be added, or undefined when one can */
export function destinationLimit(view: Pick<AlertsView, "destinations" | "limit">): string | undefined {
  return claimWords(FULL, view)[0];
}

const isOf = (condition: AlertCondition) => (rule: AlertRuleView) => rule.condition === condition;

/** When a rule sends, as the table says it behind its name. */
const RULE_WORDS: readonly PageClaim<AlertRuleView>[] = [
  { name: "off", holds: ({ enabled }) => !enabled, words: () => "not watched" },
  {
    name: "money without limit",
    holds: (rule) => isOf("money_in_doubt")(rule) && rule.amounts === "",
    words: () => "not watched: no currency has a limit",
  },
  {
    name: "money",
    holds: isOf("money_in_doubt"),
    words: ({ shownAmounts = "" }) => `from ${shownAmounts} on, each currency by itself`,
  },
  {
    name: "dead letters",
    holds: isOf("dead_letters"),
    words: ({ limit = 0 }) => `from ${plural(limit, "open dead letter")} on`,
  },
  {
    name: "topic",
    holds: isOf("failing_topic"),
    words: ({ limit = 0 }) => `once a message that was tried has waited for ${plural(limit, "minute")}`,
  },
  { name: "loop", holds: isOf("stopped_loop"), words: () => "once no worker runs one of the loops" },
  {
    name: "invariant",
    holds: isOf("red_invariant"),
    words: ({ limit = 0 }) => `from ${plural(limit, "counterexample")} of one invariant on`,
  },
];

export function ruleWords(rule: AlertRuleView): string {
  return firstWords(RULE_WORDS, rule);
}

const KINDS: Readonly<Record<AlertDestinationKind, string>> = {
  slack: "Slack webhook",
  pagerduty: "PagerDuty",
  email: "E-mail",
};

export function kindLabel(kind: AlertDestinationKind): string {
  return KINDS[kind];
}

/** What the dialog of deletion says of what waits. */
const DELETE_WORDS: readonly PageClaim<Pick<AlertDestinationView, "waiting">>[] = [
  {
    name: "nothing waits",
    holds: ({ waiting }) => waiting === 0,
    words: () => "Alerts are not sent there any more. No message waits for it now.",
  },
  {
    name: "waits",
    holds: ({ waiting }) => waiting > 0,
    words: ({ waiting }) =>
      `Alerts are not sent there any more. ${waitingMessages({ waiting })} ${waiting === 1 ? "waits" : "wait"} for it now and will become dead letters.`,
  },
];

export function deleteWords(one: Pick<AlertDestinationView, "waiting">): string {
  return firstWords(DELETE_WORDS, one);
}
