import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { OperationList } from "@/components/operations/operation-pane";
import { Amount } from "@/components/operations/operations-table";
import { PlanSelection, type PlanSelectionProps } from "@/components/plans/plan-selection";
import { drawnCells, columnsOf, type Cells, type TableColumn } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { wholeSum } from "@/components/table/money-sum";
import { pageLinks, Pager } from "@/components/table/pager";
import type { Opened } from "@/components/table/use-opened";
import { AnswersSparkline } from "@/components/ui/values/answers-sparkline";
import { ButtonLink } from "@/components/ui/button";
import { Offer } from "@/components/ui/offer";
import { Id } from "@/components/ui/values/id";
import { MiniChain } from "@/components/ui/values/mini-chain";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { ListToolsLine, type ListFacts } from "@/components/views/list-tools";
import { stoppedWords } from "@/presentation/list/list-answers";
import { assignedWords, emptyQueueWords, nextCheckWords, queueLede } from "@/presentation/operation/decision-claims";
import { askedNowWords } from "@/presentation/operation/service-request";
import { formatAge } from "@/presentation/format/display-time";
import { ATTENTION } from "@/presentation/list/operation-lists";
import { saidBefore } from "@/presentation/list/said-before";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { Page } from "@/presentation/views/common";
import type { AttentionRow, AttentionView as View, OperationDetail } from "@/presentation/views/operations";
import { AttentionDialogs, type AskedRow } from "./attention-dialogs";
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

/** The work queue: what nobody knows, by age × amount, with what is known and the two ways on. */
export function AttentionView(props: AttentionViewProps) {
  const { view, address, whyNotReconcile, facts, whyNotAssign } = props;
  const { list } = view;
  if (list.kind === "too_broad") {
    return (
      <>
        <Head view={view} />
        <TooBroad
          title="The queue was not sorted in time."
          text={stoppedWords({ seconds: list.stoppedAfterSeconds })}
          actions={
            <ButtonLink small href="/operations?attention=true&sort=amount">
              Show them by amount
            </ButtonLink>
          }
        />
      </>
    );
  }
  const columns = columnsOf(ATTENTION, { address });
  return (
    <>
      <Head view={view} />
      <ListToolsLine facts={facts} address={address} columns={columns} />
      {list.rows.length === 0 ? (
        <EmptyState
          title={emptyQueueWords(view)}
          text={
            <>
              Checked <Time at={list.at} now={list.at} form="ago" />. Operations in doubt are listed here by age ×
              amount.
            </>
          }
          actions={
            view.unknown + view.stale > 0 ? (
              <ButtonLink small href={hrefWith(address, { cursor: undefined })}>
                Show the queue from its beginning
              </ButtonLink>
            ) : (
              <Link href="/audit?action=operations.resolve">See what was settled by hand</Link>
            )
          }
        />
      ) : (
        <Queue {...props} list={list} columns={columns} />
      )}
      <AttentionDialogs rows={list.rows.map(askedOf)} whyNotAssign={whyNotAssign} whyNotReconcile={whyNotReconcile} />
    </>
  );
}

/** Whoever took it over may be a worker or a person, at work or gone: the lease says no more. */
const LEASED = "Its lease is held: whoever holds it may be asking right now.";

/** @returns what the dialogs of the queue say of one operation */
function askedOf(row: AttentionRow): AskedRow {
  const { operationId, kind, money, known, beingAsked, cannotBeAsked, assignedTo, service } = row;
  const what = `1 ${kind.toLowerCase()}${money === undefined ? "" : ` of ${money.display}`}`;
  const notNow = beingAsked ? LEASED : cannotBeAsked;
  return { id: operationId, what, known, notNow, assignedTo, service };
}

interface QueueProps extends AttentionViewProps {
  readonly list: Page<AttentionRow>;
  readonly columns: readonly TableColumn[];
}

function Queue({ list, columns, address, whyNotReconcile, opened, kinds, whyNotAssign }: QueueProps) {
  const cells = drawnCells(ATTENTION, columns, CELLS);
  const whole = list.next === undefined && list.previous === undefined;
  const again = saidBefore(list.rows, ({ known }) => known);
  return (
    <Section
      space="none"
      title="Oldest and largest first"
      note="age × amount"
      right="Asking the provider never sends a payment again"
    >
      <OperationList opened={opened}>
        <DataTable
          label="Operations in doubt"
          columns={columns}
          sum={whole ? wholeSum(list.rows, columns, { count: "operation", amount: "amount" }) : undefined}
          rows={list.rows.map((row) => ({
            id: row.operationId,
            money: row.money,
            label: `${row.kind} ${row.money?.display ?? ""}, ${row.state === "STALE" ? "stale lease" : "unknown"} for ${formatAge(row.forMs)}`,
            place: { open: row.operationId },
            page: `/operations/${row.operationId}`,
            copy: row.operationId,
            cells: cells(row, { now: list.at, whyNotReconcile, whyNotAssign, again }),
          }))}
          newer="operations"
          selectable
          matching={whole ? String(list.rows.length) : "operations"}
          selectionActions={<PlanSelection kinds={kinds} search="?attention=true" />}
        />
        <Pager note="By age × amount, 50 a page" {...pageLinks(address, list)} />
      </OperationList>
    </Section>
  );
}

function Head({ view: { totals, verdict } }: { readonly view: View }) {
  return <PageHead verdict={verdict.clauses} lede={queueLede({ totals })} />;
}

interface Now {
  readonly now: string;
  readonly whyNotReconcile: string | undefined;
  readonly whyNotAssign: string | undefined;
  /** Rows of which a row above knows the same. */
  readonly again: ReadonlySet<AttentionRow>;
}

const CELLS: Cells<typeof ATTENTION, AttentionRow, Now> = {
  state: (row) => <StateTag name={row.state} />,
  operation: (row) => (
    <span className={styles["two"]}>
      {row.kind} <Id value={row.key} plain />
    </span>
  ),
  amount: (row) => <Amount money={row.money} />,
  for: (row, { now }) => (
    <span className={styles["age"]}>
      <Time at={row.since} now={now} form="fine" />
    </span>
  ),
  chain: (row) => <MiniChain stations={row.chain} />,
  answers: (row) => <AnswersSparkline {...row.answers} max={4} />,
  known: (row, { now, again, whyNotAssign }) => (
    <Known row={row} now={now} again={again.has(row)}>
      <Offer
        small
        dialog={`${row.assignedTo === undefined ? "assign" : "unassign"}:${row.operationId}`}
        notOffered={whyNotAssign}
      >
        {row.assignedTo === undefined ? "Assign to me" : "Unassign"}
      </Offer>
    </Known>
  ),
  act: (row, { whyNotReconcile }) => (
    <span className={styles["act"]}>
      <ButtonLink small href={`/operations/${row.operationId}`} label={`Decide on ${row.kind} ${row.key}`}>
        Decide
      </ButtonLink>
      <Offer
        small
        dialog={`reconcile:${row.operationId}`}
        notOffered={row.beingAsked ? LEASED : (row.cannotBeAsked ?? whyNotReconcile)}
      >
        Reconcile
      </Offer>
    </span>
  ),
};

interface KnownProps {
  readonly row: AttentionRow;
  readonly now: string;
  readonly again: boolean;
  readonly children: ReactNode;
}

/** What an earlier row says in full is cut to a line here; the pane has all of it. */
function Known({ row, now, again, children }: KnownProps) {
  return (
    <span className={styles["known"]} data-again={again || undefined} title={again ? row.known : undefined}>
      <span>{row.known}</span>
      <i>
        {row.beingAsked ? "Its lease is held." : nextCheckWords({ at: now, nextCheckAt: row.nextCheckAt })}{" "}
        {askedNowWords(row)} {assignedWords(row)} {children}
      </i>
    </span>
  );
}
