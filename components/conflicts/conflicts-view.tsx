import Link from "next/link";
import { EmptyState, ErrorState } from "@/components/feedback/notice";
import type { PageProblemProps } from "@/components/feedback/page-problem";
import { Spark } from "@/components/charts/spark";
import { NewerText } from "@/components/table/newer-line";
import { PageTitle } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { ButtonLink } from "@/components/ui/button";
import { ExportLink } from "@/components/ui/export-link";
import { ListProblems } from "@/components/outbox/list-problems";
import { windowWords } from "@/components/ui/window-chip";
import type { ListFacts } from "@/components/views/list-tools";
import { formatCount } from "@/presentation/format/display-time";
import type { FilterProblem } from "@/presentation/filters/search";
import { operationRoute } from "@/domain/operation-label";
import { filterHref, hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { ConflictDetail, ConflictGroup, ConflictsView as View } from "@/presentation/views/conflicts";
import { plural } from "@/presentation/format/words";
import { ConflictChips } from "./conflict-chips";
import { ConflictPane } from "./conflict-pane";
import { MARK_WORDS } from "./mark-dialog";
import styles from "./conflicts.module.css";
import type { ConflictFilters } from "@/domain/lists/filters";

export interface ConflictsViewProps {
  readonly view: View;
  /** The conflict that is open; `gone` when the address names one that is not kept any more. */
  readonly open?: ConflictDetail | "gone" | undefined;
  /** Only the open conflict failed to load. */
  readonly problem?: PageProblemProps["problem"] | undefined;
  readonly filters: ConflictFilters;
  /** Parts of the address that were not understood. */
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly facts: ListFacts;
}

/** Groups at the left, the open conflict compared field by field at the right. */
export function ConflictsView(props: ConflictsViewProps) {
  const { view, open, filters, problems, address, facts } = props;
  return (
    <>
      <PageTitle>Conflicts</PageTitle>
      <div className={styles["filters"]}>
        <ConflictChips filters={filters} address={address} now={view.at} facts={facts} />
      </div>
      <ListProblems problems={problems} />
      {view.groups.length === 0 && open === undefined ? <NoConflicts {...props} /> : <Split {...props} />}
    </>
  );
}

function Split({ view, open, problem, filters, address }: ConflictsViewProps) {
  const group = typeof open === "object" ? groupOf(view, open) : undefined;
  return (
    <div className={styles["split"]}>
      <Groups view={view} group={group} filters={filters} address={address} />
      <div className={styles["pane"]} aria-live="off">
        {problem !== undefined && (
          <ErrorState
            title="This conflict did not load."
            text={problem.error.message}
            requestId={problem.requestId}
            retryHref={hrefWith(address, {})}
          />
        )}
        {open === "gone" && (
          <EmptyState
            title="This conflict is not kept any more."
            text="Its evidence is older than the time for which events are kept, or it belongs to another tenant."
            actions={
              <ButtonLink small href={hrefWith(address, { open: undefined })}>
                Show the newest
              </ButtonLink>
            }
          />
        )}
        {typeof open === "object" && <ConflictPane detail={open} group={group} address={address} />}
      </div>
    </div>
  );
}

interface GroupsProps extends Pick<ConflictsViewProps, "view" | "filters" | "address"> {
  /** The one whose conflict is open. */
  readonly group: ConflictGroup | undefined;
}

function Groups({ view, group, filters, address }: GroupsProps) {
  const { range, from, to, client, operation } = filters;
  return (
    <Section
      space="none"
      title={`${formatCount(view.total)}${view.more ? "+" : ""} in ${timeWords(filters)}`}
      right={
        <>
          <RangeLink filters={filters} address={address} />
          {" · "}
          <ExportLink name="replay-outcomes" filters={{ range, from, to, client, operation }}>
            CSV of answers
          </ExportLink>
        </>
      }
    >
      <p className={styles["newer"]} aria-live="polite">
        <NewerText noun="conflicts" />
      </p>
      <ul className={styles["groups"]}>
        {view.groups.map((one) => (
          <GroupLine
            key={`${one.client} ${one.operation}`}
            group={one}
            now={view.at}
            time={timeWords(filters)}
            current={same(one, group)}
            address={address}
          />
        ))}
      </ul>
      {view.more && (
        <p className={styles["note"]}>
          Only the newest {formatCount(view.total)} were read and grouped. A shorter time holds fewer; an export has all
          of them.
        </p>
      )}
      <p className={styles["note"]}>
        A conflict is refused before anything runs, whatever state the first command is in. Only names of differing
        fields are told to the caller, never values.
      </p>
    </Section>
  );
}

function NoConflicts({ view, filters, address }: ConflictsViewProps) {
  const narrowed = [filters.client, filters.operation].filter((value) => value !== undefined).length;
  const own = windowWords(filters, view.at);
  return (
    <EmptyState
      title={
        narrowed > 0
          ? `No conflict matches ${narrowed === 1 ? "this filter" : "these filters"} in ${timeWords(filters)}.`
          : `No key was used for two commands in ${timeWords(filters)}.`
      }
      text={
        <>
          {own === undefined ? "" : `Looked at ${own}. `}
          Checked <Time at={view.at} now={view.at} form="ago" />. A conflict is the same key with another command: it is
          refused before anything runs.
        </>
      }
      actions={
        <>
          <RangeLink filters={filters} address={address} />
          {narrowed > 0 && (
            <ButtonLink small href={filterHref(address, { client: undefined, operation: undefined })}>
              Drop {narrowed === 1 ? "the filter" : "both filters"}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}

/** To the other range; from a time of its own, back to the last 24 hours. */
function RangeLink({ filters, address }: Pick<ConflictsViewProps, "filters" | "address">) {
  const wider = filters.range === "24h" && !isOwn(filters);
  const change = { range: wider ? "7d" : undefined, from: undefined, to: undefined, conflict: undefined };
  return <Link href={filterHref(address, change)}>{wider ? "Look at 7 days" : "Look at 24 hours"}</Link>;
}

interface GroupLineProps {
  readonly group: ConflictGroup;
  readonly now: string;
  /** "24 hours". */
  readonly time: string;
  readonly current: boolean;
  readonly address: PageAddress;
}

function GroupLine({ group, now, time, current, address }: GroupLineProps) {
  return (
    <li aria-current={current || undefined}>
      <Link href={hrefWith(address, { open: group.eventIds[0] })} data-plain scroll={false}>
        <span className={styles["who"]}>
          <b>{group.client}</b>
          <span>{operationRoute(group.operation)}</span>
        </span>
        <Spark
          values={group.spark}
          color="conflict"
          width={72}
          height={18}
          label={`${plural(group.count, "conflict")} in ${time}`}
        />
        <span className={styles["count"]}>{formatCount(group.count)}</span>
        <span className={styles["differs"]}>
          {group.differingFields.length === 0
            ? "which fields differ was not kept"
            : `differs in ${group.differingFields.join(", ")}`}
          {group.count > 1 && (
            <>
              , since <Time at={group.firstAt} now={now} form={time === DAY ? "clock" : "day"} />
            </>
          )}
        </span>
        {group.mark !== undefined && (
          <span className={styles["marked"]}>
            {group.mark.newer > 0 && <b>{formatCount(group.mark.newer)} new since it was marked </b>}
            {MARK_WORDS[group.mark.mark]}: {group.mark.note}
          </span>
        )}
      </Link>
    </li>
  );
}

const DAY = "24 hours";

function isOwn({ from, to }: ConflictFilters): boolean {
  return from !== undefined || to !== undefined;
}

function timeWords(filters: ConflictFilters): string {
  if (isOwn(filters)) return "this time";
  return filters.range === "24h" ? DAY : "7 days";
}

function same(one: ConflictGroup, other: ConflictGroup | undefined): boolean {
  return one.client === other?.client && one.operation === other.operation;
}

/** The group as the list counts it; a conflict older than the list brings its own. */
function groupOf(view: View, open: ConflictDetail): ConflictGroup | undefined {
  return (
    view.groups.find((one) => one.eventIds.includes(open.eventId)) ??
    view.groups.find((one) => open.group !== undefined && same(one, open.group)) ??
    open.group
  );
}
