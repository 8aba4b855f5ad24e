import { Link } from "@/components/ui/link";
import { Chain } from "@/components/chain/chain";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { ListProblems } from "@/components/outbox/list-problems";
import { Id } from "@/components/ui/values/id";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { FilterProblem } from "@/presentation/filters/search";
import type { PageAddress } from "@/presentation/list/page-address";
import { planChain } from "@/presentation/plan/plan-chain";
import { planSummary, reconciliation } from "@/presentation/plan/plan-summary";
import { KIND_WORDS, planFace, type PlanView as View } from "@/presentation/views/plans";
import type { PlanItemFilters } from "@/domain/lists/filters";
import { CorrectionSection } from "@/components/corrections/correction-section";
import { AnswersTable, LookUpProgress } from "./answers-table";
import { CanaryTable } from "./canary-table";
import { PlanDecision } from "./plan-decision";
import { PLAN_DIALOGS, PlanStepDialog } from "./plan-dialogs";
import { PlanFace } from "./plan-face";
import { PlanItems } from "./plan-items";
import { PlanProgress } from "./plan-progress";
import { ItemVerdictTable } from "./item-verdict-table";
import { unitOf } from "@/domain/plans/plan";
import styles from "./plans.module.css";

export interface PlanViewProps {
  readonly plan: View;
  readonly filters: PlanItemFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
}

/** One plan: what it froze, what it would do, who agrees, how far it is, and what became of every row. */
export function PlanView({ plan, filters, problems, address }: PlanViewProps) {
  const ran = plan.startedAt !== undefined;
  return (
    <DoneKeeper>
      <PageHead
        verdict={planSummary(plan)}
        crumb={
          <>
            <Link href="/plans">Plans</Link> · <Id value={plan.id} plain />
          </>
        }
        crumbRight={
          <>
            Asked for by {plan.createdBy}, <Time at={plan.createdAt} now={plan.at} form="ago" />
          </>
        }
        lede={
          <>
            {KIND_WORDS[plan.kind].title}: {scopeOf(plan)}. The set is frozen: what came later is not in it.
          </>
        }
        aside={<PlanFace face={planFace(plan)} />}
      >
        <ScopeChips chips={plan.chips} />
      </PageHead>
      <DoneLine />
      <Section title="Progress" note={`acts once per ${unitOf(plan.kind)}, however often it is taken up`} space="small">
        <Chain stations={planChain(plan)} label="Progress of the plan" />
        {plan.asking !== undefined && !ran && <LookUpProgress asking={plan.asking} />}
        {ran && <PlanProgress kind={plan.kind} results={plan.results} ended={plan.endedAt !== undefined} />}
        {plan.endedAt !== undefined && ran && <p className={styles["adds"]}>{reconciliation(plan)}</p>}
      </Section>
      {plan.canary !== undefined && <CanaryTable canary={plan.canary} now={plan.at} />}
      <div className={styles["columns"]}>
        <TwoColumns
          side={
            <div className={styles["side"]}>
              <PlanDecision plan={plan} />
            </div>
          }
        >
          {plan.asking !== undefined && !ran && <AnswersTable plan={plan} asking={plan.asking} />}
          {plan.correction !== undefined && <CorrectionSection planId={plan.id} correction={plan.correction} />}
          {plan.correction === undefined && (plan.asking === undefined || ran || plan.results.left > 0) && (
            <ItemVerdictTable plan={plan} />
          )}
          {plan.asking !== undefined && ran && <AnswersTable plan={plan} asking={plan.asking} />}
          <ListProblems problems={problems} />
          <PlanItems plan={plan} filters={filters} address={address} />
        </TwoColumns>
      </div>
      {PLAN_DIALOGS.map((name) => (
        <PlanStepDialog key={name} plan={plan} name={name} />
      ))}
    </DoneKeeper>
  );
}

/** The frozen filter; nothing here can be dropped any more. */
export function ScopeChips({ chips }: { readonly chips: View["chips"] }) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles["chips"]} aria-label="Frozen filter">
      {chips.map(({ name, value }) => (
        <li key={name}>
          <span>{name}</span> {value}
        </li>
      ))}
    </ul>
  );
}

/** The same sentence as one line. */
export function planTitle(plan: View): string {
  return planSummary(plan)
    .map(({ text }) => text)
    .join(" ");
}

function scopeOf(plan: View) {
  if (plan.rerunOf === undefined && plan.chips.length > 0) return <>the filter below</>;
  if (plan.rerunOf === undefined) return plan.scope;
  return <Link href={`/plans/${plan.rerunOf}`}>{plan.scope}</Link>;
}
