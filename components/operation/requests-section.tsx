import Link from "next/link";
import { SimpleTable } from "@/components/table/simple-table";
import { AnswersSparkline } from "@/components/ui/values/answers-sparkline";
import { ExportLink } from "@/components/ui/export-link";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import type { OperationDetail, RequestRow } from "@/presentation/views/operations";
import styles from "./operation.module.css";

const ANSWERS_DRAWN = 12;

/** Every request of the key and what its caller was told. */
export function RequestsSection({ operation }: { readonly operation: OperationDetail }) {
  const { requests, requestsTotal, at } = operation;
  const shown =
    requests.length < requestsTotal
      ? `first ${formatCount(requests.length)} of ${formatCount(requestsTotal)}`
      : formatCount(requestsTotal);
  return (
    <Section
      title="Requests and answers"
      note={`${shown}, in order of arrival`}
      right={
        <span className={styles["strip"]}>
          <AnswersSparkline {...operation.answers} max={ANSWERS_DRAWN} />
          <ExportLink name="retry-log" filters={{ operationId: operation.operationId }}>
            CSV
          </ExportLink>
        </span>
      }
      space="none"
    >
      {requests.length === 0 ? (
        <p className={styles["nothing"]}>Nobody has been answered yet.</p>
      ) : (
        <SimpleTable
          label="Requests and answers"
          columns={[
            { id: "number", header: "", phone: "hidden" },
            { id: "outcome", header: "Answered", phone: "left" },
            { id: "at", header: "Arrived", phone: "right" },
            { id: "by", header: "By", phone: "hidden", wide: true },
            { id: "after", header: "After", align: "right", phone: "hidden" },
            { id: "status", header: "Status", align: "right", phone: "hidden" },
            { id: "took", header: "Took", align: "right", phone: "hidden" },
            { id: "told", header: "Told", phone: "full", wrap: true },
          ]}
          rows={requests.map((row) => ({ id: row.eventId, cells: cells(row, at) }))}
        />
      )}
    </Section>
  );
}

function cells(row: RequestRow, at: string) {
  return {
    number: <span className="quiet">{row.number}</span>,
    outcome: <StateTag name={row.outcome} />,
    at: <Time at={row.at} now={at} form="millis" />,
    by: (
      <span title={row.requestId === undefined ? undefined : `request ${row.requestId}`}>
        {row.client ?? "unknown"}
      </span>
    ),
    after: row.afterMs === undefined ? "" : formatDuration(row.afterMs),
    status: row.status ?? "none",
    took: row.tookMs === undefined ? "" : formatDuration(row.tookMs),
    told: <AnswerText row={row} />,
  };
}

function AnswerText({ row }: { readonly row: RequestRow }) {
  if (row.outcome === "conflict") {
    const fields = row.differingFields ?? [];
    const what =
      fields.length === 0
        ? "compare"
        : fields.length === 1
          ? `${fields[0] ?? ""} differs`
          : `${fields.join(", ")} differ`;
    return (
      <>
        {row.told}, <Link href={`/conflicts?open=${row.eventId}`}>{what}</Link>
      </>
    );
  }
  return (
    <>
      {row.told}
      {row.outcome === "replayed" && row.byteEqual === true && <span className="quiet">, byte-equal</span>}
      {row.byteEqual === false && ", not byte-equal"}
    </>
  );
}
