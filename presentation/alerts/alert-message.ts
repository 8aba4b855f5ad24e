import type { AlertNews } from "@/domain/alerts/decide";
import type { AlertCondition } from "@/domain/alerts/rules";
import { topicLabel } from "@/domain/messages/topic-label";
import { displayMoney } from "@/domain/money";
import { firstWords, type PageClaim } from "@/domain/page-claim";
import { plural } from "../format/words";

/** What a message about an alert says: `test` is of no alert. */
export const ALERT_NEWS = ["opened", "worse", "resolved", "turned_off", "test", "test_over"] as const;
export type AlertMessageNews = AlertNews | "test" | "test_over";

/** An alert as a message or the page shows it: what was measured, and nothing that a person or a business is known by. */
export interface AlertFacts {
  readonly news: AlertMessageNews;
  readonly condition: AlertCondition;
  /** A currency, a topic, a loop, the name of an invariant; empty for dead letters. */
  readonly subject: string;
  /** In the unit of the limit, when it was measured last. */
  readonly value: bigint;
  readonly limit: bigint;
  readonly facts: Readonly<Record<string, string>>;
}

type TitleClaim = PageClaim<AlertFacts>;

const number = (value: bigint): number => Number(value);
const subjectOf = ({ condition, subject }: AlertFacts): string =>
  condition === "failing_topic" ? topicLabel(subject) : subject;
const atLeast = ({ facts }: AlertFacts): string => (facts["atLeast"] === "true" ? "at least " : "");
const isOf = (condition: AlertCondition, ...news: readonly AlertMessageNews[]) =>
  ((facts) => facts.condition === condition && news.includes(facts.news)) satisfies TitleClaim["holds"];

/** Each says what is known, and nothing of why. */
const ALERT_TITLES: readonly TitleClaim[] = [
  { name: "test", holds: ({ news }) => news === "test", words: () => "This is a test. Nothing is wrong" },
  { name: "test over", holds: ({ news }) => news === "test_over", words: () => "The test is over" },
  {
    name: "turned off",
    holds: ({ news }) => news === "turned_off",
    words: (facts) =>
      `Not watched any more, and not known to be over: ${conditionName(facts.condition)}${ofSubject(facts)}`,
  },
  {
    name: "money in doubt",
    holds: isOf("money_in_doubt", "opened", "worse"),
    words: ({ value, limit, subject }) =>
      `${displayMoney(value, subject)} in doubt, limit ${displayMoney(limit, subject)}`,
  },
  {
    name: "money below",
    holds: isOf("money_in_doubt", "resolved"),
    words: ({ limit, subject }) => `Less than ${displayMoney(limit, subject)} is in doubt`,
  },
  {
    name: "dead letters",
    holds: isOf("dead_letters", "opened", "worse"),
    words: (facts) =>
      `${atLeast(facts)}${plural(number(facts.value), "dead letter")}, limit ${String(facts.limit)}`.replace(/^a/, "A"),
  },
  {
    name: "dead letters below",
    holds: isOf("dead_letters", "resolved"),
    words: ({ limit }) =>
      limit === 1n ? "No dead letter is open" : `Fewer than ${String(limit)} dead letters are open`,
  },
  {
    name: "topic",
    holds: isOf("failing_topic", "opened", "worse"),
    words: (facts) =>
      `Topic ${subjectOf(facts)} fails: the oldest message that was tried waits for ${plural(number(facts.value), "minute")}, limit ${String(facts.limit)}`,
  },
  {
    name: "topic below",
    holds: isOf("failing_topic", "resolved"),
    words: (facts) =>
      `Topic ${subjectOf(facts)}: no message that was tried has waited for ${plural(number(facts.limit), "minute")}`,
  },
  {
    name: "loop",
    holds: isOf("stopped_loop", "opened", "worse"),
    words: (facts) => `Loop ${subjectOf(facts)} of the worker has stopped`,
  },
  {
    name: "loop beats",
    holds: isOf("stopped_loop", "resolved"),
    words: (facts) => `Loop ${subjectOf(facts)} of the worker beats again`,
  },
  {
    name: "invariant",
    holds: isOf("red_invariant", "opened", "worse"),
    words: (facts) =>
      `Invariant ${subjectOf(facts)} is violated: ${atLeast(facts)}${plural(number(facts.value), "counterexample")}, limit ${String(facts.limit)}`,
  },
  {
    name: "invariant below",
    holds: isOf("red_invariant", "resolved"),
    words: (facts) =>
      facts.limit === 1n
        ? `Invariant ${subjectOf(facts)} held at its last check`
        : `Invariant ${subjectOf(facts)}: fewer than ${String(facts.limit)} counterexamples at its last check`,
  },
];

function ofSubject(facts: AlertFacts): string {
  return facts.subject === "" ? "" : `, ${subjectOf(facts)}`;
}

/** @returns what a message opens with, without a full stop: "€1,204.00 in doubt, limit €1,000.00" */
export function alertTitle(facts: AlertFacts): string {
  return firstWords(ALERT_TITLES, facts);
}

const NAMES: Readonly<Record<AlertCondition, string>> = {
  money_in_doubt: "money in doubt",
  dead_letters: "dead letters",
  failing_topic: "a failing topic",
  stopped_loop: "a stopped loop",
  red_invariant: "a red invariant",
};

/** @returns the condition in the middle of a sentence */
export function conditionName(condition: AlertCondition): string {
  return NAMES[condition];
}

/** @returns the condition as a label: "Money in doubt", "Failing topic" */
export function conditionLabel(condition: AlertCondition): string {
  return NAMES[condition].replace(/^a /, "").replace(/^./, (first) => first.toUpperCase());
}

const PAGES: Readonly<Record<AlertCondition, (subject: string) => string>> = {
  money_in_doubt: () => "/attention",
  dead_letters: () => "/dead-letters",
  failing_topic: (topic) => `/topics/${encodeURIComponent(topic)}`,
  stopped_loop: () => "/",
  red_invariant: (name) => `/invariants#${encodeURIComponent(name)}`,
};

/** @returns the address of the page that shows it, below the console's own; a test shows the page of alerts */
export function alertPage({ news, condition, subject }: Pick<AlertFacts, "news" | "condition" | "subject">): string {
  return news === "test" || news === "test_over" ? "/settings/alerts" : PAGES[condition](subject);
}

const WORDS: Readonly<Record<AlertMessageNews, string>> = {
  opened: "Alert",
  worse: "Worse",
  resolved: "Resolved",
  turned_off: "Turned off",
  test: "Test",
  test_over: "Test",
};

/** What is delivered, in the words of every destination. */
export interface AlertText {
  /** "Worse: 4 dead letters, limit 1" */
  readonly title: string;
  /** Name and value, in their order. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly link: string;
}

/** @param of.base address of the console, without a slash at its end @param of.since RFC 3339, when it was first found */
export function alertText(
  facts: AlertFacts,
  of: {
    readonly tenant: string;
    readonly base: string;
    readonly alertId: string;
    readonly since: string;
    readonly at: string;
  },
): AlertText {
  const isTest = facts.news === "test" || facts.news === "test_over";
  const since = isTest ? [] : ([["Since", withoutFraction(of.since)]] as const);
  const code = facts.facts["errorCode"];
  return {
    title: `${WORDS[facts.news]}: ${alertTitle(facts)}`,
    lines: [
      ["Tenant", of.tenant],
      ...since,
      ["As of", withoutFraction(of.at)],
      ...(code === undefined ? [] : ([["Last error", code]] as const)),
      ["Alert", of.alertId],
    ],
    link: linkOf(of.base, alertPage(facts), of.tenant),
  };
}

/** A link of a tenant opens in that tenant, whichever was looked at last. */
function linkOf(base: string, page: string, tenant: string): string {
  const [path = "", hash] = page.split("#");
  return `${base}${path}?tenant=${encodeURIComponent(tenant)}${hash === undefined ? "" : `#${hash}`}`;
}

/** "2026-11-28T06:52:37Z" */
function withoutFraction(at: string): string {
  return at.replace(/\.\d+Z$/, "Z");
}
