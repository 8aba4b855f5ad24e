import { EmptyState } from "@/components/feedback/notice";
import { pageLinks, Pager } from "@/components/table/pager";
import { SimpleTable } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { formatBytes } from "@/presentation/format/format-bytes";
import type { PageAddress } from "@/presentation/list/page-address";
import type { Page } from "@/presentation/views/common";
import type { RetentionRunRow } from "@/presentation/views/retention";

export interface RunsProps {
  readonly runs: Page<RetentionRunRow>;
  readonly address: PageAddress;
}

export function Runs({ runs, address }: RunsProps) {
  return (
    <Section title="What was removed so far" note="newest first">
      {runs.rows.length === 0 ? (
        <EmptyState
          title="Nothing was removed yet."
          text="Every run, by the worker or by a person, leaves a line here."
        />
      ) : (
        <>
          <SimpleTable
            label="Runs of retention"
            columns={[
              { id: "at", header: "When" },
              { id: "kind", header: "What", phone: "left" },
              { id: "actor", header: "By", phone: "left" },
              { id: "rows", header: "Rows", align: "right", phone: "right" },
              { id: "bytes", header: "Bytes", align: "right", phone: "right" },
            ]}
            rows={runs.rows.map((row) => ({
              id: row.id,
              cells: {
                at: <Time at={row.at} now={runs.at} form="day" />,
                kind: <Kind row={row} />,
                actor: row.actor,
                rows: formatCount(row.rows),
                bytes: row.bytes === "0" ? <span className="quiet">none</span> : formatBytes(row.bytes),
              },
            }))}
          />
          <Pager note="50 a page" {...pageLinks(address, runs)} />
        </>
      )}
    </Section>
  );
}

function Kind({ row }: { readonly row: RetentionRunRow }) {
  const detail = Object.entries(row.detail ?? {}).filter(([, value]) => typeof value !== "object" || value === null);
  return (
    <>
      {row.kind.replaceAll("_", " ")}
      {detail.length > 0 && (
        <span className="quiet">
          {" "}
          {detail.map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`).join(", ")}
        </span>
      )}
    </>
  );
}
