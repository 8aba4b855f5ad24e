import { EmptyState } from "@/components/feedback/notice";
import { pageLinks, Pager } from "@/components/table/pager";
import { column, SimpleTable } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { formatBytes } from "@/presentation/format/format-bytes";
import type { PageAddress } from "@/presentation/list/page-address";
import type { Page } from "@/presentation/views/common";
import type { RetentionRunRow } from "@/presentation/views/retention";
import styles from "./retention.module.css";

export function Runs({ runs, address }: { readonly runs: Page<RetentionRunRow>; readonly address: PageAddress }) {
  return (
    <Section title="What was removed so far" note="newest first">
      {runs.rows.length === 0 ? (
        <EmptyState
          title="Nothing was removed yet."
          text="Every run, by the worker or by a person, leaves a line here."
        />
      ) : (
        <>
          <SimpleTable<RetentionRunRow>
            label="Runs of retention"
            rows={runs.rows}
            columns={[
              column({ header: "When" }, (row) => <Time at={row.at} now={runs.at} form="day" />),
              column({ header: "What", phone: "left" }, (row) => <Kind row={row} />),
              column({ header: "By", phone: "left" }, ({ actor }) => actor),
              column({ header: "Rows", align: "right" }, ({ rows }) => formatCount(rows)),
              column({ header: "Bytes", align: "right" }, ({ bytes }) =>
                bytes === "0" ? <span className={styles["quiet"]}>none</span> : formatBytes(bytes),
              ),
            ]}
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
        <span className={styles["quiet"]}>
          {" "}
          {detail.map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`).join(", ")}
        </span>
      )}
    </>
  );
}
