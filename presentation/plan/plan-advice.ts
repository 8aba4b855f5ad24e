import { formatCount } from "../format/display-time";
import { CORRECTION_KIND, PURGE_AGAIN, PURGE_ATTACHED_KIND, unitOf } from "@/domain/plans/plan";
import { claimWords, type PageClaim } from "@/domain/page-claim";
import type { PlanRestRow, PlanView } from "../views/plans";
import { leftOut } from "./plan-answers";
import { rowsWord } from "./plan-words";
import type { PlanItemVerdict } from "@/domain/plans/item-verdicts";

type Rest = PlanView["rest"];

/** @returns how many rows of the rest are such; 0 of a rest that was not judged */
export function restCount(rest: Rest, which: (row: PlanRestRow) => boolean): number {
  return (rest ?? []).filter(which).reduce((sum, { count }) => sum + count, 0);
}

/** Rows that a start would run: they wait, nobody has settled them since the dry run, and it did not find them still unknown. */
export function willAct(plan: Pick<PlanView, "counts" | "rest"> & Partial<Pick<PlanView, "asking">>): number {
  const settled = restCount(plan.rest, ({ result, now }) => result === "waiting" && now === "settled");
  return plan.counts.waiting - settled - leftOut(plan);
}

/** Rows that it did not do, that were open when it left them, and that somebody else has settled since. */
export function settledSince({ rest }: Pick<PlanView, "rest">): number {
  return restCount(rest, ({ result, now }) => now === "settled" && result !== "settled" && result !== "left");
}

/** " automatically", ", 9 automatically and 3 by Ada"; empty where not all of them are known. */
export function settlerClause(rest: Rest, which: (row: PlanRestRow) => boolean): string {
  const counts = new Map<string, number>();
  const rows = (rest ?? []).filter(which);
  for (const { by, count } of rows) if (by !== undefined) counts.set(by, (counts.get(by) ?? 0) + count);
  if (rows.length === 0 || rows.some(({ by }) => by === undefined)) return "";
  const parts = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const [only, ...more] = parts;
  if (only !== undefined && more.length === 0) return ` ${only[0]}`;
  const shown = parts.slice(0, SETTLERS_SHOWN).map(([by, count]) => `${formatCount(count)} ${by}`);
  const left = parts.slice(SETTLERS_SHOWN).reduce((sum, [, count]) => sum + count, 0);
  return `, ${[...shown, ...(left === 0 ? [] : [`${formatCount(left)} by others`])].join(", ")}`;
}

/** Names in one sentence; a plan's rows name the rest. */
const SETTLERS_SHOWN = 3;

/** Rows that would act if they were planned again; of a rest that was not judged, all of it. */
export function againRows({ rest, total, counts }: Pick<PlanView, "rest" | "total" | "counts">): number {
  return rest === undefined ? total - counts.done : restCount(rest, ({ now }) => now === "acts");
}

/** What somebody does about an open row that a plan of its kind leaves alone. */
const NEXT_STEPS: Readonly<Partial<Record<PlanItemVerdict, string>>> = {
  processed: "requeue to close",
  operation_unknown: "settle the operation first",
  mismatch: "compare both payloads",
  leased: "in progress, wait",
  not_sent: "release",
  sent: "reconcile",
  cannot_ask: "decide with evidence",
  foreign: "settled by its own service",
  open: "still needed, wait",
  kept: "kept by policy",
  doubtful: "decide on its own page",
};

function leftWords(rest: Rest): string {
  const counts = new Map<string, number>();
  for (const { verdict, now, count } of rest ?? []) {
    const step = NEXT_STEPS[verdict] ?? "look at it";
    if (now === "left") counts.set(step, (counts.get(step) ?? 0) + count);
  }
  return [...counts].map(([step, count]) => `${formatCount(count)} ${step}`).join(", ");
}

const ended = ({ endedAt }: PlanView): boolean => endedAt !== undefined;
const undone = ({ total, counts }: PlanView): number => total - counts.done;
const isLeft = ({ now }: PlanRestRow): boolean => now === "left";

/** What the page of an ended plan advises, for those rows only that still need it. */
export const ADVICE_CLAIMS: readonly PageClaim<PlanView>[] = [
  {
    name: "every row acted",
    holds: (plan) => ended(plan) && undone(plan) === 0,
    words: ({ kind }) => `Every ${unitOf(kind)} did what the dry run said.`,
  },
  {
    name: "plan again",
    holds: (plan) => ended(plan) && plan.kind !== CORRECTION_KIND && plan.rest !== undefined && againRows(plan) > 0,
    words: (plan) => {
      const count = againRows(plan);
      return `${rowsWord(count, plan.kind)} would act now: plan ${count === 1 ? "it" : "them"} again.`;
    },
  },
  {
    name: "correct again",
    holds: (plan) => ended(plan) && plan.kind === CORRECTION_KIND && againRows(plan) > 0,
    words: () => "The message is still dead: correct it again on its own page, or requeue it as it is.",
  },
  {
    name: "another step",
    holds: (plan) => ended(plan) && restCount(plan.rest, isLeft) > 0,
    words: (plan) => {
      const count = restCount(plan.rest, isLeft);
      return `${rowsWord(count, plan.kind)} ${count === 1 ? "needs" : "need"} something else: ${leftWords(plan.rest)}.`;
    },
  },
  {
    name: "nothing left",
    holds: (plan) =>
      ended(plan) &&
      undone(plan) > 0 &&
      plan.rest !== undefined &&
      againRows(plan) === 0 &&
      restCount(plan.rest, isLeft) === 0,
    words: () => "Nothing is left to do: what it did not do is settled.",
  },
  {
    name: "count anew",
    holds: (plan) => ended(plan) && plan.kind === PURGE_ATTACHED_KIND && undone(plan) > 0,
    words: () => PURGE_AGAIN,
  },
  {
    name: "not judged",
    holds: (plan) => ended(plan) && plan.kind !== PURGE_ATTACHED_KIND && undone(plan) > 0 && plan.rest === undefined,
    words: (plan) => `${rowsWord(undone(plan), plan.kind)} did not act. Planning them again judges each of them anew.`,
  },
];

/** @returns empty while it has not ended */
export function planAdvice(plan: PlanView): string {
  return claimWords(ADVICE_CLAIMS, plan).join(" ");
}
