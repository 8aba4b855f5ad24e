import { EmptyState } from "@/components/feedback/notice";
import type { ListPageProps } from "@/components/table/list-pane";
import { PageTitle } from "@/components/ui/page-head";
import { Time } from "@/components/ui/values/time";
import { ButtonLink } from "@/components/ui/button";
import { ListProblems } from "@/components/outbox/list-problems";
import { chipsOf, FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { rangeOptions, hasOwnTime, windowChip, WindowWords } from "@/components/ui/time/window-chip";
import { ListTools } from "@/components/views/list-tools";
import { labelOf, type OperationChoice } from "@/presentation/list/operation-choices";
import { noConflict } from "@/presentation/list/list-answers";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import type { ConflictDetail, ConflictsView as View } from "@/presentation/views/conflicts";
import { ConflictSplit } from "./conflict-split";
import { timeWords } from "./conflict-words";
import { RangeLink } from "./range-link";
import styles from "./conflicts.module.css";
import { CONFLICT_RANGES, type ConflictFilters, conflictWindow } from "@/domain/lists/filters";

const fieldsOf = (kinds: readonly OperationChoice[]): readonly FilterField<keyof ConflictFilters>[] => [
  { name: "range", label: "Time", options: rangeOptions(CONFLICT_RANGES) },
  { name: "client", label: "Client", chip: "client", placeholder: "till-web" },
  { name: "operation", label: "Operation", chip: "kind", placeholder: kinds[0]?.value },
];

export type ConflictsViewProps = ListPageProps<View, ConflictFilters, ConflictDetail>;

export function ConflictsView(props: ConflictsViewProps) {
  const { view, opened, filters, problems, address, facts } = props;
  const kinds = facts.operations ?? [];
  return (
    <>
      <PageTitle>Conflicts</PageTitle>
      <div className={styles["filters"]}>
        <FilterChips
          chips={chips(filters, address, view.at, kinds)}
          add={<FilterMenu fields={fieldsOf(kinds)} />}
          right={<ListTools facts={facts} address={address} />}
        />
      </div>
      <ListProblems problems={problems} />
      {view.groups.length === 0 && opened === undefined ? (
        <NoConflicts {...props} />
      ) : (
        <ConflictSplit view={view} opened={opened} filters={filters} address={address} />
      )}
    </>
  );
}

function NoConflicts({ view, filters, address }: ConflictsViewProps) {
  const narrowed = [filters.client, filters.operation].filter((value) => value !== undefined).length;
  const own = hasOwnTime(filters);
  return (
    <EmptyState
      title={noConflict({ filters: narrowed, time: timeWords(filters) })}
      text={
        <>
          {own && (
            <>
              Looked at <WindowWords window={filters} now={view.at} />.{" "}
            </>
          )}
          Checked <Time at={view.at} now={view.at} form="ago" />. A conflict is refused before anything runs.
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

function chips(
  filters: ConflictFilters,
  address: PageAddress,
  now: string,
  kinds: readonly OperationChoice[],
): readonly FilterChip[] {
  const closed = { ...address, search: { ...address.search, conflict: undefined } };
  return [
    windowChip(conflictWindow(filters), address, now),
    ...chipsOf(fieldsOf(kinds), filters, closed, (name, value) =>
      name === "operation" ? { value: labelOf(kinds, value) } : {},
    ),
  ];
}
