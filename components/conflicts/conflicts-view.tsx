import Link from "next/link";
import { EmptyState, ErrorState } from "@/components/feedback/notice";
import type { PageProblemProps } from "@/components/feedback/page-problem";
import { Spark } from "@/components/charts/spark";
import { NewerText } from "@/components/table/newer-line";
import { PageTitle } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import { ButtonLink } from "@/components/ui/button";
import { ExportLink } from "@/components/ui/export-link";
import { ListToolsLine, type ListFacts } from "@/components/views/list-tools";
import { formatCount } from "@/domain/display-time";
import { operationRoute } from "@/domain/operation-label";
import { hrefWith, type PageAddress } from "@/domain/page-address";
import type { ConflictDetail, ConflictGroup, ConflictsView as View } from "@/domain/views/conflicts";
import { ConflictPane } from "./conflict-pane";
import { MARK_WORDS } from "./mark-dialog";
import styles from "./conflicts.module.css";

export interface ConflictsViewProps {
  readonly view: View;
  /** The conflict that is open; `gone` when the address names one that is not kept any more. */
  readonly open?: ConflictDetail | "gone" | undefined;
  /** Only the open conflict failed to load. */
  readonly problem?: PageProblemProps["problem"] | undefined;
  readonly address: PageAddress;
  readonly facts: ListFacts;
}

/** Groups at the left, the open conflict compared field by field at the right. */
export function ConflictsView({ view, open, problem, address, facts }: ConflictsViewProps) {
  if (view.groups.length === 0 && open === undefined)
    return <NoConflicts view={view} address={address} facts={facts} />;
  const group = typeof open === "object" ? groupOf(view, open) : undefined;
  return (
    <div className={styles["split"]}>
      <div>
        <PageTitle>Conflicts</PageTitle>
        <div className={styles["under"]}>
          <ListToolsLine facts={facts} address={address} />
          <Groups view={view} group={group} address={address} />
        </div>
      </div>
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

interface GroupsProps extends Pick<ConflictsViewProps, "view" | "address"> {
  /** The one whose conflict is open. */
  readonly group: ConflictGroup | undefined;
}

function Groups({ view, group, address }: GroupsProps) {
  return (
    <Section
      space="none"
      title={`${formatCount(view.total)}${view.more ? "+" : ""} in ${rangeWords(view.hours)}`}
      right={
        <>
          <RangeLink view={view} address={address} />
          {" · "}
          <ExportLink name="replay-outcomes" filters={{ range: view.hours === 24 ? "24h" : "7d" }}>
            CSV
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
            view={view}
            current={same(one, group)}
            address={address}
          />
        ))}
      </ul>
      {view.more && (
        <p className={styles["note"]}>
          Only the newest {formatCount(view.total)} were read and grouped.{" "}
          {view.hours === 24 ? "Export has all of them." : "24 hours hold fewer."}
        </p>
      )}
      <p className={styles["note"]}>
        A conflict is refused before anything runs, whatever state the first command is in. Only names of differing
        fields are told to the caller, never values.
      </p>
    </Section>
  );
}

function NoConflicts({ view, address, facts }: Pick<ConflictsViewProps, "view" | "address" | "facts">) {
  return (
    <>
      <PageTitle>Conflicts</PageTitle>
      <div className={styles["under"]}>
        <ListToolsLine facts={facts} address={address} />
        <EmptyState
          title={`No key was used for two commands in ${rangeWords(view.hours)}.`}
          text={
            <>
              Checked <Time at={view.at} now={view.at} form="ago" />. A conflict is the same key with another command:
              it is refused before anything runs.
            </>
          }
          actions={<RangeLink view={view} address={address} />}
        />
      </div>
    </>
  );
}

function RangeLink({ view, address }: Pick<ConflictsViewProps, "view" | "address">) {
  const day = view.hours === 24;
  return (
    <Link href={hrefWith(address, { range: day ? "7d" : undefined, open: undefined })}>
      {day ? "Look at 7 days" : "Look at 24 hours"}
    </Link>
  );
}

interface GroupLineProps {
  readonly group: ConflictGroup;
  readonly view: View;
  readonly current: boolean;
  readonly address: PageAddress;
}

function GroupLine({ group, view, current, address }: GroupLineProps) {
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
          label={`${String(group.count)} conflicts in ${rangeWords(view.hours)}`}
        />
        <span className={styles["count"]}>{formatCount(group.count)}</span>
        <span className={styles["differs"]}>
          {group.differingFields.length === 0 ? "differs" : `differs in ${group.differingFields.join(", ")}`}
          {group.count > 1 && (
            <>
              , since <Time at={group.firstAt} now={view.at} form={view.hours === 24 ? "clock" : "day"} />
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

function rangeWords(hours: number): string {
  return hours === 24 ? "24 hours" : `${String(Math.round(hours / 24))} days`;
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
