import {
  MessagesFrame,
  OLDER_FIELD,
  tabCount,
  waitingTabCount,
  type MessagesPageProps,
} from "@/components/messages/messages-frame";
import { FreezeDialog } from "@/components/plans/freeze-dialog";
import { Offer } from "@/components/ui/offer";
import { Row } from "@/components/ui/row";
import { outboxSearch } from "@/presentation/filters/parsers";
import { ButtonLink } from "@/components/ui/button";
import { chipsOf, type FilterChip } from "@/components/ui/filter-chips";
import type { FilterField } from "@/components/ui/filter-menu";
import { OUTBOX_CARRIERS, type OutboxFilters } from "@/domain/lists/filters";
import { topicLabel } from "@/domain/messages/topic-label";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { emptyOutbox } from "@/presentation/message/empty-messages";
import type { OutboxView as View } from "@/presentation/views/outbox";
import { outboxColumns, OutboxList } from "./outbox-list";

const FIELDS: readonly FilterField<keyof OutboxFilters>[] = [
  { name: "topic", label: "Topic", chip: "topic", placeholder: "payments" },
  {
    name: "transport",
    label: "Transport",
    chip: "transport",
    options: OUTBOX_CARRIERS.map((value) => ({ value, label: value })),
  },
  { name: "type", label: "Message type", chip: "type", placeholder: "payment.succeeded" },
  { name: "aggregate", label: "Payment or account id", chip: "ordering key" },
  { name: "error", label: "Error code", chip: "error" },
  { name: "operationId", label: "Operation id", chip: "operation" },
  OLDER_FIELD,
];

/** What is on its way out, where it stands still, and whether sending it again is safe. */
export function OutboxView(props: MessagesPageProps<View, OutboxFilters>) {
  const { view, filters, address, whyNot } = props;
  const published = filters.state === "published";
  const max = view.list.kind === "page" ? (view.list.rows[0]?.maxAttempts ?? 0) : 0;
  const named = chips(view, filters, address);
  return (
    <MessagesFrame
      {...props}
      side="outbox"
      aside={<Aside published={published && view.list.kind === "page" && view.list.rows.length > 0} {...props} />}
      lede="Messages of one payment or account leave in order: the oldest that did not arrive holds those behind it, and no others. Webhooks of an endpoint have an order of their own."
      tabs={tabs(view, filters, address)}
      chips={published ? [{ name: "time", value: windowWords(filters) }, ...named] : named}
      fields={FIELDS}
      columns={outboxColumns(published, max, address)}
      timed={published}
      order={published ? "Newest first, 50 a page" : "Dead first, then oldest, 50 a page"}
      list={(rows, now) => (
        <OutboxList rows={rows} now={now} published={published} address={address} whyNot={whyNot} beside />
      )}
      empty={emptiness({ state: filters.state, filtered: named.length > 0, dead: view.dead }, address)}
    />
  );
}

/** Dialog of a plan of all published messages that the list matches. */
const PLAN_DIALOG = "plan:republish_messages";

function Aside({
  published,
  filters,
  whyNotPlan,
}: Pick<MessagesPageProps<View, OutboxFilters>, "filters" | "whyNotPlan"> & { readonly published: boolean }) {
  // A plan freezes a time in which messages were published; how old they are moves on.
  const whyNot =
    whyNotPlan ?? (filters.older === undefined ? undefined : "Take the filter of the age out: a plan names a time.");
  return (
    <Row end>
      {published && (
        <Offer small dialog={PLAN_DIALOG} notOffered={whyNot}>
          Plan to publish again
        </Offer>
      )}
      <ButtonLink href="/flow">Flow</ButtonLink>
      {published && (
        <FreezeDialog
          name={PLAN_DIALOG}
          kind="republish_messages"
          many="all published messages that match"
          body={{ search: outboxSearch(filters) }}
          whyNot={whyNot}
        />
      )}
    </Row>
  );
}

function tabs(view: View, filters: OutboxFilters, address: PageAddress) {
  const tab = (state: OutboxFilters["state"], label: string, count?: string) => ({
    label,
    href: filterHref(address, { state: state === "open" ? undefined : state, view: undefined }),
    current: filters.state === state,
    count,
  });
  return [
    tab("open", "Open", waitingTabCount(view, view.pending + view.dead)),
    tab("pending", "Pending", waitingTabCount(view, view.pending)),
    tab("failing", "Failing"),
    tab("dead", "Dead", tabCount(view, view.dead)),
    tab("discarded", "Discarded"),
    tab("published", "Published"),
  ];
}

/** Topics as the table of topics names them, where they were counted. */
function chips(view: View, filters: OutboxFilters, address: PageAddress): readonly FilterChip[] {
  const labelOf = (topic: string): string =>
    view.places?.rows.find(({ place }) => place === topic)?.label ?? topicLabel(topic);
  return chipsOf(FIELDS, filters, address, (name, topic) => (name === "topic" ? { value: labelOf(topic) } : {}));
}

function windowWords({ from, range }: OutboxFilters): string {
  if (from !== undefined) return `from ${from}`;
  return range === "all" ? "all" : `last ${range}`;
}

function emptiness(facts: Parameters<typeof emptyOutbox>[0], address: PageAddress) {
  const title = emptyOutbox(facts);
  if (!facts.filtered) return { title, actions: undefined };
  const plain = filterHref(address, Object.fromEntries(FIELDS.map(({ name }) => [name, undefined])));
  return {
    title,
    actions: (
      <ButtonLink small href={plain}>
        Clear the filters
      </ButtonLink>
    ),
  };
}
