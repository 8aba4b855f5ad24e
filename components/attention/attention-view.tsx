import Link from "next/link";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { OperationList } from "@/components/operations/operation-pane";
import { PlanSelection, type PlanSelectionProps } from "@/components/plans/plan-selection";
import { DataTable } from "@/components/table/data-table";
import { pageLinks, Pager } from "@/components/table/pager";
import type { TableRow } from "@/components/table/types";
import type { Opened } from "@/components/table/use-opened";
import { AnswersSparkline } from "@/components/ui/values/answers-sparkline";
import { ButtonLink } from "@/components/ui/button";
import { Offer } from "@/components/ui/offer";
import { Id } from "@/components/ui/values/id";
import { MiniChain } from "@/components/ui/values/mini-chain";
import { Money } from "@/components/ui/values/money";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { toVerdictClauses } from "@/components/ui/verdict-clauses";
import { listColumns } from "@/components/views/list-columns";
import { ListToolsLine, shownColumns, type ListFacts } from "@/components/views/list-tools";
import { formatAge } from "@/presentation/format/display-time";
import type { PageAddress } from "@/presentation/list/page-address";
import type { Page } from "@/presentation/views/common";
import type { AttentionRow, AttentionView as View, OperationDetail } from "@/presentation/views/operations";
import { askedOf, AssignButton } from "./assign";
import { AttentionDialogs } from "./attention-dialogs";
import styles from "./attention.module.css";

export interface AttentionViewProps {
  readonly view: View;
  readonly address: PageAddress;
  /** Why this person may not ask the provider; undefined: may. */
  readonly whyNotReconcile?: string | undefined;
  readonly facts: ListFacts;
  /** Plans that may be made of the selected rows. */
  readonly kinds: PlanSelectionProps["kinds"];
  readonly whyNotAssign?: string | undefined;
  readonly opened: Opened<OperationDetail> | undefined;
}

const COLUMNS = listColumns("attention", [
  { id: "state", header: "State", phone: "full", width: 116 },
  { id: "operation", header: "Operation and key", phone: "left", link: true },
  { id: "amount", header: "Amount", align: "right", phone: "right" },
  { id: "for", header: "Nobody knows for", align: "right", phone: "right" },
  { id: "client", header: "Client", phone: "hidden" },
  { id: "account", header: "Account", phone: "hidden" },
  { id: "reference", header: "Reference", phone: "hidden" },
  { id: "chain", header: "Key to ledger", phone: "hidden", wide: true, roomy: true },
  { id: "answers", header: "Answers", phone: "hidden", wide: true, roomy: true },
  { id: "known", header: "What is known", wrap: true, grow: true, phone: "full" },
  { id: "act", header: "Actions", hiddenHeader: true, align: "right", phone: "full", roomy: true },
]);

/** The work queue: what nobody knows, by age × amount, with what is known and the two ways on. */
export function AttentionView(props: AttentionViewProps) {
  const { view, address, whyNotReconcile, facts, whyNotAssign } = props;
  const { list } = view;
  if (list.kind === "too_broad") {
    return (
      <>
        <Head view={view} />
        <TooBroad
          title="The queue is too long to be sorted quickly."
          text={`It stopped after ${String(list.stoppedAfterSeconds)} s. The list of operations answers page by page.`}
          actions={
            <ButtonLink small href="/operations?attention=true&sort=amount">
              Show them by amount
            </ButtonLink>
          }
        />
      </>
    );
  }
  return (
    <>
      <Head view={view} />
      <ListToolsLine facts={facts} address={address} columns={COLUMNS} />
      {list.rows.length === 0 ? (
        <EmptyState
          title="Nothing is unknown and no lease is stale."
          text={
            <>
              Checked <Time at={list.at} now={list.at} form="ago" />. What nobody knows would stand here by age and
              amount.
            </>
          }
          actions={<Link href="/audit?action=operations.resolve">See what was settled by hand</Link>}
        />
      ) : (
        <Queue {...props} list={list} />
      )}
      <AttentionDialogs rows={list.rows.map(askedOf)} whyNotAssign={whyNotAssign} whyNotReconcile={whyNotReconcile} />
    </>
  );
}

interface QueueProps extends AttentionViewProps {
  readonly list: Page<AttentionRow>;
}

function Queue({ list, address, whyNotReconcile, opened, kinds, whyNotAssign }: QueueProps) {
  return (
    <Section
      space="none"
      title="Oldest and largest first"
      note="age × amount"
      right="Asking the provider never sends a payment again"
    >
      <OperationList opened={opened}>
        <DataTable
          label="Operations whose outcome nobody knows"
          columns={shownColumns(COLUMNS, address)}
          rows={list.rows.map((row) => ({
            ...tableRow(row, list.at, { reconcile: whyNotReconcile, assign: whyNotAssign }),
            place: { open: row.operationId },
            page: `/operations/${row.operationId}`,
          }))}
          newer="operations"
          selectable
          matching={list.next === undefined && list.previous === undefined ? String(list.rows.length) : "operations"}
          selectionActions={<PlanSelection kinds={kinds} search="?attention=true" />}
        />
        <Pager note="By age × amount, 50 a page" {...pageLinks(address, list)} />
      </OperationList>
    </Section>
  );
}

function Head({ view }: { readonly view: View }) {
  return (
    <PageHead
      lede={
        <>
          {view.totals.length > 1 &&
            `${view.totals.map((total) => `${total.money.display} in ${String(total.count)}`).join(", ")}. `}
          The worker asks the provider by itself, less and less often. A person decides what it cannot settle, with
          evidence and a reason.
        </>
      }
    >
      <Verdict clauses={toVerdictClauses(view.verdict)} />
    </PageHead>
  );
}

const BEING_ASKED = "A worker is asking right now. Leave it.";

interface WhyNot {
  readonly reconcile: string | undefined;
  readonly assign: string | undefined;
}

function tableRow(row: AttentionRow, now: string, whyNot: WhyNot): TableRow {
  const href = `/operations/${row.operationId}`;
  return {
    id: row.operationId,
    label: `${row.kind} ${row.money?.display ?? ""}, ${row.state === "STALE" ? "stale lease" : "unknown"} for ${formatAge(row.forMs)}`,
    href,
    copy: row.operationId,
    cells: {
      state: <StateTag name={row.state} />,
      operation: (
        <span className={styles["two"]}>
          {row.kind} <Id value={row.key} plain />
        </span>
      ),
      amount:
        row.money === undefined ? (
          <span className={styles["none"]}>none</span>
        ) : (
          <Money minor={row.money.minor} currency={row.money.currency} />
        ),
      for: <Time at={row.since} now={now} form="fine" />,
      client: row.client,
      account: row.account ?? <span className={styles["none"]}>none</span>,
      reference: row.reference ?? <span className={styles["none"]}>none</span>,
      chain: <MiniChain stations={row.chain} />,
      answers: <AnswersSparkline {...row.answers} max={4} />,
      known: (
        <span className={styles["known"]}>
          <Known row={row} now={now} />
          <AssignButton row={row} whyNot={whyNot.assign} />
        </span>
      ),
      act: (
        <span className={styles["act"]}>
          <ButtonLink small href={href}>
            Decide
          </ButtonLink>
          <Offer
            small
            dialog={`reconcile:${row.operationId}`}
            notOffered={row.beingAsked ? BEING_ASKED : (row.cannotBeAsked ?? whyNot.reconcile)}
          >
            Reconcile
          </Offer>
        </span>
      ),
    },
  };
}

function Known({ row, now }: { readonly row: AttentionRow; readonly now: string }) {
  return (
    <span className={styles["known"]}>
      {row.known}
      <i>
        {row.beingAsked ? "A worker asks right now." : <NextCheck row={row} now={now} />}
        {row.assignedTo !== undefined && ` Assigned to ${row.assignedTo}.`}
      </i>
    </span>
  );
}

function NextCheck({ row, now }: { readonly row: AttentionRow; readonly now: string }) {
  if (row.nextCheckAt === undefined) return " No next check is planned.";
  const inMs = Date.parse(row.nextCheckAt) - Date.parse(now);
  return <> {inMs > 0 ? `Asked again in ${formatAge(inMs)}.` : "To be asked now."}</>;
}
