import { drawnCells, columnsOf, type Cells } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { CAUSES } from "@/presentation/list/message-lists";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { DeadLetterGroup, DeadLettersView } from "@/presentation/views/dead-letters";
import { VerdictCountsLine } from "./verdict-counts";
import { groupWhere, OPENED } from "./opened-group";
import styles from "./dead-letters.module.css";
import type { DeadLetterFilters } from "@/domain/lists/filters";

export interface DeadLetterGroupsProps {
  readonly view: DeadLettersView;
  readonly filters: DeadLetterFilters;
  readonly address: PageAddress;
}

/** Every cause with how many it stopped and how many of those may go again now; its row opens its messages below. */
export function DeadLetterGroups({ view, filters, address }: DeadLetterGroupsProps) {
  const hrefOf = (changes: Parameters<typeof hrefWith>[1]): string =>
    hrefWith(address, { ...changes, cursor: undefined });
  const columns = columnsOf(CAUSES, { sorting: { sort: filters.sort, hrefOf } });
  const cells = drawnCells(CAUSES, columns, CELLS);
  return (
    <DataTable
      label="Causes"
      columns={columns}
      rows={view.groups.map((group) => ({
        id: group.key,
        label: `${formatCount(group.count)} of ${group.errorCode}, ${groupWhere(group)}`,
        href: `${hrefWith(address, { open: group.key, cursor: undefined, dialog: undefined, row: undefined })}#${OPENED}`,
        copy: group.fingerprint,
        current: group.key === view.group?.key,
        cells: cells(group, view.at),
      }))}
      newer="dead letters"
    />
  );
}

const CELLS: Cells<typeof CAUSES, DeadLetterGroup, string> = {
  cause: (group) => (
    <span className={styles["cause"]}>
      <span>
        <b>{group.errorCode}</b>{" "}
        <Glyph name={group.side === "outbox" ? "pending" : "recorded"} size={12} tone="quiet" />{" "}
        <span className="soft">{groupWhere(group)}</span>
      </span>
      <small title={group.error}>{group.error}</small>
    </span>
  ),
  count: (group) => (
    <span className={styles["count"]}>
      {formatCount(group.count)}
      {group.settled > 0 && <small>{formatCount(group.settled)} settled before</small>}
    </span>
  ),
  safe: (group) => (
    <VerdictCountsLine counts={group.verdicts} of={group.judged < group.count ? group.judged : undefined} />
  ),
  operations: (group) => formatCount(group.operations),
  attempts: (group) => group.attempts,
  first: (group, at) => <Time at={group.firstAt} now={at} />,
  last: (group, at) => <Time at={group.lastAt} now={at} />,
};
