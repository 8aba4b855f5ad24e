import Link from "next/link";
import { RowsTable } from "@/components/table/rows-table";
import { Section } from "@/components/ui/section";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import type { WaitingRow } from "@/presentation/views/overview";
import styles from "./overview.module.css";

export function Waiting({ rows }: { readonly rows: readonly WaitingRow[] }) {
  return (
    <Section title="Waiting">
      <div className={styles["waiting"]}>
        <RowsTable
          label="Queues"
          rows={rows}
          rowId={(row) => row.name}
          columns={{
            Queue: {
              phone: "left",
              cell: (row) => (
                <Link className={styles["queue"]} href={row.href}>
                  {row.label}
                </Link>
              ),
            },
            Open: { align: "right", phone: "right", cell: (row) => formatCount(row.open) },
            Oldest: { align: "right", phone: "right", cell: (row) => <Oldest row={row} /> },
            Usual: { align: "right", phone: "hidden", cell: (row) => <Usual row={row} /> },
          }}
        />
      </div>
    </Section>
  );
}

/** At this time of day on earlier days. */
function Usual({ row }: { readonly row: WaitingRow }) {
  if (row.usualMs === undefined) return <span className={styles["none"]} />;
  return <span className={styles["none"]}>{row.usualMs < 1_000 ? "none" : formatDuration(row.usualMs)}</span>;
}

function Oldest({ row }: { readonly row: WaitingRow }) {
  if (row.oldestMs === undefined) return <span className={styles["none"]}>none</span>;
  return (
    <span className={styles["tone"]} data-tone={row.tone}>
      {formatDuration(row.oldestMs)}
    </span>
  );
}
