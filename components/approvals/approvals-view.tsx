import { Link } from "@/components/ui/link";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { drawnCells, columnsOf, type Cells } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { Clauses } from "@/components/ui/verdict";
import { PlanFace, planTableRow, planVerdictFace } from "@/components/plans/plan-face";
import { formatCount } from "@/presentation/format/display-time";
import { tableColumns } from "@/presentation/list/columns";
import { KIND_NEVER, rowsWord } from "@/presentation/plan/plan-words";
import {
  type ApprovalRow,
  type ApprovalsView as View,
  KIND_WORDS,
  planFace,
  type PlanRow,
} from "@/presentation/views/plans";
import { ChangeTable } from "@/components/corrections/change-table";
import { CorrectionLinks } from "@/components/corrections/correction-section";
import { ApprovalDialog } from "./approval-dialog";
import { DecisionBox, DecisionHead, Lean } from "@/components/feedback/decision-box";
import { Id } from "@/components/ui/values/id";
import { Glyph } from "@/components/ui/values/glyph";
import { ITEM_VERDICT_WORDS } from "@/presentation/plan/item-verdict-words";
import { ScopeChips } from "@/components/plans/plan-view";
import { Note, Row } from "@/components/ui/row";
import { willAct } from "@/presentation/plan/plan-advice";
import { approvalClauses } from "@/presentation/plan/plan-list-claims";
import { planForecast } from "@/presentation/plan/plan-summary";
import { NotOffered, whyNotOffered } from "@/components/feedback/not-offered";
import { DataList } from "@/components/ui/data-list";
import { whoMayAgree } from "@/presentation/plan/plan-approval";
import { driftWords } from "@/components/plans/plan-decision";
import { Offer } from "@/components/ui/offer";
import styles from "./approvals.module.css";

export function ApprovalsView({ view }: { readonly view: View }) {
  const { waiting, decided, at } = view;
  return (
    <DoneKeeper>
      <PageHead
        verdict={clausesOf(view)}
        lede="Large plans need two people: whoever asks for one cannot approve it, not even with an API key."
      />
      <DoneLine />
      {waiting.length === 0 ? (
        <p className="quiet">
          Checked <Time at={at} now={at} form="ago" />. <Link href="/plans">See all plans</Link>
        </p>
      ) : (
        waiting.map((plan) => <ApprovalBox key={plan.id} plan={plan} now={at} />)
      )}
      <Section title="Decided" note="the latest 20">
        {decided.length === 0 ? (
          <p className="quiet">None of the newest 1,000 plans was decided.</p>
        ) : (
          <Decided rows={decided} at={at} />
        )}
      </Section>
      <ApprovalDialog
        plans={waiting.map(({ id, kind, counts, total, rest, verdicts, asking, decide, correction }) => ({
          id,
          kind,
          counts,
          total,
          rest,
          verdicts,
          asking,
          decide,
          correction,
        }))}
      />
    </DoneKeeper>
  );
}

function clausesOf({ waiting, count }: View): Clauses {
  const yours = waiting.filter((plan) => plan.decide.allowed).length;
  const own = waiting.filter((plan) => plan.own).length;
  return approvalClauses({ count, shown: waiting.length, yours, own });
}

const DECIDED = tableColumns({
  state: { label: "State", phone: "left" },
  what: { label: "Plan", phone: "left", link: true },
  money: { label: "Amount", align: "right", phone: "right" },
  rows: { label: "Rows", align: "right", phone: "right" },
  asked: { label: "Asked by", phone: "full" },
  by: { label: "Decided by", phone: "full", wrap: true, grow: true },
  at: { label: "Decided", align: "right", phone: "right" },
});

const CELLS: Cells<typeof DECIDED, PlanRow, string> = {
  state: (row) => <PlanFace face={planFace(row)} />,
  what: (row) => KIND_WORDS[row.kind].title,
  money: (row) => row.amounts.map(({ display }) => display).join(", "),
  // On the phone its column has no head.
  rows: (row) => (
    <>
      {formatCount(row.total)}
      <span className="phone-only"> {row.total === 1 ? "row" : "rows"}</span>
    </>
  ),
  asked: (row) => (
    <>
      <span className="phone-only">asked by </span>
      {row.createdBy}
    </>
  ),
  by: (row) => (row.decisionReason === undefined ? row.decidedBy : `${row.decidedBy ?? ""}: ${row.decisionReason}`),
  at: (row, now) => row.decidedAt && <Time at={row.decidedAt} now={now} form="ago" />,
};

function Decided({ rows, at }: { readonly rows: readonly PlanRow[]; readonly at: string }) {
  const columns = columnsOf(DECIDED);
  const cells = drawnCells(DECIDED, columns, CELLS);
  return (
    <DataTable
      label="Decided plans"
      columns={columns}
      rows={rows.map((row) => ({ ...planTableRow(row), cells: cells(row, at) }))}
    />
  );
}

/** Changed fields of a correction in the list of approvals. */
const CHANGES_SHOWN = 8;

interface ApprovalBoxProps {
  readonly plan: ApprovalRow;
  readonly now: string;
}

function ApprovalBox({ plan, now }: ApprovalBoxProps) {
  const title = `${KIND_WORDS[plan.kind].title}, ${rowsWord(plan.total, plan.kind)}`;
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
      {plan.correction !== undefined && (
        <>
          <CorrectionLinks correction={plan.correction} />
          <ChangeTable changes={plan.correction.changes.slice(0, CHANGES_SHOWN)} values={false} />
          <Note>
            <Link href={`/plans/${plan.id}`}>Open it</Link> for the whole difference.
          </Note>
        </>
      )}
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
  const why = whyNotOffered(plan.decide);
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
          { name: "May approve", value: whoMayAgree(plan) },
          plan.drift && { name: "Filter", value: driftWords(plan.drift) },
        ]}
      />
      <div className="above">
        <Row>
          <Offer primary dialog={`approve:${plan.id}`} notOffered={why ?? plan.correction?.whyNot}>
            {plan.correction !== undefined
              ? "Approve and queue"
              : willAct(plan) === 0
                ? "Approve"
                : `Approve and run ${formatCount(willAct(plan))}`}
          </Offer>
          <Offer dialog={`reject:${plan.id}`} notOffered={why}>
            Reject
          </Offer>
        </Row>
        <NotOffered why={why ?? plan.correction?.whyNot} />
      </div>
    </>
  );
}
