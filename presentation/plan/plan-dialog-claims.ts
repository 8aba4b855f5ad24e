import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import { MAX_PURGE_BATCHES, MAX_PURGED_ROWS } from "@/domain/attachments/acts";
import { isFinal, LOOK_UPS_TOTAL_MS } from "@/domain/plans/look-ups";
import {
  APPROVAL_AMOUNT_UNITS,
  CORRECTION_KIND,
  isAttachedKind,
  MAX_ATTACHED_ROWS,
  PLAN_MAX_ITEMS,
  PLAN_RULES,
  PURGE_ATTACHED_KIND,
  planSeconds,
  unitOf,
  type PlanKindName,
} from "@/domain/plans/plan";
import { formatAge, formatCount } from "../format/display-time";
import type { PlanView } from "../views/plans";
import { againRows, willAct } from "./plan-advice";
import { answerTotal, leftOut } from "./plan-answers";
import { effectOfRows, KIND_NEVER } from "./plan-words";

/** What the dialogs of a plan's steps say it by. */
export type StepFacts = Pick<PlanView, "kind" | "counts" | "total" | "startedAt" | "rest"> &
  Partial<Pick<PlanView, "asking" | "verdicts" | "canary" | "outlooks">>;

const claim = <Facts>(
  name: string,
  holds: (facts: Facts) => boolean,
  words: (facts: Facts) => string,
): PageClaim<Facts> => ({ name, holds, words });
const always = (): boolean => true;
const isCorrection = ({ kind }: StepFacts): boolean => kind === CORRECTION_KIND;
const settled = (plan: StepFacts): number => plan.counts.waiting - willAct(plan) - leftOut(plan);
const notAgain = (plan: StepFacts): number => plan.total - againRows(plan);
const least = (plan: StepFacts): number => planSeconds(willAct(plan));
const seconds = (plan: StepFacts): string => formatAge(least(plan) * 1_000);
const effect = (plan: StepFacts): string => effectOfRows(plan.kind, willAct(plan), plan.verdicts);

/** What a start does. */
const START_EFFECT: readonly PageClaim<StepFacts>[] = [
  claim(
    "nothing acts",
    (plan) => willAct(plan) === 0,
    ({ kind }) => `No ${unitOf(kind)} would act now.`,
  ),
  claim(
    "rows act for a while",
    (plan) => least(plan) > 0,
    (plan) => `${effect(plan)}; it takes at least ${seconds(plan)}.`,
  ),
  claim("rows act", always, (plan) => `${effect(plan)}.`),
];

const dies = ({ outlooks }: StepFacts): number => outlooks?.dies ?? 0;
/** What is known of the rows that a start lets act. */
const START_EVIDENCE: readonly PageClaim<StepFacts>[] = [
  claim(
    "all may die",
    (plan) => willAct(plan) > 0 && dies(plan) >= willAct(plan),
    () => "All of them are likely to die again.",
  ),
  claim(
    "some may die",
    (plan) => dies(plan) > 0 && dies(plan) < willAct(plan),
    () => "Some of them are likely to die again.",
  ),
  claim(
    "counted again",
    ({ kind }) => kind === PURGE_ATTACHED_KIND,
    () => "The function decides again for each batch; one for which it finds no row is skipped.",
  ),
  claim(
    "judged again",
    ({ kind }) => kind !== PURGE_ATTACHED_KIND,
    () => "Each row is judged again just before it acts; what must not act by then is skipped with its reason.",
  ),
];

/** What a start does not do. */
const START_NOT_DONE: readonly PageClaim<StepFacts>[] = [
  claim(
    "canary first",
    (plan) => willAct(plan) > 0 && plan.canary?.state === "due",
    () => "A canary of each destination goes first; if one fails, the plan stops.",
  ),
  claim("never", always, ({ kind }) => KIND_NEVER[kind]),
];

/** What a start leaves alone. */
const START_SKIPPED: readonly PageClaim<StepFacts>[] = [
  claim(
    "left alone",
    ({ counts }) => counts.skipped > 0,
    ({ counts, total }) => `${formatCount(counts.skipped)} of ${formatCount(total)}, as the dry run says.`,
  ),
  claim(
    "settled since",
    (plan) => settled(plan) > 0,
    (plan) => `${formatCount(settled(plan))} more, settled since.`,
  ),
  claim(
    "still unknown",
    (plan) => leftOut(plan) > 0,
    (plan) => `${formatCount(leftOut(plan))} still unknown, left out.`,
  ),
  claim(
    "none",
    (plan) => plan.counts.skipped === 0 && settled(plan) === 0 && leftOut(plan) === 0,
    ({ total }) => `None of ${formatCount(total)}.`,
  ),
];

/** What a rejection leaves as it is. */
const REJECT_SKIPPED: readonly PageClaim<StepFacts>[] = [
  claim("all", always, ({ total }) => `All ${formatCount(total)}.`),
];

/** What a stop leaves as it is. */
const STOP_SKIPPED: readonly PageClaim<StepFacts>[] = [
  claim(
    "correct again",
    (plan) => isCorrection(plan) && againRows(plan) > 0,
    () => "1 of 1 stays as it is; correct the message again on its own page.",
  ),
  claim("stays", isCorrection, () => "1 of 1 stays as it is."),
  claim(
    "count again",
    ({ kind }) => kind === PURGE_ATTACHED_KIND,
    ({ counts: { waiting }, total }) =>
      `${formatCount(waiting)} of ${formatCount(total)} ${waiting === 1 ? "deletes" : "delete"} nothing; another plan counts anew.`,
  ),
  claim("plan again", always, ({ counts: { waiting }, total }) => {
    const stays = waiting === 1 ? "stays as it is; it" : "stay as they are; they";
    return `${formatCount(waiting)} of ${formatCount(total)} ${stays} can be planned again.`;
  }),
];

/** What becomes of rows that a rejection leaves. */
const REJECT_NOT_DONE: readonly PageClaim<StepFacts>[] = [
  claim("body is gone", isCorrection, () => "No row acts. The message stays as it is; its corrected body is deleted."),
  claim(
    "may be counted",
    ({ kind }) => kind === PURGE_ATTACHED_KIND,
    () => "No batch acts. Nothing is deleted, and the rows may be counted by another plan.",
  ),
  claim("may be planned", always, () => "No row acts. What was frozen stays as it is and may be planned again."),
];

/** What is not asked about once more. */
const ASK_SKIPPED: readonly PageClaim<StepFacts>[] = [
  claim("answered", always, ({ asking }) => `${formatCount(answerTotal(asking, isFinal))} with a final answer.`),
];

/** What another plan of the rest leaves out. */
const AGAIN_SKIPPED: readonly PageClaim<StepFacts>[] = [
  claim(
    "none",
    (plan) => notAgain(plan) === 0,
    () => "None.",
  ),
  claim("some", always, (plan) => {
    const count = notAgain(plan);
    return `${formatCount(count)} that ${count === 1 ? "is" : "are"} done, settled, or would be left alone.`;
  }),
];

/** What the dialogs of the steps say of a plan. */
export const stepWords = {
  startEffect: (plan: StepFacts): string => firstWords(START_EFFECT, plan),
  startEvidence: (plan: StepFacts): string => claimWords(START_EVIDENCE, plan).join(" "),
  startNotDone: (plan: StepFacts): string => claimWords(START_NOT_DONE, plan).join(" "),
  startSkipped: (plan: StepFacts): string => claimWords(START_SKIPPED, plan).join(" "),
  rejectSkipped: (plan: StepFacts): string => firstWords(REJECT_SKIPPED, plan),
  rejectNotDone: (plan: StepFacts): string => firstWords(REJECT_NOT_DONE, plan),
  stopSkipped: (plan: StepFacts): string => firstWords(STOP_SKIPPED, plan),
  askSkipped: (plan: StepFacts): string => firstWords(ASK_SKIPPED, plan),
  againSkipped: (plan: StepFacts): string => firstWords(AGAIN_SKIPPED, plan),
};

/** What somebody is about to freeze. */
export interface FreezeFacts {
  readonly kind: PlanKindName;
  /** Names them: "the selected messages"; missing: "them". */
  readonly what?: string;
  /** A type or an error of dead rows is chosen in the dialog. */
  readonly chosen?: boolean;
  /** How many, where that is known. */
  readonly count?: number;
  /** "9 likely to succeed, 42 likely to die again"; empty where none was judged. */
  readonly outlook?: string;
}

/** What a freeze does. */
const FREEZE_EFFECT: readonly PageClaim<FreezeFacts>[] = [
  claim(
    "dead letters",
    ({ what }) => what !== undefined,
    ({ what = "them" }) =>
      `Freezes ${what} as they are now, with a verdict and its reason per row. Later dead letters are not in it.`,
  ),
  claim(
    "attached batches",
    ({ kind }) => kind === PURGE_ATTACHED_KIND,
    () =>
      `Counts what the installed function would delete, ${formatCount(MAX_PURGED_ROWS * MAX_PURGE_BATCHES)} rows at the most, and freezes it as batches of at most ${formatCount(MAX_PURGED_ROWS)}. To count them the function is called in a transaction that is rolled back.`,
  ),
  claim(
    "attached rows of a choice",
    ({ kind, chosen }) => isAttachedKind(kind) && chosen === true,
    () =>
      `Of the newest ${formatCount(MAX_ATTACHED_ROWS)} dead rows it freezes those of the type and the error chosen, as they are now, with a verdict and its reason per row. What dies later is not in it.`,
  ),
  claim(
    "attached rows",
    ({ kind }) => isAttachedKind(kind),
    () =>
      `Freezes the newest dead rows as they are now, ${formatCount(MAX_ATTACHED_ROWS)} at the most, with a verdict and its reason per row. What dies later is not in it.`,
  ),
  claim(
    "operations",
    always,
    () =>
      `Freezes them as they are now, ${formatCount(PLAN_MAX_ITEMS)} at the most, with a verdict and its reason per row. What comes later is not in it.`,
  ),
];

const LOOK_UPS_MINUTES = LOOK_UPS_TOTAL_MS / 60_000;
/** What happens between a freeze and an act, and from which size on a second person is asked. */
const FREEZE_EVIDENCE: readonly PageClaim<FreezeFacts>[] = [
  claim(
    "outlook",
    ({ kind, outlook = "" }) => kind === "requeue_dead_letters" && outlook !== "",
    ({ outlook = "" }) => `Outlook now: ${outlook}.`,
  ),
  claim(
    "asks first",
    ({ kind }) => PLAN_RULES[kind].asks,
    () =>
      `The provider is asked about rows that would act, until the plan is started and for ${String(LOOK_UPS_MINUTES)} minutes at the most; a look-up settles nothing.`,
  ),
  claim(
    "counted again",
    ({ kind }) => kind === PURGE_ATTACHED_KIND,
    () => "The function decides again for each batch, and takes no more rows than it counted.",
  ),
  claim(
    "judged again",
    ({ kind }) => kind !== PURGE_ATTACHED_KIND,
    () => "Every row is judged again just before it acts.",
  ),
  claim("second person", always, ({ kind }) => {
    const { approvalFrom, countsMoney } = PLAN_RULES[kind];
    const money = countsMoney ? ` or ${formatCount(Number(APPROVAL_AMOUNT_UNITS))}.00 of one currency` : "";
    return `From ${formatCount(approvalFrom)} rows${money} that would act, counted with your other plans of this kind that are ready or ran in the last hour, a second person approves.`;
  }),
];

/** Why it cannot be frozen. */
const FREEZE_WHY_NOT: readonly PageClaim<FreezeFacts>[] = [
  claim(
    "too many",
    ({ count = 0 }) => count > PLAN_MAX_ITEMS,
    () => `Narrow the filter: a plan holds ${formatCount(PLAN_MAX_ITEMS)} rows.`,
  ),
];

export function freezeWords(facts: FreezeFacts) {
  return {
    effect: firstWords(FREEZE_EFFECT, facts),
    evidence: claimWords(FREEZE_EVIDENCE, facts).join(" "),
    whyNot: claimWords(FREEZE_WHY_NOT, facts)[0],
  };
}
