import {
  MessagesFrame,
  OLDER_FIELD,
  tabCount,
  waitingTabCount,
  type MessagesPageProps,
} from "@/components/messages/messages-frame";
import { ButtonLink } from "@/components/ui/button";
import { ZonedTime } from "@/components/ui/values/time-span";
import { ExportLink } from "@/components/ui/export-link";
import { chipsOf, type FilterChip } from "@/components/ui/filter-chips";
import type { FilterField } from "@/components/ui/filter-menu";
import type { InboxFilters } from "@/domain/lists/filters";
import { RANGES } from "@/domain/lists/window";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { emptyInbox } from "@/presentation/message/empty-messages";
import type { InboxView as View } from "@/presentation/views/inbox";
import { inboxColumns, InboxList } from "./inbox-list";

const FIELDS: readonly FilterField<keyof InboxFilters>[] = [
  {
    name: "range",
    label: "Time",
    options: RANGES.map((range) => ({ value: range, label: range === "all" ? "all time" : `last ${range}` })),
  },
  { name: "consumer", label: "Consumer", chip: "consumer", placeholder: "ledger" },
  { name: "source", label: "Source", chip: "source", placeholder: "provider" },
  { name: "type", label: "Message type", chip: "type" },
  { name: "messageId", label: "Message id", chip: "message" },
  { name: "error", label: "Error code", chip: "error" },
  { name: "operationId", label: "Operation id", chip: "operation" },
  OLDER_FIELD,
];

export function InboxView(props: MessagesPageProps<View, InboxFilters>) {
  const { view, filters, address, whyNot } = props;
  const max = view.list.kind === "page" ? (view.list.rows[0]?.maxAttempts ?? 0) : 0;
  const named = chipsOf(FIELDS, filters, address);
  return (
    <MessagesFrame
      {...props}
      side="inbox"
      lede="A message is recorded before it is handled. While it is kept, the same id of the same source is a duplicate and is not handled again; with another payload it is flagged."
      aside={
        <ExportLink name="consumer-inbox" filters={exported(filters)}>
          CSV of arrivals
        </ExportLink>
      }
      tabs={tabs(view, filters, address)}
      chips={[timeChip(filters, address), ...named]}
      fields={FIELDS}
      columns={inboxColumns(max, address)}
      timed={!isWaiting(filters)}
      order="Newest first, 50 messages a page; tabs count each consumer of a message"
      list={(rows, now) => <InboxList rows={rows} now={now} address={address} whyNot={whyNot} beside />}
      empty={emptiness(filters, named.length > 0, address)}
    />
  );
}

/** The export is of arrivals: what became of a message since is no filter of it. */
function exported({ consumer, source, messageId, range, from, to }: InboxFilters) {
  return { consumer, source, messageId, range, from, to };
}

function tabs(view: View, filters: InboxFilters, address: PageAddress) {
  const states = filters.states.join(",");
  const plain = { state: undefined, failing: undefined, duplicates: undefined, mismatches: undefined, view: undefined };
  const tab = (label: string, change: Record<string, string>, current: boolean, count?: string) => ({
    label,
    href: filterHref(address, { ...plain, ...change }),
    current,
    count,
    counted: "messages by consumer: one that two consumers have counts twice",
  });
  const ofState = (label: string, state: string, count?: string) =>
    tab(label, { state }, states === state && !isFlagged(filters), count);
  return [
    tab("All", {}, states === "" && !isFlagged(filters)),
    ofState("Recorded", "recorded", waitingTabCount(view, view.recorded)),
    ofState("Dead", "dead", tabCount(view, view.dead)),
    tab("Failing", { failing: "true" }, filters.failing),
    ofState("Processed", "processed"),
    ofState("Discarded", "discarded"),
    tab("Duplicates", { duplicates: "true" }, filters.duplicates),
    tab("Payload changed", { mismatches: "true" }, filters.mismatches),
  ];
}

function isFlagged({ failing, duplicates, mismatches }: InboxFilters): boolean {
  return failing || duplicates || mismatches;
}

/** Only what waits is asked for: it is listed whatever its age, but for a time of one's own. */
function isWaiting({ failing, states }: InboxFilters): boolean {
  return failing || (states.length === 1 && states[0] === "recorded");
}

function timeChip({ from, range }: InboxFilters, address: PageAddress): FilterChip {
  return from === undefined
    ? { name: "time", value: range === "all" ? "all" : `last ${range}` }
    : {
        name: "from",
        value: from,
        shown: <ZonedTime at={from} now={from} />,
        dropHref: filterHref(address, { from: undefined, to: undefined }),
      };
}

function emptiness(filters: InboxFilters, filtered: boolean, address: PageAddress) {
  const { range, states } = filters;
  const narrowed = filtered || states.length > 0 || isFlagged(filters);
  const waiting = isWaiting(filters);
  const ownTime = filters.from !== undefined || filters.to !== undefined;
  return {
    ...emptyInbox({ narrowed, waiting, range, ownTime }),
    actions: (
      <>
        {(ownTime || (range !== "all" && !waiting)) && (
          <ButtonLink small href={filterHref(address, { range: "30d", from: undefined, to: undefined })}>
            Show 30 days
          </ButtonLink>
        )}
        {narrowed && (
          <ButtonLink small href="/inbox">
            Clear the filters
          </ButtonLink>
        )}
      </>
    ),
  };
}
