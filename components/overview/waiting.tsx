import Link from "next/link";
import { SimpleTable } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import type { WaitingRow } from "@/presentation/views/overview";
import styles from "./overview.module.css";

export function Waiting({ rows }: { readonly rows: readonly WaitingRow[] }) {
  return (
    <Section title="Waiting">
      <div className={styles["waiting"]}>
        <SimpleTable
          label="Queues"
          columns={[
            { id: "queue", header: "Queue", phone: "left" },
            { id: "open", header: "Open", align: "right", phone: "right" },
            { id: "oldest", header: "Oldest", align: "right", phone: "right" },
            { id: "usual", header: "Usual", align: "right", phone: "hidden" },
          ]}
          rows={rows.map((row) => ({
            id: row.name,
            cells: {
              queue: (
                <Link className="ink" href={row.href}>
                  {row.label}
                </Link>
              ),
              open: formatCount(row.open),
              oldest: <Oldest row={row} />,
              usual: <Usual row={row} />,
            },
          }))}
        />
      </div>
    </Section>
  );
}

/** At this time of day on earlier days. */
function Usual({ row }: { readonly row: WaitingRow }) {
  if (row.usualMs === undefined) return <span className="quiet" />;
  return <span className="quiet">{row.usualMs < 1_000 ? "none" : formatDuration(row.usualMs)}</span>;
}

function Oldest({ row }: { readonly row: WaitingRow }) {
  if (row.oldestMs === undefined) return <span className="quiet">none</span>;
  return (
    <span className="toned" data-tone={row.tone}>
      {formatDuration(row.oldestMs)}
    </span>
  );
}
