import { Link } from "@/components/ui/link";
import { SectionTable } from "@/components/table/rows-table";
import { AnswersSparkline } from "@/components/ui/values/answers-sparkline";
import { ExportLink } from "@/components/ui/export-link";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { cutName } from "@/presentation/format/cut-middle";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import { shownAnswer } from "@/presentation/operation/shown-answer";
import type { OperationDetail, RequestRow } from "@/presentation/views/operations";
import styles from "./operation.module.css";

const ANSWERS_DRAWN = 12;

export function RequestsSection({ operation }: { readonly operation: OperationDetail }) {
  const { requests, requestsTotal, at } = operation;
  const shown =
    requests.length < requestsTotal
      ? `first ${formatCount(requests.length)} of ${formatCount(requestsTotal)}`
      : formatCount(requestsTotal);
  return (
    <SectionTable
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
      empty={<p className={styles["nothing"]}>No answer is on record.</p>}
      rows={requests}
      rowId={(row) => row.eventId}
      columns={{
        "": { phone: "hidden", cell: (row) => <span className="quiet">{row.number}</span> },
        Answered: { phone: "left", cell: (row) => <StateTag name={shownAnswer(row)} /> },
        Arrived: { phone: "right", cell: (row) => <Time at={row.at} now={at} form="millis" /> },
        By: {
          phone: "hidden",
          wide: true,
          cell: ({ client, requestId }) => (
            <span title={requestId === undefined ? undefined : `request ${requestId}`}>{client ?? "unknown"}</span>
          ),
        },
        After: { align: "right", phone: "hidden", cell: ({ afterMs }) => durationText(afterMs) },
        Status: { align: "right", phone: "hidden", cell: (row) => row.status ?? "none" },
        Took: { align: "right", phone: "hidden", cell: ({ tookMs }) => durationText(tookMs) },
        Response: { phone: "full", wrap: true, cell: (row) => <AnswerText row={row} /> },
      }}
    />
  );
}

function durationText(ms: number | undefined): string {
  return ms === undefined ? "" : formatDuration(ms);
}

function AnswerText({ row }: { readonly row: RequestRow }) {
  if (row.outcome === "conflict") {
    const fields = (row.differingFields ?? []).map(cutName);
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
