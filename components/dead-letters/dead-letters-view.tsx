import { Link } from "@/components/ui/link";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { ListProblems } from "@/components/outbox/list-problems";
import { columnsOf } from "@/components/table/columns";
import { ButtonLink } from "@/components/ui/button";
import { disabledReason, Offer } from "@/components/ui/offer";
import { chipsOf, FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { PageHead } from "@/components/ui/page-head";
import { Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { ListTools } from "@/components/views/list-tools";
import { withSavedTabs } from "@/components/views/saved-tabs";
import { tooManyWords } from "@/presentation/list/list-answers";
import { formatCount } from "@/presentation/format/display-time";
import { deadLettersVerdict } from "@/presentation/message/dead-letters-verdict";
import { DEAD_LETTERS } from "@/presentation/list/message-lists";
import { filterHref, hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { PLAN_MAX_ITEMS } from "@/domain/plans/plan";
import { topicLabel } from "@/domain/messages/topic-label";
import type { DeadLettersView as View } from "@/presentation/views/dead-letters";
import { DeadLetterGroups } from "./dead-letter-groups";
import type { ListPageProps } from "@/components/table/list-pane";
import type { AnyMessage } from "@/presentation/message/sides";
import { OpenedGroup } from "./opened-group";
import styles from "./dead-letters.module.css";
import { type DeadLetterFilters, scopeOf } from "@/domain/lists/filters";

type DeadLettersViewProps = ListPageProps<View, DeadLetterFilters, AnyMessage>;
type Parts = Pick<DeadLettersViewProps, "view" | "filters" | "address">;

const FIELDS: readonly FilterField<keyof DeadLetterFilters>[] = [
  { name: "place", label: "Destination or consumer", chip: "place" },
  { name: "type", label: "Message type", chip: "type", placeholder: "payment.succeeded" },
  { name: "error", label: "Error code", chip: "error" },
  { name: "fingerprint", label: "Cause", chip: "cause" },
  { name: "operationId", label: "Operation id", chip: "operation" },
  { name: "from", label: "Dead from", chip: "dead from", time: true },
  { name: "to", label: "Dead before", chip: "dead before", time: true },
];

/** Dead messages: the causes first, with what may be done about each now, then the messages of one. */
export function DeadLettersView({ view, filters, problems, address, facts, opened }: DeadLettersViewProps) {
  const count = view.groups.length;
  return (
    <>
      <PageHead
        lede="A dead message keeps its body and its id. Safe means that a requeue has no double effect; the outlook says whether it is likely to get through now."
        verdict={deadLettersVerdict(view)}
      />
      <Tabs label="Sides" tabs={withSavedTabs(tabs(filters, address), facts.views, address)} />
      <div className={styles["filters"]}>
        <FilterChips
          chips={chips(view, filters, address)}
          add={<FilterMenu fields={FIELDS} />}
          right={
            <>
              <Shown filters={filters} address={address} />
              <ListTools facts={facts} address={address} columns={columnsOf(DEAD_LETTERS, { address })} />
            </>
          }
        />
      </div>
      <ListProblems problems={problems} />
      {count === 0 ? (
        <Nothing view={view} filters={filters} address={address} />
      ) : (
        <Section
          title="Causes"
          note={`${causesWords(view)}, ${filters.sort === "last" ? "last seen first" : "largest first"}`}
          right={judgedWords(view)}
          space="none"
        >
          <DeadLetterGroups view={view} filters={filters} address={address} />
          <Everything view={view} filters={filters} address={address} />
        </Section>
      )}
      {view.group !== undefined && <OpenedGroup view={view} group={view.group} address={address} opened={opened} />}
    </>
  );
}

export function deadLettersTitle(view: View): string {
  return deadLettersVerdict(view)
    .map(({ text }) => text)
    .join(" ");
}

/** "40", "12 of 40", "50+". */
function causesWords({ groups, causes, moreGroups }: View): string {
  const all = `${formatCount(causes)}${moreGroups ? "+" : ""}`;
  return groups.length < causes ? `${formatCount(groups.length)} of ${all}` : all;
}

function judgedWords(view: View) {
  if (view.judged < view.matching.count) return `verdicts of the newest of each, ${formatCount(view.judged)} in all`;
  return (
    <>
      judged <Time at={view.at} now={view.at} form="ago" />
    </>
  );
}

function tabs(filters: DeadLetterFilters, address: PageAddress) {
  const tab = (label: string, side: DeadLetterFilters["side"]) => ({
    label,
    href: filterHref(address, { side, view: undefined }),
    current: filters.side === side,
  });
  return [tab("Both sides", undefined), tab("Outbox, on its way out", "outbox"), tab("Inbox, while handled", "inbox")];
}

function chips(view: View, filters: DeadLetterFilters, address: PageAddress): readonly FilterChip[] {
  return [
    filters.settled
      ? { name: "also", value: "settled since", dropHref: filterHref(address, { settled: undefined }) }
      : { name: "only", value: "open" },
    ...chipsOf(FIELDS, filters, address, (name, place) => (name === "place" ? { value: placeLabel(view, place) } : {})),
  ];
}

function placeLabel(view: View, place: string): string {
  return view.groups.find((group) => group.place === place)?.placeLabel ?? topicLabel(place);
}

function Shown({ filters, address }: Pick<DeadLettersViewProps, "filters" | "address">) {
  if (filters.settled) return null;
  return <Link href={filterHref(address, { settled: "true" })}>Include settled</Link>;
}

/** Below the causes: all of them at once, as a plan; or why that is too much. */
function Everything({ view, filters, address }: Parts) {
  const { count, more } = view.matching;
  if (more) {
    const tooMany = tooManyWords({ count, most: PLAN_MAX_ITEMS });
    return (
      <TooBroad
        title={tooMany.title}
        text={tooMany.text}
        actions={
          <ButtonLink small href={filterHref(address, { place: view.groups[0]?.place })}>
            Only {view.groups[0]?.placeLabel}
          </ButtonLink>
        }
      />
    );
  }
  const narrowed = Object.keys(scopeOf(filters)).length > 0;
  const label = `Plan a requeue of ${narrowed ? "everything that matches" : "all of them"}`;
  return (
    <div className={styles["all"]}>
      <span>
        {formatCount(count)} open {count === 1 ? "message" : "messages"}
        {" of "}
        {formatCount(view.causes)}
        {view.moreGroups && "+"} {view.causes === 1 ? "cause" : "causes"}.{" "}
        {view.groups.length < view.causes && (
          <Link href={hrefWith(address, { all: "true", cursor: undefined })} scroll={false}>
            Show {view.moreGroups ? "" : "all "}
            {formatCount(view.causes)} causes
          </Link>
        )}
        {view.moreGroups && filters.all && "More than are shown: choose a side or a place."}
      </span>
      {view.groups.length > 1 && (
        <Offer small dialog="plan:requeue:all" notOffered={disabledReason(view.plan)}>
          {label}
        </Offer>
      )}
    </div>
  );
}

function Nothing({ view, filters, address }: Parts) {
  const narrowed = Object.keys(scopeOf(filters)).length > 0;
  return (
    <>
      <EmptyState
        title={view.open > 0 ? "No dead letter matches." : "No dead letter is open."}
        text={
          <>
            Checked <Time at={view.at} now={view.at} form="ago" />.
            {view.open > 0 && <> {formatCount(view.open)} open in all.</>}
          </>
        }
        actions={
          narrowed ? (
            <ButtonLink small href={address.path}>
              Clear the filters
            </ButtonLink>
          ) : undefined
        }
      />
      {!filters.settled && (
        <Note>
          Those that were requeued, closed, corrected or discarded stay on record until retention deletes them.{" "}
          <Link href={filterHref(address, { settled: "true" })}>Show them</Link>
        </Note>
      )}
    </>
  );
}
