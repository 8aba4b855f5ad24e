import { DataTable } from "@/components/table/data-table";
import type { TableColumn, TableRow } from "@/components/table/types";
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
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
  return (
    <DataTable
      label="Causes"
      columns={columns(filters, address)}
      rows={view.groups.map((group) => tableRow(group, view, address))}
      newer="dead letters"
    />
  );
}

function columns(filters: DeadLetterFilters, address: PageAddress): readonly TableColumn[] {
  const sorted = (sort: DeadLetterFilters["sort"]): TableColumn["sort"] => ({
    href: hrefWith(address, { sort: sort === "last" ? undefined : sort, cursor: undefined }),
    direction: filters.sort === sort ? "desc" : undefined,
  });
  return [
    { id: "cause", header: "What stopped them", phone: "left", link: true, wrap: true },
    { id: "count", header: "Open", align: "right", phone: "right", sort: sorted("count") },
    { id: "safe", header: "Safe to requeue now?", wrap: true, grow: true, phone: "full" },
    { id: "operations", header: "Operations", align: "right", phone: "hidden", wide: true },
    { id: "attempts", header: "Attempts", align: "right", phone: "hidden", wide: true },
    { id: "first", header: "First", align: "right", phone: "hidden" },
    { id: "last", header: "Last", align: "right", phone: "hidden", sort: sorted("last") },
  ];
}

function tableRow(group: DeadLetterGroup, view: DeadLettersView, address: PageAddress): TableRow {
  const where = groupWhere(group);
  return {
    id: group.key,
    label: `${formatCount(group.count)} of ${group.errorCode}, ${where}`,
    href: `${hrefWith(address, { open: group.key, cursor: undefined, dialog: undefined, row: undefined })}#${OPENED}`,
    copy: group.fingerprint,
    current: group.key === view.group?.key,
    cells: {
      cause: (
        <span className={styles["cause"]}>
          <span>
            <b>{group.errorCode}</b>{" "}
            <Glyph name={group.side === "outbox" ? "pending" : "recorded"} size={12} tone="quiet" />{" "}
            <span className={styles["soft"]}>{where}</span>
          </span>
          <small title={group.error}>{group.error}</small>
        </span>
      ),
      count: (
        <span className={styles["count"]}>
          {formatCount(group.count)}
          {group.settled > 0 && <small>{formatCount(group.settled)} settled before</small>}
        </span>
      ),
      safe: <VerdictCountsLine counts={group.verdicts} of={group.judged < group.count ? group.judged : undefined} />,
      operations: formatCount(group.operations),
      attempts: group.attempts,
      first: <Time at={group.firstAt} now={view.at} />,
      last: <Time at={group.lastAt} now={view.at} />,
    },
  };
}
