import { ScanLimitNotice } from "@/components/feedback/scan-limit-notice";
import { EmptiedPage } from "@/components/feedback/emptied-page";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { FollowPage } from "@/components/shell/live-provider";
import type { PlanSelectionProps } from "@/components/plans/plan-selection";
import { pageLinks, Pager } from "@/components/table/pager";
import type { Opened } from "@/components/table/use-opened";
import { NarrowerTime } from "@/components/feedback/narrower-time";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page-head";
import { ListTools, type ListFacts } from "@/components/views/list-tools";
import { lookedHours, narrowerWords, noOperation, stoppedWords } from "@/presentation/list/list-answers";
import { formatAge, formatCount } from "@/presentation/format/display-time";
import { operationSearch } from "@/presentation/filters/parsers";
import type { FilterProblem } from "@/presentation/filters/search";
import { filterHref, hrefWith, isLaterPage, type PageAddress } from "@/presentation/list/page-address";
import type { CountView, Listed } from "@/presentation/views/common";
import type { OperationDetail, OperationRow } from "@/presentation/views/operations";
import { activeChips, OperationChips } from "./operation-chips";
import { OperationList } from "./operation-pane";
import { operationColumns, OperationsTable } from "./operations-table";
import styles from "./operations.module.css";
import type { OperationFilters, ShownState } from "@/domain/lists/filters";
import type { SavedView } from "@/presentation/views/saved-views";
import { Tabs } from "@/components/ui/tabs";
import { withSavedTabs } from "@/components/views/saved-tabs";

const PAGE_ROWS = 50;
const SHORTEST_RANGE_MS = 3_600_000;

export interface OperationsProps {
  readonly list: Listed<OperationRow>;
  readonly counts: Counts;
  readonly filters: OperationFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly opened: Opened<OperationDetail> | undefined;
  readonly now: string;
  readonly facts: ListFacts;
  readonly kinds: PlanSelectionProps["kinds"];
}

/** All operations of a tenant: found by state, time, client, key or amount; one of them beside the list. */
export function OperationsView(props: OperationsProps) {
  const { list, counts, filters, problems, address, opened, now, facts } = props;
  const all = counts["all"];
  return (
    <>
      <FollowPage
        page={`operations${operationSearch(filters)}`}
        since={list.kind === "page" ? list.at : now}
        refresh="ask"
      />
      <div className={styles["title"]}>
        <PageTitle note={all === undefined ? undefined : `${sayCount(all) ?? ""} kept, ${countedWords(all)}`}>
          Operations
        </PageTitle>
      </div>
      <OperationTabs address={address} states={filters.states} counts={counts} views={facts.views} />
      <OperationChips
        filters={filters}
        address={address}
        now={now}
        kinds={facts.operations ?? []}
        right={
          <>
            {matches(list)}
            <ListTools facts={facts} address={address} columns={operationColumns(filters, address)} />
          </>
        }
      />
      <Problems problems={problems} />
      <OperationList opened={opened} idle={list.kind === "page" && list.rows.length > 0}>
        <List {...props} />
      </OperationList>
    </>
  );
}

function matches(list: Listed<OperationRow>): string | undefined {
  if (list.kind === "too_broad") return undefined;
  const more = list.next !== undefined || list.previous !== undefined;
  if (more || list.rows.length === 0) return undefined;
  return list.rows.length === 1 ? "1 match, exact" : `${String(list.rows.length)} match, exact`;
}

function List({ list, filters, address, counts, now, facts, kinds }: OperationsProps) {
  if (list.kind === "too_broad") {
    const hours = lookedHours(filters, list.hours);
    return (
      <TooBroad
        title="This search took too long."
        text={stoppedWords({ seconds: list.stoppedAfterSeconds, hours }, narrowerWords(hours))}
        actions={<NarrowerTime address={address} hours={hours} />}
      />
    );
  }
  const looked = (
    <ScanLimitNotice
      list={list}
      hrefOf={(cursor) => hrefWith(address, { cursor, open: undefined, dialog: undefined })}
    />
  );
  const whole = list.next === undefined && list.previous === undefined;
  if (list.rows.length === 0 && list.looked !== undefined) return looked;
  if (list.rows.length === 0 && isLaterPage(address)) return <EmptiedPage address={address} />;
  if (list.rows.length === 0) return <Nothing {...{ filters, address, counts, now, facts }} />;
  return (
    <>
      <OperationsTable
        rows={list.rows}
        at={list.at}
        filters={filters}
        address={address}
        kinds={kinds}
        matching={whole ? String(list.rows.length) : "operations"}
        whole={whole && list.looked === undefined}
      />
      {looked}
      <Pager note={`${order(filters)}, ${String(PAGE_ROWS)} a page`} {...pageLinks(address, list)} />
    </>
  );
}

function order({ sort, direction }: OperationFilters): string {
  const down = direction === "desc";
  if (sort === "amount") return down ? "Largest amount first" : "Smallest amount first";
  if (sort === "expires") return down ? "Last to expire first" : "First to expire first";
  return down ? "Newest first" : "Oldest first";
}

type NothingProps = Pick<OperationsProps, "filters" | "address" | "counts" | "now" | "facts">;

function Nothing({ filters, address, counts, now, facts }: NothingProps) {
  const chips = activeChips(filters, address, now, facts.operations ?? []);
  const own =
    chips.filter((chip) => chip.dropHref !== undefined && chip.name !== "time").length +
    (filters.states.length === 1 ? 1 : 0);
  // The count may be older than an operation, which then stands in a time that reaches from before the count to now.
  const { value, ageMs = Infinity } = counts["all"] ?? {};
  const sinceCount = filters.to === undefined && ageMs < SHORTEST_RANGE_MS;
  if (own === 0 && sinceCount && value === 0) {
    return (
      <EmptyState
        title="No operation is kept."
        text="A valid request with an Idempotency-Key, to POST /api/v1/payments for example, shows here."
        actions={
          <ButtonLink small href="/settings">
            See the clients
          </ButtonLink>
        }
      />
    );
  }
  const wider = filters.range !== "7d" && filters.range !== "30d" && filters.range !== "all";
  return (
    <EmptyState
      title={noOperation({ filters: own })}
      text={wider ? "A longer time may hold one." : "Older ones may have been purged."}
      actions={
        <>
          {wider && (
            <ButtonLink small href={filterHref(address, { range: "7d", from: undefined, to: undefined })}>
              Use 7 days
            </ButtonLink>
          )}
          {own > 0 && (
            <ButtonLink small href={filters.range === "24h" ? address.path : `${address.path}?range=${filters.range}`}>
              Drop {own === 1 ? "the filter" : "all filters"}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}

function Problems({ problems }: { readonly problems: readonly FilterProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <p className={styles["problems"]} role="status">
      Left out: {problems.map(({ name, detail }) => `${name} is ${detail}`).join("; ")}.
    </p>
  );
}

const TABS: readonly { readonly state: ShownState | undefined; readonly label: string }[] = [
  { state: undefined, label: "All" },
  { state: "IN_PROGRESS", label: "In progress" },
  { state: "UNKNOWN_REQUIRES_RECOVERY", label: "Unknown" },
  { state: "STALE", label: "Stale" },
  { state: "FAILED_RETRYABLE", label: "Failed, may retry" },
  { state: "FAILED_REPLAYABLE", label: "Failed, final" },
  { state: "COMPLETED", label: "Completed" },
  { state: "EXPIRED", label: "Expired" },
];

/** Counts by name: a state, or `all`. */
export type Counts = Readonly<Record<string, CountView | undefined>>;

export interface OperationTabsProps {
  readonly address: PageAddress;
  readonly states: readonly ShownState[];
  readonly counts: Counts;
  readonly views: readonly SavedView[];
}

export function OperationTabs({ address, states, counts, views }: OperationTabsProps) {
  const [only, ...others] = states;
  return (
    <Tabs
      label="By state"
      tabs={withSavedTabs(
        TABS.map(({ state, label }) => ({
          href: filterHref(address, { state, view: undefined }),
          label,
          count: state === undefined ? undefined : sayCount(counts[state]),
          counted: countedWords(state === undefined ? undefined : counts[state]),
          current: others.length === 0 && only === state,
        })),
        views,
        address,
      )}
    />
  );
}

/** "counted 40 s ago", "estimated from a sample 40 s ago"; undefined where it was counted with the page. */
function countedWords(count: CountView | undefined): string | undefined {
  if (count === undefined || count.ageMs === 0) return undefined;
  return `${count.kind === "estimate" ? "estimated from a sample" : "counted"} ${formatAge(count.ageMs)} ago`;
}

/** "12", "10,000+", "~1.24 M"; undefined while it was never counted. */
function sayCount(count: CountView | undefined): string | undefined {
  if (count === undefined) return undefined;
  if (count.kind === "at_least") return `${formatCount(count.value)}+`;
  return formatCount(count.value, count.kind === "estimate");
}
