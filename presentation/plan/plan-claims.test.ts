import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPERATION_STATES, STAGES } from "@/domain/idempotency/states";
import { PLAN_KINDS, PLAN_RULES, type PlanKindName, type PlanPart } from "@/domain/plans/plan";
import { ORDER_KIND, providerFacts, sampleKind } from "@/tests/support/payment-kinds";
import {
  judgePurge,
  judgeReconcile,
  judgeRelease,
  judgeResolve,
  type OperationJudged,
  type PlanOperationFacts,
} from "./operation-verdict";
import { approvalNeeded, whoMayAgree, type OtherPlans } from "./plan-approval";

const facts: fc.Arbitrary<PlanOperationFacts> = fc.record({
  about: fc.constantFrom(
    ...[providerFacts("sandbox"), providerFacts("sandbox-neither"), providerFacts("sandbox-dedupe-only")].map(
      (provider) => ({ ...sampleKind("payments.create"), provider }),
    ),
    sampleKind("shop.order"),
    ORDER_KIND,
    { ...ORDER_KIND, actions: ["resolve"] as const },
  ),
  state: fc.constantFrom(...OPERATION_STATES, "UNKNOWN_REQUIRES_RECOVERY", "IN_PROGRESS"),
  stage: fc.option(fc.constantFrom(...STAGES), { nil: undefined }),
  providerKey: fc.boolean(),
  leased: fc.boolean(),
  owner: fc.constantFrom(undefined, "api-1"),
  lockedUntil: fc.constantFrom(undefined, "2026-11-19T14:02:09.000000Z"),
  provider: fc.constantFrom(undefined, "sandbox", "sandbox-neither", "sandbox-dedupe-only", "gone"),
  bodyPurged: fc.boolean(),
  bodyAgeHours: fc.option(fc.double({ min: 0, max: 60, noNaN: true }), { nil: undefined }),
  bodyTtlHours: fc.integer({ min: 1, max: 48 }),
  keyLive: fc.boolean(),
});

type Oracle = (it: PlanOperationFacts, captured: readonly string[]) => boolean;
const OPEN = ["IN_PROGRESS", "UNKNOWN_REQUIRES_RECOVERY"];
const open: Oracle = ({ state }) => OPEN.includes(state);
const ours: Oracle = ({ about }) => about.runsIn === "module";
/** A service that registered that it settles by a person's decision. */
const decides: Oracle = ({ about }) =>
  !["", undefined].includes(about.owner) &&
  about.runsIn === "service" &&
  about.actions.some((each) => each === "resolve");
const free: Oracle = (it, captured) => open(it, captured) && ours(it, captured) && !it.leased;
/** A send is committed as a stage before it happens, under a key of the provider. */
const sent: Oracle = ({ stage, providerKey }) =>
  providerKey && stage !== "RECEIVED" && stage !== "LOCAL_PAYMENT_CREATED";
const mute: Oracle = ({ about, provider }) => provider !== "sandbox" && provider === about.provider?.name;
const kept = ({ bodyTtlHours, bodyAgeHours = Number.NaN }: PlanOperationFacts): number => bodyTtlHours - bodyAgeHours;
const stored: Oracle = (it) => !it.bodyPurged && it.bodyAgeHours !== undefined && !OPEN.includes(it.state);

const SETTLE: readonly (readonly [RegExp, Oracle])[] = [
  [/^Its outcome is known\.$/, (it) => !OPEN.includes(it.state)],
  [/^Another service owns this kind of operation and settles it by itself\.$/, (it, c) => open(it, c) && !ours(it, c)],
  [
    /^(api-1|An owner) holds the lease(?: until (14:02:09) UTC)?\.$/,
    (it, [who, until]) =>
      it.leased && (it.owner ?? "An owner") === who && (it.lockedUntil === undefined) === (until === undefined),
  ],
];
const RECONCILE: typeof SETTLE = [
  ...SETTLE,
  [/^Nothing was sent: there is nothing to ask\. Release it instead\.$/, (it, c) => free(it, c) && !sent(it, c)],
  [/^This provider cannot be asked: a person decides\.$/, (it, c) => free(it, c) && sent(it, c) && mute(it, c)],
  [/^Sent, outcome unknown, and nobody holds its lease\.$/, (it, c) => free(it, c) && sent(it, c) && !mute(it, c)],
];
const decidable: Oracle = (it, c) => free(it, c) || (open(it, c) && !it.leased && decides(it, c));
const RESOLVE: typeof SETTLE = [
  ...SETTLE.filter(([words]) => !words.test("Another service owns this kind of operation and settles it by itself.")),
  [
    /^Another service owns this kind of operation and settles it by itself\.$/,
    (it, c) => open(it, c) && !ours(it, c) && !decides(it, c),
  ],
  [
    /^Nothing was sent: there is nothing to decide\. Release it instead\.$/,
    (it, c) => decidable(it, c) && !sent(it, c),
  ],
  [
    /^Sent, outcome unknown, and nobody holds its lease: it is settled as was decided\.$/,
    (it, c) => free(it, c) && sent(it, c),
  ],
  [
    /^Sent, outcome unknown, and nobody holds its lease: (\S+) is asked to settle it as was decided\.$/,
    (it, c) => decidable(it, c) && sent(it, c) && decides(it, c) && it.about.owner === c[0],
  ],
];
const RELEASE: typeof SETTLE = [
  ...SETTLE,
  [/^It was sent: its key stays until the outcome is known\.$/, (it, c) => free(it, c) && sent(it, c)],
  [
    /^Nobody holds its lease and nothing was sent: the same key may run again, as often as its policy lets it\.$/,
    (it, c) => free(it, c) && !sent(it, c) && it.keyLive,
  ],
  [
    /^Nobody holds its lease and nothing was sent\. Its key has expired meanwhile\.$/,
    (it, c) => free(it, c) && !sent(it, c) && !it.keyLive,
  ],
];
const PURGE: typeof SETTLE = [
  [/^It is still open: the body is evidence\.$/, open],
  [/^No body of it is stored any more\.$/, (it, c) => !open(it, c) && (it.bodyPurged || it.bodyAgeHours === undefined)],
  [
    /^Its failure is not final while its window is open: the body stays\.$/,
    (it, c) => stored(it, c) && it.state === "FAILED_RETRYABLE" && it.keyLive,
  ],
  [
    /^Its policy keeps the body for (\d+) h more\.$/,
    (it, [hours]) => stored(it, []) && kept(it) > Number(hours) - 1 && kept(it) <= Number(hours) && Number(hours) > 0,
  ],
  [
    /^Older than its policy keeps it; its key is still live, so a retry gets no stored bytes\.$/,
    (it, c) => stored(it, c) && kept(it) <= 0 && it.keyLive,
  ],
  [
    /^Older than its policy keeps it, and its key has expired\.$/,
    (it, c) => stored(it, c) && kept(it) <= 0 && !it.keyLive,
  ],
];
const ACTS = /^Sent, outcome unknown|^Nobody holds its lease and nothing|^Older than/;

function wrong(oracle: typeof SETTLE, { why, acts }: OperationJudged, it: PlanOperationFacts): string | undefined {
  const [words, holds] = oracle.find(([each]) => each.test(why)) ?? [];
  if (words === undefined || holds === undefined) return `no predicate: ${why}`;
  const [, ...captured] = words.exec(why) ?? [];
  return holds(it, captured) && acts === ACTS.test(why) ? undefined : `not so: ${why}`;
}

describe("PLAN-3 every verdict of a plan on an operation", () => {
  it("is so of the operation", () => {
    fc.assert(
      fc.property(facts, (it) => {
        expect(wrong(RECONCILE, judgeReconcile(it), it)).toBeUndefined();
        expect(wrong(RESOLVE, judgeResolve(it), it)).toBeUndefined();
        expect(wrong(RELEASE, judgeRelease(it), it)).toBeUndefined();
        expect(wrong(PURGE, judgePurge(it), it)).toBeUndefined();
      }),
      { numRuns: 1_500 },
    );
  });
});

const amount = fc.record({
  currency: fc.constantFrom("EUR", "JPY"),
  minor: fc.oneof(
    fc.bigInt({ min: 0n, max: 2_500_000n }),
    fc.constantFrom(10_000n, 10_001n, 1_000_001n, 400_000n, 600_000n, 1_000_000n),
  ),
});
const part = fc.record({
  acting: fc.integer({ min: 0, max: 130 }),
  amounts: fc.uniqueArray(amount, { maxLength: 2, selector: ({ currency }) => currency }),
});
const others: fc.Arbitrary<OtherPlans> = fc
  .tuple(part, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
  .map(([it, plans, singles]) => ({ ...it, plans, singles: plans === 0 ? Math.max(1, singles) : singles }));

const figures = (text: string): bigint[] =>
  [...text.matchAll(/\d[\d,.]*\d|\d/g)].map(([each]) => BigInt(each.replaceAll(/[,.]/g, "")));

interface Over {
  readonly currency: string | undefined;
  /** In the order in which they are written. */
  readonly figures: readonly bigint[];
}

/** What is too much for one person, counted anew: by rows, then by currency. */
function overOf(kind: PlanKindName, here: PlanPart, beside: OtherPlans): readonly Over[] {
  const over = (value: bigint, other: bigint, most: bigint, limit: bigint, currency?: string): Over[] => {
    if (value > most) return [{ currency, figures: [value, value - limit, limit] }];
    const sum = value + other;
    return sum > most ? [{ currency, figures: [value, other, ...besides, sum, sum - limit, limit] }] : [];
  };
  // How many plans, and how many single acts beside them.
  const besides = beside.plans === 0 ? [] : [beside.plans, beside.singles].filter((count) => count > 0).map(BigInt);
  const alone = BigInt(PLAN_RULES[kind].approvalFrom - 1);
  const rows = here.acting === 0 ? [] : over(BigInt(here.acting), BigInt(beside.acting), alone, alone);
  const money = PLAN_RULES[kind].countsMoney ? here.amounts : [];
  return [
    ...rows,
    ...money.flatMap(({ currency, minor }) => {
      const limit = currency === "JPY" ? 10_000n : 1_000_000n;
      const other = beside.amounts.find((each) => each.currency === currency)?.minor ?? 0n;
      return over(minor, other, limit - 1n, limit, currency);
    }),
  ];
}

describe("PLAN-9 why a second person has to agree", () => {
  it("is said exactly where it is so, with what is over", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLAN_KINDS), part, others, (kind, here, beside) => {
        const expected = overOf(kind, here, beside);
        const said = (approvalNeeded(kind, here, beside) ?? "").split(/(?<=alone\.|decide\.) /).filter(Boolean);
        expect(said).toHaveLength(expected.length);
        for (const [index, { currency, figures: all }] of expected.entries()) {
          const text = said[index] ?? "";
          expect(text.includes("€")).toBe(currency === "EUR");
          const exactly = text.endsWith("from that amount on two people decide.");
          expect(exactly).toBe(currency !== undefined && all.at(-2) === 0n);
          expect(figures(text)).toEqual(exactly ? all.slice(0, -2) : all);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it("names who may, and whom it is not for", () => {
    fc.assert(
      fc.property(fc.constantFrom("Ada", "Mira Okafor"), fc.boolean(), (createdBy, byKey) => {
        const words = whoMayAgree({ createdBy, byKey, notSecond: undefined });
        expect(words).toContain(`but not ${createdBy}, who asked`);
        expect(words.includes("a key of it")).toBe(byKey);
        expect(words).toMatch(/^An approver or an admin, /);
      }),
    );
  });
});
