import fc from "fast-check";
import { expect, it } from "vitest";
import type { ShownState } from "@/domain/lists/filters";
import { conflictVerdict } from "../conflict/conflict-verdict";
import { call, NOW, record } from "../testing/record";
import { buildTimeline } from "./build-timeline";
import type { MiniStation } from "./chain";
import { confirmedText, unconfirmedText, type ProviderStand } from "./hand-settlement";
import { hitVerdict } from "./hit-verdict";
import { operationCase } from "./operation-case";

const MINUTE = 60_000;
const ago = (minutes: number): string => new Date(Date.parse(NOW) - minutes * MINUTE).toISOString();
const STATES: readonly ShownState[] = [
  "UNKNOWN_REQUIRES_RECOVERY",
  "STALE",
  "IN_PROGRESS",
  "FAILED_RETRYABLE",
  "FAILED_REPLAYABLE",
  "COMPLETED",
  "EXPIRED",
];

it("TRUTH-1 what the find box says of a hit, over every state, message and ledger", () => {
  const station = fc.constantFrom<MiniStation>("done", "waiting", "missing", "dead", "not_due");
  const facts = fc.record({
    state: fc.constantFrom(...STATES),
    outbox: station,
    inbox: station,
    ledger: fc.constantFrom<MiniStation>("done", "waiting", "missing", "unused"),
    minutes: fc.tuple(
      fc.integer({ min: 40, max: 59 }),
      fc.integer({ min: 20, max: 39 }),
      fc.integer({ min: 2, max: 19 }),
    ),
    errorCode: fc.constantFrom(undefined, "payment.declined"),
  });
  fc.assert(
    fc.property(facts, ({ state, outbox, inbox, ledger, minutes: [created, unknown, locked], errorCode }) => {
      const said = hitVerdict({
        state,
        chain: ["done", "done", "done", outbox, inbox, ledger],
        errorCode,
        createdAt: ago(created),
        at: NOW,
        unknownSince: ago(unknown),
        lockedUntil: ago(locked),
      });
      const [text, tone] = [said?.text ?? "", said?.tone];
      const code = errorCode === undefined ? "" : `: ${errorCode}`;
      const open: Readonly<Partial<Record<ShownState, readonly [string, string]>>> = {
        UNKNOWN_REQUIRES_RECOVERY: [`In doubt for ${String(unknown)} minutes.`, "doubt"],
        STALE: [`Its owner has been silent for ${String(locked)} minutes.`, "doubt"],
        IN_PROGRESS: [`In progress for ${String(created)} minutes.`, "fine"],
        FAILED_RETRYABLE: [`Failed without a final answer${code}.`, "fine"],
        FAILED_REPLAYABLE: [`Refused for good${code}.`, "fine"],
      };
      const expected = open[state];
      if (expected !== undefined) {
        expect([text, tone]).toEqual(expected);
        return;
      }
      expect(text.includes("Its message is dead")).toBe([outbox, inbox].includes("dead"));
      expect(text.includes("dead at a consumer")).toBe(inbox === "dead" && outbox !== "dead");
      expect(/Ledger ([a-z ]+)\./.exec(text)?.[1]).toBe(
        { done: "posted", waiting: "not posted yet", missing: "not posted" }[ledger as string],
      );
      if ([outbox, inbox].includes("dead")) expect(tone).toBe("broken");
      else expect(tone).toBe(ledger === "unused" ? undefined : ledger === "missing" ? "doubt" : "fine");
    }),
    { numRuns: 400 },
  );
});

it("TRUTH-1 a decision by hand, beside every stand of the provider", () => {
  const stand = fc.constantFrom<ProviderStand["stand"]>("confirmed", "contradicts it", "not confirmed");
  const evidence = fc.array(fc.constantFrom("webhook:1", "lookup:2", "bank statement"), { maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom("succeeded" as const, "failed" as const), evidence, stand, (decision, refs, its) => {
      const text = unconfirmedText({ by: "Mira", at: NOW, decision, evidence: refs }, its);
      expect(text.startsWith(`Settled by hand as ${decision}`)).toBe(true);
      expect(text.includes(" on this evidence: ")).toBe(refs.length > 0);
      const rest = Number(/ and (\d+) more;/.exec(text)?.[1] ?? 0);
      expect(rest).toBe(Math.max(0, refs.length - 3));
      const other = decision === "succeeded" ? "it failed" : "it succeeded";
      expect(text.endsWith(`; the provider says ${other}.`)).toBe(its === "contradicts it");
      expect(text.endsWith("; the provider has not confirmed it.")).toBe(its !== "contradicts it");
    }),
  );
  expect((["answer", "look-up", "signed webhook"] as const).map(confirmedText)).toEqual([
    "Settled by hand; the provider confirmed it in its answer.",
    "Settled by hand; the provider confirmed it by a look-up.",
    "Settled by hand; the provider confirmed it by a signed webhook.",
  ]);
});

it("TRUTH-1 a conflict: what is another, and how often it was refused", () => {
  const facts = fc.record({
    fields: fc.subarray(["amount", "currency"]),
    refused: fc.nat(3),
    more: fc.boolean(),
    foreign: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, (it) => {
      const { text } = conflictVerdict({ ...it, first: operationCase(record()) });
      const other = it.foreign ? "client" : it.fields.length === 0 ? "command" : it.fields.join(" and ");
      expect(text.startsWith(`Same key, another ${other}. `)).toBe(true);
      expect(text.match(/The second was refused/g)).toHaveLength(1);
      const often = ["", " once", " twice", " 3 times"][it.refused] ?? "";
      const least = it.more && it.refused > 0 ? " at least" : "";
      expect(text.endsWith(`. The second was refused${least}${often}; nothing ran.`)).toBe(true);
    }),
  );
});

it("TRUTH-1 the timeline for a screen reader counts what it draws, over its whole time", () => {
  const facts = fc.record({ requests: fc.nat(9), calls: fc.nat(4), minutes: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(facts, ({ requests, calls, minutes }) => {
      const provider = Array.from({ length: calls }, () => call({ sentAt: ago(minutes), answeredAt: NOW }));
      const made = record({ state: "IN_PROGRESS", createdAt: ago(minutes), requestsTotal: requests, provider });
      expect(buildTimeline(made).spoken).toMatch(
        new RegExp(
          `^${String(requests)} requests?, 0 leases, ${String(calls)} provider calls? over ${String(minutes)} min\\.$`,
        ),
      );
    }),
  );
});
