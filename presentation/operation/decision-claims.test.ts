import fc from "fast-check";
import { it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import { moneyView } from "./money-view";
import {
  askEffect,
  askWords,
  assignedWords,
  callsWords,
  emptyQueueWords,
  nextCheckWords,
  queueLede,
  settleFoot,
  settleWords,
} from "./decision-claims";

const AT = "2026-11-22T14:00:00.000Z";
/** "2 min 10 s" in milliseconds, rounded as it is said. */
const span = (text: string): number => {
  let ms = 0;
  for (const [, count = "", unit = ""] of text.matchAll(/([\d.]+) (ms|s|min|h|d)/g))
    ms += Number(count) * ({ ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? Number.NaN);
  return ms;
};

it("TRUTH-1 says when the worker asks next, whether it is due, and that it is not planned", () => {
  const inMs = fc.constantFrom(undefined, -60_000, 0, 45_000, 130_000, 7_260_000);
  /** Said with one unit it is rounded down to that, with two to the smaller. */
  const close = (said: string, wait: number | undefined, unit: number): boolean =>
    wait !== undefined && wait > 0 && wait - span(said) >= 0 && wait - span(said) < unit;
  holdSentences(
    fc.record({ inMs }),
    ({ inMs: wait }) => {
      const nextCheckAt = wait === undefined ? undefined : new Date(Date.parse(AT) + wait).toISOString();
      return [nextCheckWords({ at: AT, nextCheckAt }), ...askWords({ at: AT, nextCheckAt }).split(/(?<=\.) /)];
    },
    [
      [/^No next check is planned\.$/, ({ inMs: wait }) => wait === undefined],
      [
        /^Asked again in (.+)\.$/,
        ({ inMs: wait }, said = "") => close(said, wait, said.endsWith("h") ? 3_600_000 : 60_000),
      ],
      [/^The next look-up is due\.$/, ({ inMs: wait }) => wait !== undefined && wait <= 0],
      [/^No money is sent\.$/, () => true],
      [/^The next automatic look-up is due now\.$/, ({ inMs: wait }) => wait !== undefined && wait <= 0],
      [/^Next automatic look-up in (.+)\.$/, ({ inMs: wait }, said = "") => close(said, wait, 60_000)],
    ],
  );
});

it("TRUTH-1 says whose an operation is, what was sent, what a decision does and from when two people make it", () => {
  const total = fc.record({
    currency: fc.constantFrom("EUR", "USD"),
    minor: fc.constantFrom(1_200n, 5_000n),
    count: fc.integer({ min: 1, max: 3 }),
  });
  const totals = fc.uniqueArray(total, { maxLength: 2, selector: ({ currency }) => currency });
  holdSentences(
    fc.record({
      assignedTo: fc.constantFrom(undefined, "Ada"),
      calls: fc.integer({ min: 0, max: 3 }),
      leaves: fc.record({
        event: fc.boolean(),
        entry: fc.boolean(),
        money: fc.constantFrom("takes" as const, "returns" as const, undefined),
      }),
      nextCheckAt: fc.constantFrom(undefined, AT),
      secondPersonFrom: fc.constantFrom(undefined, "€10,000.00"),
      totals,
    }),
    (facts) => {
      const { succeeded, failed, keepWaiting } = settleWords(facts);
      const sums = facts.totals.map(({ currency, minor, count }) => ({ money: moneyView(minor, currency), count }));
      return [
        assignedWords(facts) || "nobody's",
        callsWords(facts.calls),
        askEffect({ sent: facts.calls > 0 }),
        succeeded,
        failed,
        keepWaiting,
        settleFoot(facts),
        ...queueLede({ totals: sums }).split(/(?<=\.) (?=[A-Z])/),
      ];
    },
    [
      [/^Assigned to (.+)\.$/, ({ assignedTo }, said) => said === assignedTo],
      [/^nobody's$/, ({ assignedTo }) => assignedTo === undefined],
      [/^Nothing was sent so far\.$/, ({ calls }) => calls === 0],
      [
        /^(\d+) provider calls? (is|are) in the journal\.$/,
        ({ calls }, said = "", verb) => calls > 0 && figure(said) === calls && (calls === 1) === (verb === "is"),
      ],
      [
        /^A final answer settles it\. Within its window a retry then gets the outcome, or runs again as its policy lets it, where .+\.$/,
        ({ calls }) => calls > 0,
      ],
      [
        /^Nothing was sent, so nobody is asked: it ends without effect\. Within its window a retry runs again, as often as its policy lets it\.$/,
        ({ calls }) => calls === 0,
      ],
      [
        /^Stores the failure .+, or none where refusals do not bind\. .+ (A customer who pays again is charged anew|If it is asked for again under another key, it is sent anew)\.$/,
        ({ leaves }, what = "") => what.startsWith("A customer") === (leaves.money === "takes"),
      ],
      [
        /^Stores the success as the answer(,? .*publishes its event.*?)?( and posts it to the ledger)?\. Within its window every retry gets this outcome\.$/,
        ({ leaves }, event, entry) =>
          (event !== undefined) === leaves.event && (entry !== undefined) === (leaves.event && leaves.entry),
      ],
      [
        /^Callers keep getting 409 .+; (no look-up is planned|the next look-up stays due)\.$/,
        ({ nextCheckAt }, next) => (nextCheckAt === undefined) === (next === "no look-up is planned"),
      ],
      [
        /^Nothing is sent to the provider\. A second click .+\.$/,
        ({ secondPersonFrom }) => secondPersonFrom === undefined,
      ],
      [/^From (.+) a second person approves\.$/, ({ secondPersonFrom }, said) => said === secondPersonFrom],
      [
        /^([€$].+ in .+)\.$/,
        ({ totals: all }, said = "") =>
          all.length === 2 &&
          said.split(", ").every((part, index) => {
            const [amount = "", count = ""] = part.split(" in ");
            const one = all[index];
            return (
              one !== undefined &&
              figure(count) === one.count &&
              Number(amount.slice(1)) * 100 === Number(one.minor) &&
              amount.startsWith("€") === (one.currency === "EUR")
            );
          }),
      ],
      [/^The worker asks the provider automatically, less and less often\.$/, () => true],
      [/^A person decides what it cannot settle, with evidence and a reason\.$/, () => true],
    ],
  );
});

it("TRUTH-1 says that the queue is empty only where nothing is in doubt: a page behind its end is empty alone", () => {
  const count = fc.integer({ min: 0, max: 2 });
  holdSentences(fc.record({ unknown: count, stale: count }), (facts) => [emptyQueueWords(facts)], [
    [/^The queue is empty\.$/, ({ unknown, stale }) => unknown === 0 && stale === 0],
    [/^No operation is on this page of the queue\.$/, ({ unknown, stale }) => unknown > 0 || stale > 0],
  ]);
});
