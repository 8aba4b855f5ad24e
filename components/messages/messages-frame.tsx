import type { ReactNode } from "react";
import { EmptiedPage } from "@/components/feedback/emptied-page";
import { NarrowerTime } from "@/components/feedback/narrower-time";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { ScanLimitNotice } from "@/components/feedback/scan-limit-notice";
import { ListProblems } from "@/components/outbox/list-problems";
import styles from "@/components/outbox/messages.module.css";
import type { ListPageProps } from "@/components/table/list-pane";
import { pageLinks, Pager } from "@/components/table/pager";
import type { TableColumn } from "@/components/table/columns";
import { FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { PageHead } from "@/components/ui/page-head";
import { Tabs, type TabLink } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { ListTools } from "@/components/views/list-tools";
import { withSavedTabs } from "@/components/views/saved-tabs";
import { OLDER, type Older } from "@/domain/lists/window";
import type { MessageSide } from "@/domain/messages/side";
import { lookedHours, narrowerWords, stoppedWords } from "@/presentation/list/list-answers";
import type { AnyMessage } from "@/presentation/message/sides";
import { isAtLeast } from "@/presentation/format/waiting-count";
import { formatCount } from "@/presentation/format/display-time";
import { hrefWith, isLaterPage } from "@/presentation/list/page-address";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { MessagesView } from "@/presentation/views/messages";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import { MessagesBeside } from "./message-pane";
import { PlaceTable } from "./place-table";
import { RequeueDialogs } from "./requeue-dialog";
import { deadMessagesOf } from "./dead-message";

export interface MessagesPageProps<View, Filters> extends ListPageProps<View, Filters, AnyMessage> {
  /** Why this person may not requeue; undefined: may. */
  readonly whyNot?: string | undefined;
  /** Why this person may make no plan; undefined: may. */
  readonly whyNotPlan?: string | undefined;
}

export interface MessagesFrameProps<Row extends JudgedOutboxRow | JudgedInboxRow> extends Omit<
  MessagesPageProps<MessagesView<Row>, never>,
  "filters"
> {
  readonly side: MessageSide;
  readonly lede: string;
  readonly aside?: ReactNode;
  readonly tabs: readonly TabLink[];
  readonly chips: readonly FilterChip[];
  readonly fields: readonly FilterField[];
  readonly columns: readonly TableColumn[];
  /** A time narrows it. */
  readonly timed: boolean;
  /** "Newest first, 50 a page". */
  readonly order: string;
  readonly list: (rows: readonly Row[], at: string) => ReactNode;
  readonly empty: { readonly title: string; readonly looked?: string; readonly actions: ReactNode };
}

/** Topics or consumers above the list; the others have a page. */
const PLACES_SHOWN = 8;
const AGES: Readonly<Record<Older, string>> = {
  "1m": "a minute",
  "10m": "10 minutes",
  "1h": "an hour",
  "24h": "a day",
};
export const OLDER_FIELD: FilterField<"older"> = {
  name: "older",
  label: "Older than",
  chip: "older than",
  options: OLDER.map((value) => ({ value, label: AGES[value] })),
};

/** The page of one side: what is open by place, the list with its filters, and the open message beside it. */
export function MessagesFrame<Row extends JudgedOutboxRow | JudgedInboxRow>(props: MessagesFrameProps<Row>) {
  const { side, view, address, facts } = props;
  const tools = <ListTools facts={facts} address={address} columns={props.columns} />;
  return (
    <>
      <PageHead aside={props.aside} lede={props.lede} verdict={view.verdict.clauses} />
      {view.places !== undefined && <PlaceTable places={view.places} most={PLACES_SHOWN} />}
      <div className={styles["tabs"]}>
        <Tabs label={`Views of the ${side}`} tabs={withSavedTabs(props.tabs, facts.views, address)} />
      </div>
      <div className={styles["filters"]}>
        <FilterChips chips={props.chips} add={<FilterMenu fields={props.fields} />} right={tools} />
      </div>
      <ListProblems problems={props.problems} />
      <MessagesBeside side={side} opened={props.opened}>
        <List {...props} />
      </MessagesBeside>
    </>
  );
}

function List<Row extends JudgedOutboxRow | JudgedInboxRow>(props: MessagesFrameProps<Row>) {
  const { side, view, address, whyNot, timed, order, empty } = props;
  const { list } = view;
  if (list.kind === "too_broad") {
    const { from } = address.search;
    // What waits has no time that could be shorter.
    const hours = lookedHours({ from: timed ? from?.toString() : "any" }, list.hours);
    return (
      <TooBroad
        title="This search took too long."
        text={stoppedWords({ seconds: list.stoppedAfterSeconds }, timed ? narrowerWords(hours) : undefined)}
        actions={<NarrowerTime address={address} hours={hours} />}
      />
    );
  }
  const { rows, at, looked } = list;
  return (
    <>
      <ScanLimitNotice list={list} hrefOf={(cursor) => hrefWith(address, { cursor, dialog: undefined })} />
      {rows.length > 0 && (
        <>
          {props.list(rows, at)}
          <Pager note={order} {...pageLinks(address, list)} />
        </>
      )}
      {rows.length === 0 && looked === undefined && isLaterPage(address) && <EmptiedPage address={address} />}
      {rows.length === 0 && looked === undefined && !isLaterPage(address) && (
        <EmptyState
          title={empty.title}
          text={
            <>
              Checked <Time at={at} now={at} form="ago" />
              {empty.looked}.
            </>
          }
          actions={empty.actions}
        />
      )}
      <RequeueDialogs side={side} rows={deadMessagesOf(rows)} whyNot={whyNot} />
    </>
  );
}

/** A tab's count; without the counts none is said: 0 would be wrong. */
export function tabCount(
  { places }: Pick<MessagesView<never>, "places">,
  count: number | undefined,
): string | undefined {
  return places === undefined || count === undefined ? undefined : formatCount(count);
}

/** As {@link tabCount}, of a tab with what waits. */
export function waitingTabCount(view: Pick<MessagesView<never>, "places">, count: number): string | undefined {
  const counted = tabCount(view, count);
  return counted !== undefined && view.places !== undefined && isAtLeast(view.places.open) ? `${counted}+` : counted;
}
