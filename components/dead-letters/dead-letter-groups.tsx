import { drawnCells, columnsOf, type Cells } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { CAUSES } from "@/presentation/list/message-lists";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { DeadLetterGroup, DeadLettersView, VerdictCounts } from "@/presentation/views/dead-letters";
import { groupWhere, OPENED } from "./opened-group";
import styles from "./dead-letters.module.css";
import type { DeadLetterFilters } from "@/domain/lists/filters";
import { OUTLOOK_WORDS } from "@/domain/messages/requeue-outlook";
import { REQUEUE_VERDICTS, VERDICT_WORDS } from "@/domain/messages/requeue-verdict";
import { outlookParts, type OutlookCounts } from "@/presentation/message/outlook";
import { VERDICT_FACES } from "@/presentation/message/safe-to-act";

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
    <VerdictCountsLine
      counts={group.verdicts}
      outlooks={group.outlooks}
      of={group.judged < group.count ? group.judged : undefined}
    />
  ),
  operations: (group) => formatCount(group.operations),
  attempts: (group) => group.attempts,
  first: (group, at) => <Time at={group.firstAt} now={at} />,
  last: (group, at) => <Time at={group.lastAt} now={at} />,
};

/** "✓ 120 safe, ? 5 operation unknown, ✕ 120 likely to die again": may they be requeued now, and would they get through. */
export function VerdictCountsLine({
  counts,
  outlooks,
  of,
}: {
  readonly counts: VerdictCounts;
  readonly outlooks: OutlookCounts;
  /** When only so many of the newest were judged. */
  readonly of?: number | undefined;
}) {
  const parts = REQUEUE_VERDICTS.flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count === 0 ? [] : [{ verdict, count, ...VERDICT_FACES[verdict] }];
  });
  if (parts.length === 0) return <span className="quiet">none is open</span>;
  return (
    <span className={styles["verdicts"]}>
      {parts.map(({ verdict, count, glyph, tone }) => (
        <span key={verdict}>
          <Glyph name={glyph} tone={tone} size={12} /> <b>{formatCount(count)}</b>{" "}
          {VERDICT_WORDS[verdict].toLowerCase()}
        </span>
      ))}
      {outlookParts(outlooks).map(({ outlook, count, glyph, tone }) => (
        <span key={outlook}>
          <Glyph name={glyph} tone={tone} size={12} /> <b>{formatCount(count)}</b>{" "}
          {OUTLOOK_WORDS[outlook].toLowerCase()}
        </span>
      ))}
      {of !== undefined && <span className="quiet">of the newest {formatCount(of)}</span>}
    </span>
  );
}
