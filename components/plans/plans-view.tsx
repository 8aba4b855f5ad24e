import { EmptiedPage } from "@/components/feedback/emptied-page";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { ListProblems } from "@/components/outbox/list-problems";
import { drawnCells, columnsOf, type Cells, type TableColumn } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { pageLinks, Pager } from "@/components/table/pager";
import { ButtonLink } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Tabs, type TabLink } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { ListToolsLine, type ListFacts } from "@/components/views/list-tools";
import { withSavedTabs } from "@/components/views/saved-tabs";
import { stoppedWords } from "@/presentation/list/list-answers";
import { formatCount } from "@/presentation/format/display-time";
import type { FilterProblem } from "@/presentation/filters/search";
import { filterHref, hrefWith, isLaterPage, type PageAddress } from "@/presentation/list/page-address";
import { PLANS } from "@/presentation/list/record-lists";
import type { PlanState } from "@/domain/plans/plan";
import { plansClauses } from "@/presentation/plan/plan-list-claims";
import { resultParts } from "@/presentation/plan/plan-results";
import { KIND_WORDS, planFace, type PlanRow, type PlansView as View } from "@/presentation/views/plans";
import type { PlanFilters } from "@/domain/lists/filters";
import { PLAN_RESULTS } from "@/domain/plans/plan-results";
import { PlanFace, planTableRow } from "./plan-face";
import { PlanProgress } from "./plan-progress";
import styles from "./plans.module.css";

export interface PlansViewProps {
  readonly view: View;
  readonly filters: PlanFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly facts: ListFacts;
}

/** Every plan, newest first: what waits for somebody stands in the sentence above. */
export function PlansView({ view, filters, problems, address, facts }: PlansViewProps) {
  const columns = columnsOf(PLANS, { address });
  return (
    <>
      <PageHead
        verdict={plansClauses({ ...view, read: view.list.kind !== "too_broad" })}
        lede="A plan freezes rows with a verdict each. Nothing acts before it is started, large ones ask for a second person, and the worker runs them row by row. A correction acts with its approval."
      />
      <Tabs label="Views of the plans" tabs={withSavedTabs(tabs(filters, address), facts.views, address)} />
      <ListToolsLine facts={facts} address={address} columns={columns} />
      <ListProblems problems={problems} />
      <List view={view} filters={filters} address={address} columns={columns} />
    </>
  );
}

const OPEN: readonly PlanState[] = ["ready", "awaiting_approval", "running"];

function tabs(filters: PlanFilters, address: PageAddress): readonly TabLink[] {
  const link = (label: string, states: readonly PlanState[]): TabLink => {
    const search = new URLSearchParams(states.map((state) => ["state", state]));
    const text = search.toString();
    return {
      label,
      href: text === "" ? address.path : `${address.path}?${text}`,
      current: states.length === filters.state.length && states.every((state) => filters.state.includes(state)),
    };
  };
  return [
    link("All", []),
    link("Open", OPEN),
    link("Waiting for approval", ["awaiting_approval"]),
    link("Ended", ["rejected", "aborted", "done"]),
  ];
}

interface ListProps extends Pick<PlansViewProps, "view" | "filters" | "address"> {
  readonly columns: readonly TableColumn[];
}

function List({ view, filters, address, columns }: ListProps) {
  const { list } = view;
  if (list.kind === "too_broad") {
    return (
      <TooBroad
        title="The plans did not load in time."
        text={stoppedWords({ seconds: list.stoppedAfterSeconds })}
        actions={
          <ButtonLink small href={hrefWith(address, {})}>
            Read again
          </ButtonLink>
        }
      />
    );
  }
  if (list.rows.length === 0 && isLaterPage(address)) return <EmptiedPage address={address} />;
  if (list.rows.length === 0) {
    const narrowed = filters.state.length > 0 || filters.kind !== undefined;
    return (
      <EmptyState
        title={narrowed ? "No plan matches." : "No plan is kept."}
        text="Plans are made on the dead letters, operations and unknown and stale pages, from a filter or a selection; a correction on the page of its message."
        actions={
          <ButtonLink
            small
            href={narrowed ? filterHref(address, { state: undefined, kind: undefined }) : "/dead-letters"}
          >
            {narrowed ? "Show all plans" : "Go to the dead letters"}
          </ButtonLink>
        }
      />
    );
  }
  const cells = drawnCells(PLANS, columns, CELLS);
  return (
    <>
      <DataTable
        label="Plans"
        columns={columns}
        rows={list.rows.map((row) => ({ ...planTableRow(row), cells: cells(row, list.at) }))}
      />
      <Pager note="Newest first, 20 a page" {...pageLinks(address, list, [])} />
    </>
  );
}

/** Said beside the bar of a list; what was left alone from the beginning stands on the plan's own page. */
const BESIDE = PLAN_RESULTS.filter((result) => result !== "left");

const CELLS: Cells<typeof PLANS, PlanRow, string> = {
  state: (row) => <PlanFace face={planFace(row)} />,
  what: (row) => (
    <span className={styles["what"]}>
      <b>{KIND_WORDS[row.kind].title}</b> <span className="soft">{row.scope}</span>
      <small title={row.reason}>{row.reason}</small>
    </span>
  ),
  progress: (row) => <Progress row={row} />,
  rows: (row) => <b>{formatCount(row.total)}</b>,
  by: (row) => <span className="soft">{row.createdBy}</span>,
  age: (row, now) => <Time at={row.createdAt} now={now} form="ago" />,
};

function Progress({ row }: { readonly row: PlanRow }) {
  const ended = row.endedAt !== undefined;
  if (row.startedAt === undefined) {
    return <span className="quiet">{ended ? "never ran" : "not started"}</span>;
  }
  const parts = resultParts(row.results, row.kind, ended, BESIDE);
  return (
    <span className={styles["ended"]}>
      <PlanProgress small kind={row.kind} results={row.results} ended={ended} />
      <small>{parts.map(({ count, short }) => `${formatCount(count)} ${short}`).join(", ")}</small>
    </span>
  );
}
