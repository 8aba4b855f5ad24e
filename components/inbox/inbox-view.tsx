import { ListProblems } from "@/components/outbox/list-problems";
import styles from "@/components/outbox/messages.module.css";
import { ScanLimitNotice } from "@/components/feedback/scan-limit-notice";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { PlaceTable } from "@/components/messages/place-table";
import { RequeueDialogs } from "@/components/messages/requeue-dialog";
import { inboxRequeues } from "@/components/messages/requeue-facts";
import { pageLinks, Pager } from "@/components/table/pager";
import type { Opened } from "@/components/table/use-opened";
import { ButtonLink } from "@/components/ui/button";
import { ExportLink } from "@/components/ui/export-link";
import { FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { PageHead } from "@/components/ui/page-head";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { ListTools, type ListFacts } from "@/components/views/list-tools";
import { withSavedTabs } from "@/components/views/saved-tabs";
import { formatCount } from "@/presentation/format/display-time";
import type { InboxFilters } from "@/domain/lists/filters";
import { OLDER, type Older, RANGES } from "@/domain/lists/window";
import type { FilterProblem } from "@/presentation/filters/search";
import { filterHref, hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { InboxDetail, InboxView as View } from "@/presentation/views/inbox";
import { inboxColumns, InboxList } from "./inbox-list";
import { InboxMessages } from "./inbox-pane";

export interface InboxViewProps {
  readonly view: View;
  readonly filters: InboxFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly whyNot?: string | undefined;
  readonly facts: ListFacts;
  /** The message in the pane. */
  readonly opened: Opened<InboxDetail> | undefined;
}

/** Consumers above the list; the others have a page. */
const PLACES_SHOWN = 8;
const AGES: Readonly<Record<Older, string>> = {
  "1m": "a minute",
  "10m": "10 minutes",
  "1h": "an hour",
  "24h": "a day",
};
const FIELDS: readonly FilterField[] = [
  {
    name: "range",
    label: "Time",
    options: RANGES.map((range) => ({ value: range, label: range === "all" ? "all time" : `last ${range}` })),
  },
  { name: "consumer", label: "Consumer", placeholder: "ledger" },
  { name: "source", label: "Source", placeholder: "provider" },
  { name: "type", label: "Message type" },
  { name: "messageId", label: "Message id" },
  { name: "error", label: "Error code" },
  { name: "operationId", label: "Operation id" },
  { name: "older", label: "Older than", options: OLDER.map((value) => ({ value, label: AGES[value] })) },
];

/** What arrived, how often, and what its consumer made of it. */
export function InboxView(props: InboxViewProps) {
  const { view, filters, problems, address, facts, opened } = props;
  const max = view.list.kind === "page" ? (view.list.rows[0]?.maxAttempts ?? 0) : 0;
  return (
    <>
      <PageHead
        aside={
          <ExportLink name="consumer-inbox" filters={exported(filters)}>
            CSV of arrivals
          </ExportLink>
        }
        lede="A message is recorded before it is handled. The same id again is a duplicate and is never handled twice; the same id with another payload is flagged."
      >
        <Verdict
          clauses={view.verdict.clauses.map(({ text, tone }) => ({ text, tone: tone === "fine" ? undefined : tone }))}
        />
      </PageHead>
      {view.places !== undefined && <PlaceTable places={view.places} most={PLACES_SHOWN} />}
      <Tabs label="Views of the inbox" tabs={withSavedTabs(tabs(view, filters, address), facts.views, address)} />
      <div className={styles["filters"]}>
        <FilterChips
          chips={chips(filters, address)}
          add={<FilterMenu fields={FIELDS} />}
          right={<ListTools facts={facts} address={address} columns={inboxColumns(max, address)} />}
        />
      </div>
      <ListProblems problems={problems} />
      <InboxMessages opened={opened}>
        <List {...props} />
      </InboxMessages>
    </>
  );
}

/** The export is of arrivals: what became of a message since is no filter of it. */
function exported({ consumer, source, messageId, range, from, to }: InboxFilters) {
  return { consumer, source, messageId, range, from, to };
}

function tabs(view: View, filters: InboxFilters, address: PageAddress) {
  const states = filters.states.join(",");
  const plain = { state: undefined, failing: undefined, duplicates: undefined, mismatches: undefined, view: undefined };
  const tab = (label: string, change: Record<string, string>, current: boolean, count?: number) => ({
    label,
    href: filterHref(address, { ...plain, ...change }),
    current,
    count: count === undefined ? undefined : formatCount(count),
  });
  const flagged = filters.failing || filters.duplicates || filters.mismatches;
  const counted = (value: number): number | undefined => (view.places === undefined ? undefined : value);
  return [
    tab("All", {}, states === "" && !flagged),
    tab("Recorded", { state: "recorded" }, states === "recorded" && !flagged, counted(view.recorded)),
    tab("Dead", { state: "dead" }, states === "dead" && !flagged, counted(view.dead)),
    tab("Failing", { failing: "true" }, filters.failing),
    tab("Processed", { state: "processed" }, states === "processed" && !flagged),
    tab("Discarded", { state: "discarded" }, states === "discarded" && !flagged),
    tab("Came again", { duplicates: "true" }, filters.duplicates),
    tab("Came with another payload", { mismatches: "true" }, filters.mismatches),
  ];
}

const CHIPS = {
  consumer: "consumer",
  source: "source",
  type: "type",
  messageId: "message",
  error: "error",
  operationId: "operation",
  older: "older than",
} as const;

function chips(filters: InboxFilters, address: PageAddress): readonly FilterChip[] {
  const time =
    filters.from === undefined
      ? { name: "time", value: filters.range === "all" ? "all" : `last ${filters.range}` }
      : { name: "from", value: filters.from, dropHref: filterHref(address, { from: undefined, to: undefined }) };
  const named = Object.entries(CHIPS).flatMap(([name, label]) => {
    const value = filters[name as keyof typeof CHIPS];
    return value === undefined ? [] : [{ name: label, value, dropHref: filterHref(address, { [name]: undefined }) }];
  });
  return [time, ...named];
}

function List({ view, filters, address, whyNot }: InboxViewProps) {
  const { list } = view;
  if (list.kind === "too_broad") {
    return (
      <TooBroad
        title="This search is too wide to be quick."
        text={`It stopped after ${String(list.stoppedAfterSeconds)} s. The last hour answers at once; your other filters stay.`}
        actions={
          <ButtonLink small href={filterHref(address, { range: "1h", from: undefined, to: undefined })}>
            Use 1 hour
          </ButtonLink>
        }
      />
    );
  }
  return (
    <>
      <ScanLimitNotice list={list} hrefOf={(cursor) => hrefWith(address, { cursor, dialog: undefined })} />
      {list.rows.length === 0 ? (
        list.looked === undefined && <Nothing filters={filters} address={address} at={list.at} />
      ) : (
        <>
          <InboxList rows={list.rows} now={list.at} address={address} whyNot={whyNot} beside />
          <Pager note="Newest first, 50 a page" {...pageLinks(address, list)} />
        </>
      )}
      <RequeueDialogs side="inbox" rows={inboxRequeues(list.rows)} whyNot={whyNot} />
    </>
  );
}

function Nothing({
  filters,
  address,
  at,
}: {
  readonly filters: InboxFilters;
  readonly address: PageAddress;
  readonly at: string;
}) {
  const filtered = Object.keys(CHIPS).some((name) => filters[name as keyof typeof CHIPS] !== undefined);
  const narrowed = filtered || filters.states.length > 0 || filters.failing || filters.duplicates || filters.mismatches;
  return (
    <EmptyState
      title={narrowed ? "No message matches." : "Nothing arrived in this time."}
      text={
        <>
          Checked <Time at={at} now={at} form="ago" />,{" "}
          {filters.range === "all" ? "all that is kept" : `the last ${filters.range}`}.
        </>
      }
      actions={
        <>
          {filters.range !== "all" && (
            <ButtonLink small href={filterHref(address, { range: "30d", from: undefined, to: undefined })}>
              Look at 30 days
            </ButtonLink>
          )}
          {narrowed && (
            <ButtonLink small href="/inbox">
              Drop the filters
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
