import fc from "fast-check";
import { describe, it } from "vitest";
import { MAX_PURGE_BATCHES, MAX_PURGED_ROWS } from "@/domain/attachments/acts";
import { LOOK_UP_ANSWERS, LOOK_UPS_TOTAL_MS } from "@/domain/plans/look-ups";
import { isAttachedKind, MAX_ATTACHED_ROWS, PLAN_KINDS, PLAN_STATES, type PlanKindName } from "@/domain/plans/plan";
import { approvalNeeded } from "@/presentation/plan/plan-approval";
import { freezeWords, stepWords, type StepFacts } from "@/presentation/plan/plan-dialog-claims";
import { approvalClauses, endedWords, planLean, plansClauses } from "@/presentation/plan/plan-list-claims";
import { figure, holdSentences } from "@/presentation/testing/hold-sentences";
import type { PlanRestRow, PlanView } from "@/presentation/views/plans";
import { NOT_YOURS, samplePlan } from "./plan-facts.samples";

/** What became of one row of a plan that is not over: it acted, would act, was settled since, is still unknown, or is left alone. */
const FATES = ["acted", "acts", "settled", "unknown", "alone"] as const;
type Fate = (typeof FATES)[number];
interface World {
  readonly kind: PlanKindName;
  readonly fates: readonly Fate[];
  /** Of the rows that would act: how many are likely to die again. */
  readonly dying: number;
  readonly canaryDue: boolean;
}
const worlds = fc
  .record<World>({
    kind: fc.constantFrom(...PLAN_KINDS),
    // Up to one turn of the worker, and several.
    fates: fc
      .tuple(fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 6 }), fc.constantFrom(1, 1, 40))
      .map(([fates, each]) => fates.flatMap((fate) => Array.from({ length: each }, () => fate))),
    dying: fc.nat(6),
    canaryDue: fc.boolean(),
  })
  // A correction has one row, which acts when somebody approves it.
  .map((world): World => (world.kind === "correct_dead_letter" ? { ...world, fates: ["acts"] } : world))
  .map((world) => ({ ...world, dying: Math.min(world.dying, count(world, "acts")) }));

const actsOnDead = (kind: PlanKindName): boolean => isAttachedKind(kind) && kind !== "purge_attached";
const REST: Readonly<Record<Exclude<Fate, "acted">, Omit<PlanRestRow, "count" | "verdict">>> = {
  acts: { result: "waiting", now: "acts", lookUp: "completes" },
  settled: { result: "waiting", now: "settled", by: "automatically" },
  unknown: { result: "waiting", now: "acts", lookUp: "unknown" },
  alone: { result: "left", now: "left" },
};
const count = ({ fates }: Pick<World, "fates">, ...which: readonly Fate[]): number =>
  fates.filter((fate) => which.includes(fate)).length;

/** As a page reads it. */
function planOf(world: World): StepFacts {
  const { kind, fates } = world;
  const waiting = count(world, "acts", "settled", "unknown");
  return {
    kind,
    total: fates.length,
    counts: { waiting, done: count(world, "acted"), skipped: count(world, "alone"), failed: 0 },
    startedAt: count(world, "acted") > 0 ? "2026-11-22T14:00:00Z" : undefined,
    rest: fates.flatMap((fate) => (fate === "acted" ? [] : [{ ...REST[fate], verdict: "sent" as const, count: 1 }])),
    asking: {
      state: "asked",
      answers: [
        {
          answer: "completes",
          count: count(world, "acts", "acted"),
          amounts: [],
          results: samplePlan().results,
          otherwise: 0,
        },
        { answer: "unknown", count: count(world, "unknown"), amounts: [], results: samplePlan().results, otherwise: 0 },
      ],
    },
    verdicts: [],
    outlooks: { likely: count(world, "acts") - world.dying, dies: world.dying },
    canary: { state: world.canaryDue ? "due" : "true", rows: [] },
  };
}
/** Seconds that the worker rests between the turns of a plan: 25 rows each, half a second after each but the last. */
const planRests = (rows: number): number => Math.max(0, Math.ceil(rows / 25) - 1) / 2;
const sentences = (name: string, text: string): readonly string[] =>
  text.split(/(?<=\.) (?=[A-Z\d])/).map((sentence) => `${name}: ${sentence}`);

describe("TRUTH-1 what the dialogs of a plan say", () => {
  it("counts each row once, by what becomes of it", () => {
    holdSentences(
      worlds,
      (world) => {
        const plan = planOf(world);
        return [
          ...sentences("does", stepWords.startEffect(plan)),
          ...sentences("knows", stepWords.startEvidence(plan)),
          ...sentences("does not", stepWords.startNotDone(plan)),
          ...sentences("leaves", stepWords.startSkipped(plan)),
          ...sentences("rejected", stepWords.rejectSkipped(plan)),
          `rejected: ${stepWords.rejectNotDone(plan)}`,
          ...sentences("stopped", stepWords.stopSkipped(plan)),
          ...sentences("asked", stepWords.askSkipped(plan)),
          ...sentences("again", stepWords.againSkipped(plan)),
        ];
      },
      [
        [
          /^does: No (row|batch) would act now\.$/,
          (world, unit) => (unit === "batch") === (world.kind === "purge_attached") && count(world, "acts") === 0,
        ],
        [
          /^does: (\d+) (row|batch)(?:s|es)? (?:is|are) .+; it takes at least (\d+) s\.$/,
          (world, rows = "", unit, seconds = "") =>
            (unit === "batch") === (world.kind === "purge_attached") &&
            figure(rows) === count(world, "acts") &&
            figure(seconds) > 0 &&
            figure(seconds) <= planRests(count(world, "acts")),
        ],
        [
          /^does: (\d+) (row|batch)(?:s|es)? (?:is|are) [^;]+\.$/,
          (world, rows = "", unit) =>
            (unit === "batch") === (world.kind === "purge_attached") &&
            figure(rows) === count(world, "acts") &&
            planRests(count(world, "acts")) < 1,
        ],
        [
          /^knows: (All|Some) of them are likely to die again\.$/,
          (world, which) => world.dying > 0 && (which === "All") === (world.dying === count(world, "acts")),
        ],
        [
          /^knows: Each row is judged again just before it acts; what must not act .+\.$/,
          ({ kind }) => kind !== "purge_attached",
        ],
        [
          /^knows: The function decides again for each batch; .+ is skipped\.$/,
          ({ kind }) => kind === "purge_attached",
        ],
        [
          /^does not: A canary of each destination goes first; if one fails, the plan stops\.$/,
          (world) => world.canaryDue && count(world, "acts") > 0,
        ],
        [/^does not: (?!A canary).+\.$/, () => true],
        [
          /^leaves: (\d+) of (\d+), as the dry run says\.$/,
          (world, rows = "", all = "") => figure(rows) === count(world, "alone") && figure(all) === world.fates.length,
        ],
        [/^leaves: (\d+) more, settled since\.$/, (world, rows = "") => figure(rows) === count(world, "settled")],
        [/^leaves: (\d+) still unknown, left out\.$/, (world, rows = "") => figure(rows) === count(world, "unknown")],
        [
          /^leaves: None of (\d+)\.$/,
          (world, all = "") => count(world, "alone", "settled", "unknown") === 0 && figure(all) === world.fates.length,
        ],
        [/^rejected: All (\d+)\.$/, ({ fates }, all = "") => figure(all) === fates.length],
        // The body of a correction is deleted with its plan.
        [
          /^rejected: No row acts\. The message stays as it is; .+ is deleted\.$/,
          ({ kind }) => kind === "correct_dead_letter",
        ],
        // Batches of a purge are not planned again: another plan counts what is there then.
        [
          /^rejected: No batch acts\. Nothing is deleted, and the rows may be counted by another plan\.$/,
          ({ kind }) => kind === "purge_attached",
        ],
        [
          /^rejected: No row acts\. What was .+ planned again\.$/,
          ({ kind }) => kind !== "correct_dead_letter" && kind !== "purge_attached",
        ],
        [
          /^stopped: (\d+) of (\d+) deletes? nothing; another plan counts anew\.$/,
          (world, rows = "", all = "") =>
            world.kind === "purge_attached" &&
            figure(rows) === count(world, "acts", "settled", "unknown") &&
            figure(all) === world.fates.length,
        ],
        [/^stopped: 1 of 1 .+; correct the message again .+\.$/, ({ kind }) => kind === "correct_dead_letter"],
        [
          /^stopped: (\d+) of (\d+) (stays as it is; it|stay as they are; they) can be planned again\.$/,
          (world, rows = "", all = "", stays) =>
            world.kind !== "correct_dead_letter" &&
            world.kind !== "purge_attached" &&
            figure(rows) === count(world, "acts", "settled", "unknown") &&
            figure(all) === world.fates.length &&
            (rows === "1") === (stays === "stays as it is; it"),
        ],
        [/^asked: (\d+) with a final answer\.$/, (world, rows = "") => figure(rows) === count(world, "acts", "acted")],
        [/^again: None\.$/, (world) => count(world, "acted", "settled", "alone") === 0],
        [
          /^again: (\d+) that (?:is|are) done, settled, or would be left alone\.$/,
          (world, rows = "") => figure(rows) === count(world, "acted", "settled", "alone"),
        ],
      ],
    );
  });

  it("a freeze asks for a second person from the size on that an approval asks for one", () => {
    const rows = (kind: PlanKindName, acting: number, minor = 0n) =>
      approvalNeeded(kind, { acting, amounts: minor === 0n ? [] : [{ currency: "EUR", minor }] });
    holdSentences(
      fc.record({
        kind: fc.constantFrom(...PLAN_KINDS),
        count: fc.constantFrom(1, 10_000, 10_001),
        what: fc.constantFrom(undefined, "the selected messages"),
        outlook: fc.constantFrom("", "2 likely to succeed"),
        chosen: fc.boolean(),
      }),
      ({ what, ...facts }) => {
        const words = freezeWords({ ...facts, ...(what !== undefined && { what }) });
        return [
          words.effect,
          ...sentences("before it acts", words.evidence),
          ...(words.whyNot === undefined ? [] : [words.whyNot]),
        ];
      },
      [
        [
          /^Freezes (.+) as they are now, with a verdict .+\. Later dead letters .+\.$/,
          ({ what }, said) => said === what,
        ],
        [
          /^Freezes them as they are now, 10,000 at the most, .+\.$/,
          ({ what, kind }) => what === undefined && !isAttachedKind(kind),
        ],
        [
          /^Freezes the newest dead rows as they are now, ([\d,]+) at the most, .+\. What dies later is not in it\.$/,
          ({ what, kind, chosen }, most = "") =>
            what === undefined && actsOnDead(kind) && !chosen && figure(most) === MAX_ATTACHED_ROWS,
        ],
        [
          /^Of the newest ([\d,]+) dead rows it freezes those of the type and the error chosen, .+\. What dies later is not in it\.$/,
          ({ what, kind, chosen }, most = "") =>
            what === undefined && actsOnDead(kind) && chosen && figure(most) === MAX_ATTACHED_ROWS,
        ],
        [
          /^Counts what the installed function would delete, ([\d,]+) rows at the most, .+ batches of at most ([\d,]+)\. .+ rolled back\.$/,
          ({ what, kind }, most = "", batch = "") =>
            what === undefined &&
            kind === "purge_attached" &&
            figure(most) === MAX_PURGED_ROWS * MAX_PURGE_BATCHES &&
            figure(batch) === MAX_PURGED_ROWS,
        ],
        [
          /^before it acts: Outlook now: (.+)\.$/,
          ({ kind, outlook }, said) => kind === "requeue_dead_letters" && said === outlook,
        ],
        [
          /^before it acts: The provider is asked about rows that would act, .+ for (\d+) minutes at the most; .+\.$/,
          ({ kind }, minutes = "") => kind === "reconcile_operations" && figure(minutes) * 60_000 === LOOK_UPS_TOTAL_MS,
        ],
        [/^before it acts: Every row is judged again just before it acts\.$/, ({ kind }) => kind !== "purge_attached"],
        [
          /^before it acts: The function decides again for each batch, and takes no more rows than it counted\.$/,
          ({ kind }) => kind === "purge_attached",
        ],
        [
          /^before it acts: From ([\d,]+) rows( or 10,000\.00 of one currency)? that would act, counted with your other plans of this kind .+\.$/,
          ({ kind }, from = "", money) =>
            rows(kind, figure(from) - 1) === undefined &&
            rows(kind, figure(from)) !== undefined &&
            (money !== undefined) === (rows(kind, 0, 1_000_000n) !== undefined) &&
            rows(kind, 0, 999_999n) === undefined,
        ],
        [/^Narrow the filter: a plan holds 10,000 rows\.$/, (facts) => facts.count > 10_000],
      ],
    );
  });
});

describe("TRUTH-1 what the pages of plans say", () => {
  it("counts what is open and what waits for a second person", () => {
    const states = fc.array(fc.constantFrom("ready", "awaiting_approval", "done"), { maxLength: 5 });
    holdSentences(
      fc.record({ read: fc.constantFrom(true, true, false), states }),
      ({ read, states: all }) => {
        const approvals = all.filter((state) => state === "awaiting_approval").length;
        const open = all.filter((state) => state !== "done").length;
        return plansClauses(read ? { read, open, approvals } : { read, open: 0, approvals: 0 }).map(({ text }) => text);
      },
      [
        [/^The plans could not be read in time\.$/, ({ read }) => !read],
        [/^No plan is open\.$/, ({ read, states: all }) => read && all.every((state) => state === "done")],
        [
          /^(\d+) plan(s?) (?:is|are) open\.$/,
          ({ states: all }, said = "", many) =>
            figure(said) === all.filter((state) => state !== "done").length && (many === "") === (said === "1"),
        ],
        [
          /^(\d+) waits? for a second person\.$/,
          ({ states: all }, said = "") => figure(said) === all.filter((state) => state === "awaiting_approval").length,
        ],
      ],
    );
  });

  it("counts approvals among those that are shown, and says so where not all are", () => {
    const waiting = fc.array(fc.constantFrom("yours", "own", "others"), { maxLength: 6 });
    const of = (all: readonly string[], shown: number, whose: string) =>
      all.slice(0, shown).filter((each) => each === whose).length;
    const part = (said: string | undefined, some: number, all: number): boolean =>
      said === "it" ? some === 1 && all === 1 : said === "all of" ? some === all : figure(said ?? "") === some;
    holdSentences(
      fc.record({ all: waiting, most: fc.constantFrom(2, 20) }),
      ({ all, most }) =>
        approvalClauses({
          count: all.length,
          shown: Math.min(most, all.length),
          yours: of(all, most, "yours"),
          own: of(all, most, "own"),
        }).map(({ text }) => text),
      [
        [/^Nothing waits for approval\.$/, ({ all }) => all.length === 0],
        [/^(\d+) plans? waits? for a second person\.$/, ({ all }, said = "") => figure(said) === all.length],
        [
          /^The (\d+) that wait longest are shown\.$/,
          ({ all, most }, said = "") => figure(said) === most && all.length > most,
        ],
        [
          /^You may decide about (it|all of|\d+)(?: them| of these| these)?\.$/,
          ({ all, most }, said) => part(said, of(all, most, "yours"), Math.min(most, all.length)),
        ],
        [
          /^You asked for (it|all of|\d+)(?: them)? yourself\.$/,
          ({ all, most }, said) => all.length <= most && part(said, of(all, all.length, "own"), all.length),
        ],
        [
          /^You asked for (all of|\d+)(?: of)? these yourself\.$/,
          ({ all, most }, said) => all.length > most && part(said, of(all, most, "own"), most),
        ],
      ],
    );
  });

  it("a plan's decision names who asked, how long it takes, and why it was rejected", () => {
    const plans = fc
      .record({
        state: fc.constantFrom(...PLAN_STATES),
        expired: fc.boolean(),
        own: fc.boolean(),
        decisionReason: fc.constantFrom(undefined, "Too early."),
        waiting: fc.constantFrom(1, 6, 900),
      })
      .map(({ own, waiting, ...of }): PlanView => {
        const sample = samplePlan();
        const may = own ? NOT_YOURS : sample.actions.decide;
        const actions = { ...sample.actions, decide: may, start: may };
        const counts = { waiting, done: 0, skipped: 0, failed: 0 };
        return samplePlan({ ...of, actions, counts, total: waiting });
      });
    holdSentences(plans, (plan) => [planLean(plan)].filter((text) => text !== ""), [
      [/^It waited 7 days .+\.$|expired/, ({ state, expired }) => state === "awaiting_approval" && expired],
      [
        /^You may approve: (.+) asked for it, not you\.$/,
        ({ state, createdBy, actions }, by) =>
          state === "awaiting_approval" && by === createdBy && actions.decide.allowed,
      ],
      [
        /^It waits for a second person\.$/,
        ({ state, actions }) => state === "awaiting_approval" && !actions.decide.allowed,
      ],
      [
        /^Ready to start\. It takes at least (\d+) s\.$/,
        ({ state, counts, actions }, seconds = "") =>
          state === "ready" &&
          actions.start.allowed &&
          figure(seconds) > 0 &&
          figure(seconds) <= planRests(counts.waiting),
      ],
      [
        /^Ready to start\.$/,
        ({ state, counts, actions }) => state === "ready" && actions.start.allowed && planRests(counts.waiting) < 1,
      ],
      [/^You asked for it yourself\.$/, ({ state, actions }) => state === "ready" && !actions.start.allowed],
      [/^The worker takes it row by row\. .+\.$/, ({ state }) => state === "running"],
      [
        /^(?:It was rejected|Rejected: (.+))\. $/,
        ({ state, decisionReason }, why) =>
          state === "rejected" && (why === undefined) === (decisionReason === undefined),
      ],
    ]);
  });

  it("a row that ended says how, and what its provider answered before", () => {
    holdSentences(
      fc.record({
        outcome: fc.constantFrom(undefined, "It failed."),
        otherwise: fc.constantFrom(undefined, true, false),
        lookUp: fc.constantFrom(undefined, ...LOOK_UP_ANSWERS),
      }),
      (row) => [endedWords(row)].filter((text) => text !== ""),
      [
        [
          /^(It failed\.)? ?Answered otherwise than in the dry run \((.+)\)\.$/,
          ({ outcome, otherwise, lookUp = "" }, failed, answer = "") =>
            otherwise === true &&
            failed === outcome &&
            answer.replace(/^would |still /, "").startsWith(
              {
                completes: "complete",
                fails: "fail",
                frees: "end without effect",
                unknown: "unknown",
                not_asked: "not asked",
                waiting: "not asked yet",
              }[lookUp] ?? "?",
            ),
        ],
        [
          /^It failed\.$/,
          ({ outcome, otherwise, lookUp }) => outcome !== undefined && (otherwise !== true || lookUp === undefined),
        ],
      ],
    );
  });
});
