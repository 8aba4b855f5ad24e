import { SectionTable } from "@/components/table/rows-table";
import { Time } from "@/components/ui/values/time";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { Count } from "./place-table";

/** Each time that somebody published it again: what it had been, who did it and why. */
export function Republished({ message: { republished, at: now } }: { readonly message: OutboxDetail }) {
  return (
    <SectionTable
      title="Published again"
      note={republished.length === 1 ? "once" : `${String(republished.length)} times`}
      label="Earlier publications of this message"
      rows={republished}
      columns={{
        "Published before": { cell: (row) => <Time at={row.publishedAt} now={now} form="day" /> },
        Over: { cell: (row) => row.transport },
        Attempts: {
          align: "right",
          cell: (row) => <Count value={row.attempts} unit={row.attempts === 1 ? "attempt" : "attempts"} />,
        },
        Again: {
          align: "right",
          phone: "full",
          wrap: true,
          cell: (row) => (
            <>
              <Time at={row.at} now={now} form="day" /> by {row.by}: {row.reason}
            </>
          ),
        },
      }}
    />
  );
}
