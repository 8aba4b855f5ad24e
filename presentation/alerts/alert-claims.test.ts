import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ALERT_CONDITIONS, amountsText, parseAmounts, shownAmounts } from "@/domain/alerts/rules";
import { figure, holdSentences, isWaitingCount } from "../testing/hold-sentences";
import type { AlertDestinationView, AlertsView } from "../views/alerts";
import { ALERT_NEWS, alertText, alertTitle, type AlertFacts } from "./alert-message";
import { alertsVerdict, deleteWords, destinationLimit, ruleWords } from "./alerts-verdict";
import { mailOf, pagerDutyBody, slackBody } from "./destination-bodies";

const SUBJECTS = {
  money_in_doubt: "EUR",
  dead_letters: "",
  failing_topic: "payments",
  stopped_loop: "recover",
} as const;
const facts = fc
  .record({
    news: fc.constantFrom(...ALERT_NEWS),
    condition: fc.constantFrom(...ALERT_CONDITIONS),
    value: fc.constantFrom(1n, 2n, 1_204n, 99_999_999_999_999n),
    limit: fc.constantFrom(1n, 3n),
    atLeast: fc.boolean(),
  })
  .map(({ atLeast, ...more }): AlertFacts => {
    const subject = more.condition === "red_invariant" ? "one_execution_per_key" : SUBJECTS[more.condition];
    return { ...more, subject, facts: atLeast ? { atLeast: "true" } : {} };
  });
const now = ({ news }: AlertFacts): boolean => news === "opened" || news === "worse";
const isOf = (of: AlertFacts, condition: AlertFacts["condition"], news: boolean): boolean =>
  of.condition === condition && news;
const money = (of: AlertFacts, whole = "", fraction = ""): boolean =>
  BigInt(`${whole.replaceAll(",", "")}${fraction}`) === of.value;

it("TRUTH-1 the title of an alert says what was measured, with its limit, and of what is over no more than that", () => {
  holdSentences(facts, (of) => [alertTitle(of)], [
    [/^This is a test\. Nothing is wrong$/, ({ news }) => news === "test"],
    [/^The test is over$/, ({ news }) => news === "test_over"],
    [/^Not watched any more, and not known to be over: /, ({ news }) => news === "turned_off"],
    [
      /^€([\d,]+)\.(\d\d) in doubt, limit €0\.0[13]$/,
      (of, ...amount) => isOf(of, "money_in_doubt", now(of)) && money(of, ...amount),
    ],
    [
      /^Less than €0\.0([13]) is in doubt$/,
      (of, limit) => isOf(of, "money_in_doubt", of.news === "resolved") && BigInt(limit ?? "0") === of.limit,
    ],
    [
      /^(At least )?([\d,]+) dead letters?, limit (\d)$/,
      (of, atLeast, count = "", limit = "") =>
        isOf(of, "dead_letters", now(of)) &&
        (atLeast !== undefined) === (of.facts["atLeast"] === "true") &&
        BigInt(figure(count)) === of.value &&
        BigInt(limit) === of.limit,
    ],
    [/^No dead letter is open$/, (of) => isOf(of, "dead_letters", of.news === "resolved") && of.limit === 1n],
    [
      /^Fewer than 3 dead letters are open$/,
      (of) => isOf(of, "dead_letters", of.news === "resolved") && of.limit === 3n,
    ],
    [
      /^Topic payments fails: the oldest message that was tried waits for ([\d,]+) minutes?, limit (\d)$/,
      (of, minutes = "", limit = "") =>
        isOf(of, "failing_topic", now(of)) && BigInt(figure(minutes)) === of.value && BigInt(limit) === of.limit,
    ],
    [
      /^Topic payments: no message that was tried has waited for (\d) minutes?$/,
      (of, limit = "") => isOf(of, "failing_topic", of.news === "resolved") && BigInt(limit) === of.limit,
    ],
    [/^Loop recover of the worker has stopped$/, (of) => isOf(of, "stopped_loop", now(of))],
    [/^Loop recover of the worker beats again$/, (of) => isOf(of, "stopped_loop", of.news === "resolved")],
    [
      /^Invariant one_execution_per_key is violated: (at least )?([\d,]+) counterexamples?, limit (\d)$/,
      (of, atLeast, count = "") =>
        isOf(of, "red_invariant", now(of)) &&
        (atLeast !== undefined) === (of.facts["atLeast"] === "true") &&
        BigInt(figure(count)) === of.value,
    ],
    [
      /^Invariant one_execution_per_key held at its last check$/,
      (of) => isOf(of, "red_invariant", of.news === "resolved") && of.limit === 1n,
    ],
    [
      /^Invariant one_execution_per_key: fewer than 3 counterexamples at its last check$/,
      (of) => isOf(of, "red_invariant", of.news === "resolved") && of.limit === 3n,
    ],
  ]);
});

const destination = fc.record({
  waiting: fc.constantFrom(0, 1, 12),
  dead: fc.constantFrom(0, 1),
  lastError: fc.constantFrom(undefined, "alert.http_404"),
}) as fc.Arbitrary<AlertDestinationView>;
const view = fc.record({
  open: fc.constantFrom([], [{}], [{}, {}]),
  pending: fc.constantFrom(0, 2),
  destinations: fc.array(destination, { maxLength: 3 }),
  limit: fc.constantFrom(1, 3),
}) as unknown as fc.Arbitrary<AlertsView>;

it("TRUTH-1 the page of alerts counts what is open, what may follow and which destinations are in trouble", () => {
  const inTrouble = (of: AlertsView): number =>
    of.destinations.filter(({ dead, lastError }) => dead > 0 || lastError !== undefined).length;
  holdSentences(view, (of) => [...alertsVerdict(of).map(({ text }) => text), destinationLimit(of) ?? "There is room"], [
    [/^No alert is open\.$/, ({ open }) => open.length === 0],
    [/^(\d) alerts? (?:is|are) open\.$/, ({ open }, count = "") => open.length === figure(count)],
    [/^(\d) more may follow\.$/, ({ pending }, count = "") => pending === figure(count) && pending > 0],
    [/^Nobody is told: there is no destination\.$/, ({ destinations }) => destinations.length === 0],
    [/^(\d) destinations? could not be reached\.$/, (of, count = "") => inTrouble(of) === figure(count)],
    [
      /^A tenant has at most (\d) destinations?; delete one first\.$/,
      (of, limit = "") => of.limit === figure(limit) && of.destinations.length >= of.limit,
    ],
    [/^There is room$/, (of) => of.destinations.length < of.limit],
  ]);
});

it("TRUTH-1 a rule says from when on it sends, and the deletion of a destination what becomes of what waits", () => {
  const rule = fc
    .record({
      condition: fc.constantFrom(...ALERT_CONDITIONS),
      enabled: fc.boolean(),
      limit: fc.constantFrom(1, 7),
      waiting: fc.constantFrom(0, 1, 12, WAITING_COUNTED),
      amounts: fc.constantFrom("", "EUR 5.00, JPY 700"),
    })
    .map((of) => ({ ...of, isDefault: true, shownAmounts: shownAmounts(parseAmounts(of.amounts) ?? {}) }));
  type Of = typeof rule extends fc.Arbitrary<infer Value> ? Value : never;
  const is = (of: Of, condition: Of["condition"]): boolean => of.enabled && of.condition === condition;
  holdSentences(rule, (of) => [ruleWords(of), deleteWords(of)], [
    [/^not watched$/, ({ enabled }) => !enabled],
    [/^not watched: no currency has a limit$/, (of) => is(of, "money_in_doubt") && of.amounts === ""],
    [
      /^from €5\.00, ¥700 on, each currency by itself$/,
      (of) => is(of, "money_in_doubt") && amountsText(parseAmounts(of.amounts) ?? {}) === of.amounts,
    ],
    [/^from (\d) open dead letters? on$/, (of, limit = "") => is(of, "dead_letters") && of.limit === figure(limit)],
    [
      /^once a message that was tried has waited for (\d) minutes?$/,
      (of, limit = "") => is(of, "failing_topic") && of.limit === figure(limit),
    ],
    [/^once no worker runs one of the loops$/, (of) => is(of, "stopped_loop")],
    [
      /^from (\d) counterexamples? of one invariant on$/,
      (of, limit = "") => is(of, "red_invariant") && of.limit === figure(limit),
    ],
    [/^Alerts are not sent there any more\. No message waits for it now\.$/, ({ waiting }) => waiting === 0],
    [
      /^Alerts are not sent there any more\. ([\d,]+\+?) messages? waits? for it now and will become dead letters\.$/,
      ({ waiting }, count = "") => isWaitingCount(count, waiting),
    ],
  ]);
});

it("ALERT-5 no text of a topic becomes a link, a mention or another line in Slack, and each body names the tenant and the alert", () => {
  const of = {
    tenant: "acme",
    base: "https://ops.example",
    alertId: "a-1",
    since: "2026-11-28T06:00:00.123Z",
    at: "2026-11-28T06:01:00.000Z",
  };
  const facts: AlertFacts = {
    news: "opened",
    condition: "failing_topic",
    subject: "<!channel>&<https://evil.example|x>",
    value: 12n,
    limit: 10n,
    facts: {},
  };
  const text = alertText(facts, of);
  expect(text.link).toBe(
    "https://ops.example/topics/%3C!channel%3E%26%3Chttps%3A%2F%2Fevil.example%7Cx%3E?tenant=acme",
  );
  const slack = (JSON.parse(slackBody(text)) as { text: string }).text;
  expect(slack.match(/<[^>]*>/g)).toEqual([`<${text.link}|Open in Onceboard>`]);
  const event = pagerDutyBody(text, { ...of, news: "opened", condition: "failing_topic", routingKey: "k" });
  for (const body of [slack, event, mailOf(text, "acme").text]) {
    expect(body).toContain("acme");
    expect(body).toContain("a-1");
    expect(body).toContain("2026-11-28T06:00:00Z");
  }
});
