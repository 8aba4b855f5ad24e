import fc from "fast-check";
import { expect, it } from "vitest";
import { holding } from "@/domain/page-claim";
import { LEASED_CLAIMS, CUT_CLAIMS } from "./cut-claims";
import { customerText, whyNoText } from "./customer-text";
import type { MoneyKeyFacts } from "./facts";
import { effectLane } from "./lanes";

const AT = "2026-11-19T14:43:20.000000Z";
const moment = (minutes: number): string => new Date(Date.parse(AT) + minutes * 60_000).toISOString();
/** Sent, without an answer. */
const key = (parts: Partial<MoneyKeyFacts>): MoneyKeyFacts => ({
  kind: "payment",
  operationId: "01a1fc8c-d901-7144-af22-f0decb4821c3",
  key: "key-1",
  account: "acc_1",
  money: { minor: 8_450n, currency: "EUR" },
  calls: [{ kind: "charge", state: "sent", provider: "sandbox", at: moment(-50) }] as unknown as MoneyKeyFacts["calls"],
  webhooks: [],
  ledger: [],
  requests: [],
  moreRequests: false,
  createdAt: moment(-50),
  ...parts,
});
const facts = (payments: readonly MoneyKeyFacts[], more = { keys: false, reversals: false }) => ({
  at: AT,
  reference: "order-1",
  payments,
  reversals: [],
  otherKinds: [],
  more,
});

it("TRUTH-1 tells a customer when a doubt ends by what the database knows", () => {
  const state = fc.constantFrom<MoneyKeyFacts["state"]>("IN_PROGRESS", "STALE", "UNKNOWN_REQUIRES_RECOVERY");
  const minutes = fc.constantFrom(undefined, -5, 0, 5);
  fc.assert(
    fc.property(state, minutes, minutes, (its, next, locked) => {
      const at = (offset: number | undefined) => (offset === undefined ? undefined : moment(offset));
      const text = customerText(facts([key({ state: its, nextCheckAt: at(next), lockedUntil: at(locked) })])) ?? "";
      const clock = (offset: number): string => `19 November 2026 at ${moment(offset).slice(11, 16)} UTC`;
      const expected =
        its === "IN_PROGRESS"
          ? `It is in progress${locked === undefined ? "" : ` and is checked after ${clock(locked)}`}.`
          : its === "STALE"
            ? "It is checked next."
            : next === undefined
              ? "A person has to settle it; there is no time for that yet."
              : next > 0
                ? `It is checked again on ${clock(next)}.`
                : "It is due to be checked again.";
      expect(text.endsWith(`charged €84.50. ${expected}`), text).toBe(true);
    }),
  );
});

it("TRUTH-1 gives a text for the customer, or says why there is none", () => {
  const one = [key({}), key({ key: "key-2" })];
  const several = [key({}), key({ key: "key-2", account: "acc_2" })];
  const whole = { keys: false, reversals: false };
  expect(whyNoText(facts(one))).toBeUndefined();
  expect(customerText(facts(one))).toBeDefined();
  for (const more of [whole, { keys: true, reversals: false }])
    expect(whyNoText(facts(several, more))).toBe("Several customers use this reference. Choose one of them first.");
  for (const more of [
    { keys: true, reversals: false },
    { keys: false, reversals: true },
  ]) {
    expect(whyNoText(facts(one, more))).toBe("Not every key was read, so no text would be certain.");
    expect(customerText(facts(one, more))).toBeUndefined();
  }
  expect(customerText(facts(several))).toBeUndefined();
});

it("TRUTH-1 says what a page of a reference leaves out, with the numbers of what it has", () => {
  const request = { outcome: "executed", at: AT } as unknown as MoneyKeyFacts["requests"][number];
  const cut = fc.record({
    keys: fc.array(fc.record({ requests: fc.integer({ min: 1, max: 4 }), more: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
    more: fc.record({ keys: fc.boolean(), reversals: fc.boolean() }),
    events: fc.integer({ min: 298, max: 303 }),
  });
  fc.assert(
    fc.property(cut, ({ keys, more, events }) => {
      const payments = keys.map((one) =>
        // Each is cut at the same number.
        key({ requests: Array.from({ length: one.more ? 4 : one.requests }, () => request), moreRequests: one.more }),
      );
      const it = { ...facts(payments, more), events, most: 300 };
      const text = holding(CUT_CLAIMS, it)
        .map(({ words }) => words(it))
        .join(" ");
      const found = (form: RegExp): readonly number[] | undefined => form.exec(text)?.slice(1).map(Number);
      const many = keys.filter((one) => one.more).length;
      expect(found(/only the first (\d+) were read\./)).toEqual(more.keys ? [payments.length] : undefined);
      expect(text.includes("Only the first 0 refunds and voids were read.")).toBe(more.reversals);
      expect(found(/Of (\d+) keys? only the first (\d+) requests are shown/)).toEqual(
        many === 0 ? undefined : [many, 4],
      );
      expect(found(/first (\d+) of (\d+) events\./)).toEqual(events > 300 ? [300, events] : undefined);
      const lockedUntil = moment(events - 300);
      expect(
        holding(LEASED_CLAIMS, { lockedUntil, at: AT }).map(({ words }) => words({ lockedUntil, at: AT })),
      ).toEqual(events > 300 ? [`Its owner holds the lease until ${lockedUntil.slice(11, 19)} UTC.`] : []);
    }),
  );
});

it("TRUTH-1 reads a lane out as its cells say it", () => {
  const state = fc.constantFrom<MoneyKeyFacts["state"]>(
    "IN_PROGRESS",
    "STALE",
    "UNKNOWN_REQUIRES_RECOVERY",
    "COMPLETED",
  );
  fc.assert(
    fc.property(state, (its) => {
      const lane = effectLane(key({ state: its }), "Key 2");
      const [name, rest = ""] = lane.spoken.split(/: (.*)/s);
      expect([name, rest]).toEqual(["Key 2", `${lane.outcome.text}. Moved ${lane.result.text}. ${lane.note}.`]);
    }),
  );
});
