import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { DataTable } from "@/components/table/data-table";
import type { TableColumn, TableRow } from "@/components/table/types";
import { ButtonLink } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { Verdict, type ClauseProps } from "@/components/ui/verdict";
import { PlanFace } from "@/components/plans/plan-face";
import { formatCount } from "@/presentation/format/display-time";
import { rowsWord } from "@/presentation/plan/plan-words";
import { KIND_WORDS, planFace, type ApprovalsView as View, type PlanRow } from "@/presentation/views/plans";
import { ApprovalBox } from "./approval-box";
import { ApprovalDialog } from "./approval-dialog";
import styles from "./approvals.module.css";

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
          <p className={styles["none"]}>Nobody has decided anything yet.</p>
        ) : (
          <DataTable label="Decided plans" columns={COLUMNS} rows={decided.map((row) => tableRow(row, at))} />
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

const COLUMNS: readonly TableColumn[] = [
  { id: "state", header: "State", phone: "left" },
  { id: "what", header: "Plan", phone: "left", link: true, wrap: true, grow: true },
  { id: "money", header: "Amount", align: "right", phone: "hidden" },
  { id: "rows", header: "Rows", align: "right", phone: "right" },
  { id: "asked", header: "Asked by", phone: "full" },
  { id: "by", header: "Decided by", phone: "full", wrap: true },
  { id: "at", header: "Decided", align: "right", phone: "right" },
];

function tableRow(row: PlanRow, now: string): TableRow {
  return {
    id: row.id,
    label: `${KIND_WORDS[row.kind].title}, ${rowsWord(row.total)}, ${planFace(row).word}`,
    href: `/plans/${row.id}`,
    copy: row.id,
    cells: {
      state: <PlanFace face={planFace(row)} />,
      what: KIND_WORDS[row.kind].title,
      money: row.amounts.map(({ display }) => display).join(", "),
      rows: formatCount(row.total),
      asked: row.createdBy,
      by: row.decisionReason === undefined ? row.decidedBy : `${row.decidedBy ?? ""}: ${row.decisionReason}`,
      at: row.decidedAt === undefined ? null : <Time at={row.decidedAt} now={now} form="ago" />,
    },
  };
}
