import Link from "next/link";
import { DecisionBox, DecisionHead, Lean } from "@/components/feedback/decision-box";
import { driftWords } from "@/components/plans/plan-decision";
import { planVerdictFace } from "@/components/plans/plan-face";
import { ScopeChips } from "@/components/plans/plan-view";
import { Offer } from "@/components/ui/offer";
import { DataList } from "@/components/ui/data-list";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { Note, Row } from "@/components/ui/row";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { ITEM_VERDICT_WORDS } from "@/presentation/plan/item-verdict-words";
import { whoMayAgree } from "@/presentation/plan/plan-approval";
import { planForecast } from "@/presentation/plan/plan-summary";
import { KIND_NEVER, rowsWord } from "@/presentation/plan/plan-words";
import { KIND_WORDS, type ApprovalRow } from "@/presentation/views/plans";
import styles from "./approvals.module.css";

export interface ApprovalBoxProps {
  readonly plan: ApprovalRow;
  readonly now: string;
}

export function ApprovalBox({ plan, now }: ApprovalBoxProps) {
  const title = `${KIND_WORDS[plan.kind].title}, ${rowsWord(plan.total)}`;
  return (
    <DecisionBox tone="accent" label={title} right={<Decide plan={plan} now={now} />}>
      <DecisionHead>
        <Link href={`/plans/${plan.id}`}>{title}</Link> <Id value={plan.id} plain />
      </DecisionHead>
      <Lean>{would(plan)}</Lean>
      <ul className={styles["verdicts"]}>
        {plan.verdicts.map((row) => {
          const face = planVerdictFace(row.verdict);
          return (
            <li key={`${row.verdict} ${String(row.acts)}`}>
              <Glyph name={row.acts ? face.glyph : "skipped"} tone={row.acts ? face.tone : "quiet"} size={12} />
              <span>
                {row.acts ? "" : "Leave: "}
                {ITEM_VERDICT_WORDS[row.verdict]}
              </span>
              <b>{formatCount(row.count)}</b>
            </li>
          );
        })}
      </ul>
      <ScopeChips chips={plan.chips} />
      <Note>{KIND_NEVER[plan.kind]}</Note>
    </DecisionBox>
  );
}

/** What would happen: the clauses of the plan's own page. */
function would(plan: ApprovalRow): string {
  return planForecast(plan)
    .map(({ text }) => text)
    .join(" ");
}

function Decide({ plan, now }: ApprovalBoxProps) {
  const { allowed, whyNot } = plan.decide;
  const why = allowed ? undefined : (whyNot ?? "Not offered now.");
  return (
    <>
      <DataList
        narrow
        items={[
          {
            name: "Asked by",
            value: (
              <>
                {plan.createdBy}, <Time at={plan.createdAt} now={now} form="ago" />
              </>
            ),
          },
          { name: "Reason", value: plan.reason },
          { name: "Two people", value: plan.approvalNeeded ?? "Asked for." },
          { name: "May agree", value: whoMayAgree(plan) },
          ...(plan.drift === undefined ? [] : [{ name: "Filter now", value: driftWords(plan.drift) }]),
        ]}
      />
      <div className="above">
        <Row>
          <Offer primary dialog={`approve:${plan.id}`} notOffered={why}>
            {`Approve and run ${formatCount(plan.counts.waiting)}`}
          </Offer>
          <Offer dialog={`reject:${plan.id}`} notOffered={why}>
            Reject
          </Offer>
        </Row>
        {why !== undefined && <Note>Not offered: {why}</Note>}
      </div>
    </>
  );
}
