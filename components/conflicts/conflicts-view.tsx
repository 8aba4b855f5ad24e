import { EmptyState } from "@/components/feedback/notice";
import type { Opened } from "@/components/table/use-opened";
import { PageTitle } from "@/components/ui/page-head";
import { Time } from "@/components/ui/values/time";
import { ButtonLink } from "@/components/ui/button";
import { ListProblems } from "@/components/outbox/list-problems";
import { windowWords } from "@/components/ui/window-chip";
import type { ListFacts } from "@/components/views/list-tools";
import type { FilterProblem } from "@/presentation/filters/search";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import type { ConflictDetail, ConflictsView as View } from "@/presentation/views/conflicts";
import { ConflictChips } from "./conflict-chips";
import { ConflictSplit } from "./conflict-split";
import { timeWords } from "./conflict-words";
import { RangeLink } from "./range-link";
import styles from "./conflicts.module.css";
import type { ConflictFilters } from "@/domain/lists/filters";

export interface ConflictsViewProps {
  readonly view: View;
  readonly opened: Opened<ConflictDetail> | undefined;
  readonly filters: ConflictFilters;
  /** Parts of the address that were not understood. */
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly facts: ListFacts;
}

export function ConflictsView(props: ConflictsViewProps) {
  const { view, opened, filters, problems, address, facts } = props;
  return (
    <>
      <PageTitle>Conflicts</PageTitle>
      <div className={styles["filters"]}>
        <ConflictChips filters={filters} address={address} now={view.at} facts={facts} />
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
