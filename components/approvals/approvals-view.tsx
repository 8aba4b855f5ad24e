import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { drawnCells, columnsOf, type Cells } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { ButtonLink } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { Verdict, type ClauseProps } from "@/components/ui/verdict";
import { PlanFace } from "@/components/plans/plan-face";
import { formatCount } from "@/presentation/format/display-time";
import { tableColumns } from "@/presentation/list/columns";
import { rowsWord } from "@/presentation/plan/plan-words";
import { KIND_WORDS, planFace, type ApprovalsView as View, type PlanRow } from "@/presentation/views/plans";
import { ApprovalBox } from "./approval-box";
import { ApprovalDialog } from "./approval-dialog";

export interface ApprovalsViewProps {
  readonly view: View;
}

export function ApprovalsView({ view }: ApprovalsViewProps) {
  const { waiting, decided, at } = view;
  return (
    <DoneKeeper>
      <PageHead lede="Large plans need two people: whoever asks for one cannot agree to it, neither by themselves nor with a key.">
        <Verdict clauses={clausesOf(view)} />
      </PageHead>
      <DoneLine />
      {waiting.length === 0 ? (
        <EmptyState
          title="Nothing waits for a second person."
          text={
            <>
              Checked <Time at={at} now={at} form="ago" />. Plans below the thresholds start without one.
            </>
          }
          actions={
            <ButtonLink small href="/plans">
              See all plans
            </ButtonLink>
          }
        />
      ) : (
        waiting.map((plan) => <ApprovalBox key={plan.id} plan={plan} now={at} />)
      )}
      <Section title="Decided" note="the latest 20">
        {decided.length === 0 ? (
          <p className="quiet">Nobody has decided anything yet.</p>
        ) : (
          <Decided rows={decided} at={at} />
        )}
      </Section>
      <ApprovalDialog
        plans={waiting.map(({ id, kind, counts, total, decide }) => ({ id, kind, counts, total, decide }))}
      />
    </DoneKeeper>
  );
}

function clausesOf({ waiting }: View): readonly ClauseProps[] {
  if (waiting.length === 0) return [{ text: "Nothing waits for approval." }];
  const yours = waiting.filter((plan) => plan.decide.allowed).length;
  const own = waiting.filter((plan) => plan.own).length;
  return [
    {
      text: `${formatCount(waiting.length)} ${waiting.length === 1 ? "plan waits" : "plans wait"} for a second person.`,
      tone: "doubt",
    },
    ...(yours === 0
      ? []
      : [
          {
            text: `You may decide about ${yours < waiting.length ? formatCount(yours) : yours === 1 ? "it" : "all of them"}.`,
          },
        ]),
    ...(own === 0 ? [] : [{ text: ownWords(own, waiting.length) }]),
  ];
}

function ownWords(own: number, all: number): string {
  if (own < all) return `You asked for ${formatCount(own)} yourself.`;
  return all === 1 ? "You asked for it yourself." : "You asked for all of them yourself.";
}

const DECIDED = tableColumns({
  state: { label: "State", phone: "left" },
  what: { label: "Plan", phone: "left", link: true, wrap: true, grow: true },
  money: { label: "Amount", align: "right" },
  rows: { label: "Rows", align: "right", phone: "right" },
  asked: { label: "Asked by", phone: "full" },
  by: { label: "Decided by", phone: "full", wrap: true },
  at: { label: "Decided", align: "right", phone: "right" },
});

const CELLS: Cells<typeof DECIDED, PlanRow, string> = {
  state: (row) => <PlanFace face={planFace(row)} />,
  what: (row) => KIND_WORDS[row.kind].title,
  money: (row) => row.amounts.map(({ display }) => display).join(", "),
  rows: (row) => formatCount(row.total),
  asked: (row) => row.createdBy,
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
      rows={rows.map((row) => ({
        id: row.id,
        label: `${KIND_WORDS[row.kind].title}, ${rowsWord(row.total)}, ${planFace(row).word}`,
        href: `/plans/${row.id}`,
        copy: row.id,
        cells: cells(row, at),
      }))}
    />
  );
}
