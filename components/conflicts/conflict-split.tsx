"use client";

import { Trend } from "@/components/charts/trend";
import { EmptyState } from "@/components/feedback/notice";
import { openedPane, type ListPageProps } from "@/components/table/list-pane";
import { NewerText } from "@/components/table/newer-line";
import { idPath, useOpened } from "@/components/table/use-opened";
import { ExportLink } from "@/components/ui/export-link";
import { PlaceLink } from "@/components/ui/place-link";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { usePlace } from "@/components/ui/place";
import { MARK_WORDS } from "@/presentation/conflict/mark-claims";
import { cutName } from "@/presentation/format/cut-middle";
import { formatCount } from "@/presentation/format/display-time";
import type { ConflictFilters } from "@/domain/lists/filters";
import type { ConflictDetail, ConflictGroup, ConflictsView as View } from "@/presentation/views/conflicts";
import { plural } from "@/presentation/format/words";
import { ConflictPane } from "./conflict-pane";
import { RangeLink } from "./range-link";
import { firstConflict, timeWords } from "./conflict-words";
import styles from "./conflicts.module.css";

export type ConflictSplitProps = Omit<ListPageProps<View, ConflictFilters, ConflictDetail>, "problems" | "facts">;

/** Groups at the left; at the right the conflict that the address names, else the newest. */
export function ConflictSplit({ view, opened, filters, address }: ConflictSplitProps) {
  const id = usePlace().query.get("open") ?? firstConflict(view, filters);
  const row = useOpened(id, idPath("/conflicts", id), opened);
  const open = row.shown?.value;
  const group = typeof open === "object" ? groupOf(view, open) : undefined;
  return (
    <div className={styles["split"]}>
      <Groups view={view} group={group} filters={filters} address={address} />
      <div className={styles["pane"]} aria-live="off" aria-busy={row.busy}>
        {openedPane(
          row,
          "This conflict",
          (detail) => (
            <ConflictPane detail={detail} group={group} more={view.more} />
          ),
          <Gone />,
        )}
      </div>
    </div>
  );
}

function Gone() {
  return (
    <EmptyState
      title="There is no such conflict here."
      text="Its address is wrong, its evidence is older than the time for which events are kept, or it belongs to another tenant."
      actions={
        <PlaceLink button={{ small: true }} place={{ open: undefined }}>
          Show the newest
        </PlaceLink>
      }
    />
  );
}

interface GroupsProps extends Omit<ConflictSplitProps, "opened"> {
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
            more={view.more}
            current={same(one, group)}
          />
        ))}
      </ul>
      {view.more && (
        <p className={styles["note"]}>
          Only the newest {formatCount(view.total)} were read and grouped. Choose a shorter time, or export the answers.
        </p>
      )}
      <p className={styles["note"]}>
        A conflict is refused before anything runs, whatever state the first command is in. Only names of differing
        fields are told to the caller, never values.
      </p>
    </Section>
  );
}

interface GroupLineProps {
  readonly group: ConflictGroup;
  readonly now: string;
  /** "24 hours". */
  readonly time: string;
  /** Not all of that time were counted. */
  readonly more: boolean;
  readonly current: boolean;
}

function GroupLine({ group, now, time, more, current }: GroupLineProps) {
  return (
    <li aria-current={current || undefined}>
      <PlaceLink plain place={{ open: group.eventIds[0] }}>
        <span className={styles["who"]}>
          <b title={group.client}>{cutName(group.client)}</b>
          <small>{group.route}</small>
        </span>
        <Trend
          values={group.spark}
          color="conflict"
          width={72}
          height={18}
          label={`${plural(group.count, "conflict")}${more ? " or more" : ""} in ${time}`}
        />
        <span className={styles["count"]}>
          {formatCount(group.count)}
          {more && "+"}
        </span>
        <span className={styles["differs"]}>
          {group.differingFields.length === 0
            ? "which fields differ was not kept"
            : `differs in ${group.differingFields.map(cutName).join(", ")}`}
          {group.count > 1 && (
            <>
              , since <Time at={group.firstAt} now={now} form="day" />
            </>
          )}
        </span>
        {group.mark !== undefined && (
          <span className={styles["marked"]}>
            {group.mark.newer > 0 && <b>{formatCount(group.mark.newer)} new since it was marked </b>}
            {MARK_WORDS[group.mark.mark]}: {group.mark.note}
          </span>
        )}
      </PlaceLink>
    </li>
  );
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
