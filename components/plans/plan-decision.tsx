import { DecisionBox, DecisionHead, Lean } from "@/components/feedback/decision-box";
import { NotOffered, whyNotOffered } from "@/components/feedback/not-offered";
import { DataList } from "@/components/ui/data-list";
import { Glyph } from "@/components/ui/values/glyph";
import { Offer } from "@/components/ui/offer";
import { Stack } from "@/components/ui/row";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { attachedNowWords } from "@/presentation/plan/attached-now";
import { whoMayAgree } from "@/presentation/plan/plan-approval";
import { againRows, willAct } from "@/presentation/plan/plan-advice";
import { leftOut, moneyToRun, moneyWords, unansweredRows } from "@/presentation/plan/plan-answers";
import { planLean } from "@/presentation/plan/plan-list-claims";
import { KIND_NEVER, rowsWord } from "@/presentation/plan/plan-words";
import { CORRECTION_KIND, PURGE_ATTACHED_KIND, type PlanStep } from "@/domain/plans/plan";
import type { PlanView, ScopeDrift } from "@/presentation/views/plans";
import styles from "./plans.module.css";

const HEADS: Readonly<Partial<Record<PlanView["state"], string>>> = {
  awaiting_approval: "Approval",
  ready: "Start",
  running: "Running",
};

/** Where a person decides about a plan: agree, start, abort, or plan its rest again. */
export function PlanDecision({ plan }: { readonly plan: PlanView }) {
  const head = HEADS[plan.state] ?? "Afterwards";
  return (
    <DecisionBox tone="accent" label={head}>
      <DecisionHead>{head}</DecisionHead>
      <Lean>{planLean(plan)}</Lean>
      <DataList narrow items={planFacts(plan)} />
      <Rules plan={plan} />
      <Stack gap={8}>
        {stepsOf(plan).map(({ step, dialog, label, primary }) => {
          const why = whyNotOffered(plan.actions[step]) ?? (dialog === "approve" ? plan.correction?.whyNot : undefined);
          return (
            <div key={dialog}>
              <Offer wide primary={primary} dialog={dialog} notOffered={why}>
                {label}
              </Offer>
              <NotOffered why={why} />
            </div>
          );
        })}
      </Stack>
    </DecisionBox>
  );
}

interface StepView {
  readonly step: PlanStep;
  readonly dialog: string;
  readonly label: string;
  readonly primary: boolean;
}

/** The steps that make sense in a state; one that is not allowed stays there and says why. */
function stepsOf(plan: PlanView): readonly StepView[] {
  const count = formatCount(willAct(plan));
  const abort = (label: string): StepView => ({ step: "abort", dialog: "abort", label, primary: false });
  const unanswered = unansweredRows(plan.asking);
  const ask: readonly StepView[] =
    plan.asking === undefined
      ? []
      : [
          {
            step: "ask",
            dialog: "ask",
            label: unanswered === 0 ? "Ask again" : `Ask again about ${formatCount(unanswered)}`,
            primary: false,
          },
        ];
  switch (plan.state) {
    case "ready":
      return [
        {
          step: "start",
          dialog: "start",
          label: willAct(plan) === 0 ? "Start" : `Start ${count}`,
          primary: true,
        },
        ...ask,
        abort("Abandon the plan"),
      ];
    case "awaiting_approval":
      return [
        {
          step: "decide",
          dialog: "approve",
          label: approveLabel(plan),
          primary: true,
        },
        { step: "decide", dialog: "reject", label: "Reject", primary: false },
        ...ask,
        abort("Abandon the plan"),
      ];
    case "running":
      return [abort("Abort")];
    case "rejected":
    case "aborted":
    case "done":
      // Its body is gone: whoever corrects the message again does so on its page.
      if (plan.kind === CORRECTION_KIND) return [];
      return [
        {
          step: "rerun",
          dialog: "rerun",
          label: againRows(plan) === 0 ? "Plan again" : `Plan ${formatCount(againRows(plan))} again`,
          primary: false,
        },
      ];
  }
}

function approveLabel(plan: PlanView): string {
  if (plan.kind === CORRECTION_KIND) return "Approve and queue";
  return willAct(plan) === 0 ? "Approve" : `Approve and run ${formatCount(willAct(plan))}`;
}

function planFacts(plan: PlanView) {
  const { drift, decidedBy, decisionReason } = plan;
  const asked = (
    <>
      {plan.createdBy}, <Time at={plan.createdAt} now={plan.at} form="clock" />
    </>
  );
  const before = plan.state === "ready" || plan.state === "awaiting_approval";
  const money = moneyWords(moneyToRun(plan) ?? []);
  const toRun = `${rowsWord(willAct(plan), plan.kind)}${money === "" ? "" : `, ${money}`}`;
  const out = leftOut(plan);
  const theirs = attachedNowWords(plan);
  const mayAgree = plan.state === "awaiting_approval" && !plan.expired;
  const facts = [
    { name: "Asked by", value: asked },
    { name: "Reason", value: plan.reason },
    { name: "Left to run", value: before && plan.asking !== undefined ? toRun : undefined },
    { name: "Left out", value: before && out > 0 ? `${formatCount(out)} still unknown` : undefined },
    { name: "Filter", value: drift && driftWords(drift) },
    { name: "Their database", value: theirs === "" ? undefined : theirs },
    { name: "Two people", value: plan.approvalNeeded },
    { name: "May approve", value: mayAgree ? whoMayAgree(plan) : undefined },
    { name: "Decided by", value: decidedBy && [decidedBy, decisionReason].filter(Boolean).join(": ") },
    { name: "Started by", value: plan.startedBy },
    { name: "Ended by", value: plan.endedBy },
    { name: "Worker", value: plan.owner },
  ];
  return facts.filter(({ value }) => value !== undefined);
}

/** What the filter would match now; the plan itself stays as it was frozen. */
export function driftWords({ matching, added, gone, atLeast }: ScopeDrift): string {
  const most = atLeast ? "more than " : "";
  if (added === 0 && gone === 0) return "Still matches these rows";
  return `Matches ${most}${formatCount(matching)}: ${formatCount(added)} new, not in this plan; ${formatCount(gone)} gone since`;
}

const PURGE_RULES = [
  { ok: true, text: "The function decides again for each batch, and takes no more rows than it counted." },
  { ok: true, text: "It can be stopped after any batch; a worker that dies is taken over." },
  { ok: false, text: KIND_NEVER.purge_attached },
];

const CORRECTION_RULES = [
  { ok: true, text: "Approval, new message and closing of the old one are one transaction." },
  { ok: true, text: "Nothing is sent when the old message moved meanwhile." },
  { ok: true, text: KIND_NEVER.correct_dead_letter },
  { ok: false, text: "To the receiver it is a new message: it has a new id." },
];

function Rules({ plan }: { readonly plan: PlanView }) {
  const final = plan.kind === "discard_dead_letters" || plan.kind === "purge_bodies";
  const rules =
    plan.kind === CORRECTION_KIND
      ? CORRECTION_RULES
      : plan.kind === PURGE_ATTACHED_KIND
        ? PURGE_RULES
        : [
            { ok: true, text: "Every row is judged again just before it acts." },
            { ok: true, text: "It can be stopped after any row; a worker that dies is taken over." },
            { ok: !final, text: KIND_NEVER[plan.kind] },
          ];
  return (
    <ul className={styles["rules"]}>
      {rules.map(({ ok, text }) => (
        <li key={text}>
          <Glyph name={ok ? "proven" : "skipped"} tone={ok ? "proven" : "doubt"} size={12} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
