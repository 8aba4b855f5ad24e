import { ScanLimitNotice } from "@/components/feedback/scan-limit-notice";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { PlaceTable } from "@/components/messages/place-table";
import { RequeueDialogs } from "@/components/messages/requeue-dialog";
import { outboxRequeues } from "@/components/messages/requeue-facts";
import { pageLinks, Pager } from "@/components/table/pager";
import type { Opened } from "@/components/table/use-opened";
import { ButtonLink } from "@/components/ui/button";
import { FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { PageHead } from "@/components/ui/page-head";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { ListTools, type ListFacts } from "@/components/views/list-tools";
import { withSavedTabs } from "@/components/views/saved-tabs";
import { formatCount } from "@/presentation/format/display-time";
import type { FilterProblem } from "@/presentation/filters/search";
import { filterHref, hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { topicLabel } from "@/domain/messages/topic-label";
import type { OutboxDetail, OutboxView as View } from "@/presentation/views/outbox";
import { ListProblems } from "./list-problems";
import { outboxColumns, OutboxList } from "./outbox-list";
import { OutboxMessages } from "./outbox-pane";
import styles from "./messages.module.css";
import { type Older, OLDER } from "@/domain/lists/window";
import { OUTBOX_CARRIERS, type OutboxFilters } from "@/domain/lists/filters";

export interface OutboxViewProps {
  readonly view: View;
  readonly filters: OutboxFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly whyNot?: string | undefined;
  readonly facts: ListFacts;
  /** The message in the pane. */
  readonly opened: Opened<OutboxDetail> | undefined;
}

/** Topics above the list; the others have a page. */
const PLACES_SHOWN = 8;
const AGES: Readonly<Record<Older, string>> = {
  "1m": "a minute",
  "10m": "10 minutes",
  "1h": "an hour",
  "24h": "a day",
};
const FIELDS: readonly FilterField[] = [
  { name: "topic", label: "Topic", placeholder: "payments" },
  { name: "transport", label: "Transport", options: OUTBOX_CARRIERS.map((value) => ({ value, label: value })) },
  { name: "type", label: "Message type", placeholder: "payment.succeeded" },
  { name: "aggregate", label: "Payment or account id" },
  { name: "error", label: "Error code" },
  { name: "operationId", label: "Operation id" },
  { name: "older", label: "Older than", options: OLDER.map((value) => ({ value, label: AGES[value] })) },
];

/** What is on its way out, where it stands still, and whether sending it again is safe. */
export function OutboxView(props: OutboxViewProps) {
  const { view, filters, problems, address, facts, opened } = props;
  const max = view.list.kind === "page" ? (view.list.rows[0]?.maxAttempts ?? 0) : 0;
  return (
    <>
      <PageHead lede="Messages of one payment or account leave in order: the oldest that did not arrive holds the ones behind it. All others go on.">
        <Verdict
          clauses={view.verdict.clauses.map(({ text, tone }) => ({ text, tone: tone === "fine" ? undefined : tone }))}
        />
      </PageHead>
      {view.places !== undefined && <PlaceTable places={view.places} most={PLACES_SHOWN} />}
      <div className={styles["tabs"]}>
        <Tabs label="Views of the outbox" tabs={withSavedTabs(tabs(view, filters, address), facts.views, address)} />
      </div>
      <div className={styles["filters"]}>
        <FilterChips
          chips={chips(view, filters, address)}
          add={<FilterMenu fields={FIELDS} />}
          right={
            <ListTools
              facts={facts}
              address={address}
              columns={outboxColumns(filters.state === "published", max, address)}
            />
          }
        />
      </div>
      <ListProblems problems={problems} />
      <OutboxMessages opened={opened}>
        <List {...props} />
      </OutboxMessages>
    </>
  );
}

function tabs(view: View, filters: OutboxFilters, address: PageAddress) {
  const tab = (state: OutboxFilters["state"], label: string, count?: number) => ({
    label,
    href: filterHref(address, { state: state === "open" ? undefined : state, view: undefined }),
    current: filters.state === state,
    count: count === undefined ? undefined : formatCount(count),
  });
  return [
    tab("open", "Open", counted(view, view.pending + view.dead)),
    tab("pending", "Pending", counted(view, view.pending)),
    tab("failing", "Failing"),
    tab("dead", "Dead", counted(view, view.dead)),
    tab("discarded", "Discarded"),
    tab("published", "Published"),
  ];
}

/** Without the counts, none is said: 0 would be wrong. */
function counted(view: View, count: number): number | undefined {
  return view.places === undefined ? undefined : count;
}

const CHIPS = {
  topic: "topic",
  transport: "transport",
  type: "type",
  aggregate: "in order of",
  error: "error",
  operationId: "operation",
  older: "older than",
} as const;

function chips(view: View, filters: OutboxFilters, address: PageAddress): readonly FilterChip[] {
  const named = Object.entries(CHIPS).flatMap(([name, label]) => {
    const value = filters[name as keyof typeof CHIPS];
    if (value === undefined) return [];
    const said = name === "topic" ? labelOf(view, value) : value;
    return [{ name: label, value: said, dropHref: filterHref(address, { [name]: undefined }) }];
  });
  return filters.state === "published" ? [{ name: "time", value: windowWords(filters) }, ...named] : named;
}

/** As the table of topics names it, where it was counted. */
function labelOf(view: View, topic: string): string {
  return view.places?.rows.find(({ place }) => place === topic)?.label ?? topicLabel(topic);
}

function windowWords({ from, range }: OutboxFilters): string {
  if (from !== undefined) return `from ${from}`;
  return range === "all" ? "all" : `last ${range}`;
}

function List({ view, filters, address, whyNot }: OutboxViewProps) {
  const { list } = view;
  const plain = filterHref(address, Object.fromEntries(Object.keys(CHIPS).map((name) => [name, undefined])));
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
  const filtered = Object.keys(CHIPS).some((name) => filters[name as keyof typeof CHIPS] !== undefined);
  return (
    <>
      <ScanLimitNotice list={list} hrefOf={(cursor) => hrefWith(address, { cursor, dialog: undefined })} />
      {list.rows.length === 0 && list.looked !== undefined ? null : list.rows.length === 0 ? (
        <EmptyState
          title={emptyTitle(filters.state, filtered)}
          text={
            <>
              Checked <Time at={list.at} now={list.at} form="ago" />.
            </>
          }
          actions={
            filtered ? (
              <ButtonLink small href={plain}>
                Drop the filters
              </ButtonLink>
            ) : undefined
          }
        />
      ) : (
        <>
          <OutboxList
            rows={list.rows}
            now={list.at}
            published={filters.state === "published"}
            address={address}
            whyNot={whyNot}
            beside
          />
          <Pager
            note={filters.state === "published" ? "Newest first, 50 a page" : "Dead first, then oldest, 50 a page"}
            {...pageLinks(address, list)}
          />
        </>
      )}
      <RequeueDialogs side="outbox" rows={outboxRequeues(list.rows)} whyNot={whyNot} />
    </>
  );
}

function emptyTitle(state: OutboxFilters["state"], filtered: boolean): string {
  if (filtered) return "No message matches these filters.";
  const empty: Partial<Record<OutboxFilters["state"], string>> = {
    dead: "No message is dead.",
    discarded: "No message was discarded.",
    failing: "No message is failing.",
    published: "Nothing was published in this time.",
  };
  return empty[state] ?? "No message waits. Everything that was written has left.";
}
