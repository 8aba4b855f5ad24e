import { AttemptMeter } from "@/components/outbox/attempt-meter";
import {
  MessageName,
  NextTry,
  OperationLink,
  RequeueButton,
  Safe,
  untilText,
  Where,
} from "@/components/messages/message-cells";
import styles from "@/components/outbox/messages.module.css";
import { DataTable } from "@/components/table/data-table";
import { listColumns } from "@/components/views/list-columns";
import { shownColumns } from "@/components/views/list-tools";
import type { TableColumn, TableRow } from "@/components/table/types";
import { Glyph } from "@/components/ui/values/glyph";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { formatDuration } from "@/presentation/format/display-time";
import type { PageAddress } from "@/presentation/list/page-address";
import type { InboxRow, JudgedInboxRow } from "@/presentation/views/inbox";

export interface InboxListProps {
  readonly rows: readonly JudgedInboxRow[];
  readonly now: string;
  readonly address: PageAddress;
  readonly whyNot?: string | undefined;
  /** A part of a page that shows no newer ones. */
  readonly still?: boolean | undefined;
  /** Rows open beside the list. Without it they lead to their page. */
  readonly beside?: boolean | undefined;
}

/** All columns of the list; those with a choice may be hidden. @param max attempts that a message has */
export function inboxColumns(max: number): readonly TableColumn[] {
  return listColumns("inbox", [
    { id: "state", header: "State", phone: "left" },
    { id: "message", header: "Message", phone: "left", link: true },
    { id: "from", header: "For, from", phone: "full" },
    { id: "arrivals", header: "Came", align: "right", phone: "hidden" },
    { id: "attempts", header: `Attempts of ${String(max)}`, phone: "hidden", roomy: true },
    { id: "result", header: "Result", phone: "hidden" },
    { id: "error", header: "Error code", phone: "hidden" },
    { id: "next", header: "Next try", align: "right", phone: "right" },
    { id: "age", header: "Age or lag", align: "right", phone: "right" },
    { id: "safe", header: "Safe to act?", wrap: true, grow: true, phone: "full" },
    { id: "operation", header: "Operation", phone: "hidden", wide: true, roomy: true },
    { id: "act", header: "Action", hiddenHeader: true, align: "right", phone: "full", roomy: true },
  ]);
}

/** Messages that arrived: recorded before they are handled, handled once. */
export function InboxList({ rows, now, address, whyNot, still = false, beside = false }: InboxListProps) {
  return (
    <DataTable
      label="Messages that arrived"
      columns={shownColumns(inboxColumns(rows[0]?.maxAttempts ?? 0), address)}
      rows={rows.map((row) => ({
        ...tableRow(row, now, whyNot),
        ...(beside && { place: { open: row.id }, page: `/inbox/${row.id}` }),
      }))}
      newer={still ? undefined : "messages"}
    />
  );
}

function tableRow(row: JudgedInboxRow, now: string, whyNot: string | undefined): TableRow {
  return {
    id: row.id,
    label: `${row.type} for ${row.consumer}, ${row.state}`,
    href: `/inbox/${row.id}`,
    copy: row.id,
    cells: {
      state: <StateTag name={row.state} />,
      message: <MessageName type={row.type} id={row.messageId} />,
      from: <Where name={row.consumer} note={row.alone ? `from ${row.source}, handled alone` : `from ${row.source}`} />,
      arrivals: <Arrivals row={row} />,
      attempts: <AttemptMeter attempts={row.attempts} max={row.maxAttempts} dead={row.state === "dead"} />,
      result: row.result ?? <span className={styles["soft"]}>none</span>,
      error: row.errorCode ?? <span className={styles["soft"]}>none</span>,
      next:
        row.state === "recorded" ? (
          <NextTry row={row} now={now}>
            {untilText(row.nextAttemptAt, now)}
          </NextTry>
        ) : (
          <span className={styles["soft"]}>none</span>
        ),
      age: row.lagMs === undefined ? <Time at={row.receivedAt} now={now} /> : <Lag ms={row.lagMs} />,
      safe: <Safe said={row.safe} code={row.state === "processed" ? undefined : row.errorCode} error={row.error} />,
      operation: <OperationLink id={row.operationId} />,
      act: row.state === "dead" ? <RequeueButton name={`requeue:${row.id}`} whyNot={whyNot ?? row.requeueNot} /> : null,
    },
  };
}

/** How long it took from its arrival to its effect. */
function Lag({ ms }: { readonly ms: number }) {
  return (
    <span className={styles["quiet"]} title="from received to processed">
      {formatDuration(ms)}
    </span>
  );
}

/** How often the id arrived; the second and later ones are duplicates. */
export function Arrivals({ row }: { readonly row: InboxRow }) {
  const times = 1 + row.duplicates + row.mismatches;
  const title = `${String(row.duplicates)} duplicates, ${String(row.mismatches)} with another payload`;
  return (
    <span className={styles["once"]} title={title}>
      {times === 1 ? "once" : `${String(times)} times`}
      {row.mismatches > 0 && (
        <>
          {" "}
          <Glyph name="conflict" size={12} label="with another payload" />
        </>
      )}
    </span>
  );
}
