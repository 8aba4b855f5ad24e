import {
  MessageName,
  NextTry,
  OperationLink,
  RequeueButton,
  Safe,
  untilText,
  Where,
} from "@/components/messages/message-cells";
import { DataTable } from "@/components/table/data-table";
import { listColumns } from "@/components/views/list-columns";
import { shownColumns } from "@/components/views/list-tools";
import type { TableColumn, TableRow } from "@/components/table/types";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { cutMiddle } from "@/presentation/format/cut-middle";
import { formatDuration } from "@/presentation/format/display-time";
import type { PageAddress } from "@/presentation/list/page-address";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import { AttemptMeter } from "./attempt-meter";
import { groupStalled } from "./group-stalled";
import styles from "./messages.module.css";

export { RequeueButton, Safe } from "@/components/messages/message-cells";

export interface OutboxListProps {
  readonly rows: readonly JudgedOutboxRow[];
  readonly now: string;
  readonly published: boolean;
  readonly address: PageAddress;
  /** Why this person may not requeue; undefined: may. */
  readonly whyNot?: string | undefined;
  /** A part of a page that shows no newer ones. */
  readonly still?: boolean | undefined;
  /** Rows open beside the list. Without it they lead to their page. */
  readonly beside?: boolean | undefined;
}

/** All columns of the list; those with a choice may be hidden. @param max attempts that a message has */
export function outboxColumns(published: boolean, max: number): readonly TableColumn[] {
  const columns = listColumns("outbox", [
    { id: "state", header: "State", phone: "left" },
    { id: "message", header: "Message", phone: "left", link: true },
    { id: "order", header: "Topic, in order of", phone: "full" },
    { id: "attempts", header: `Attempts of ${String(max)}`, phone: "hidden", roomy: true },
    { id: "transport", header: "Transport", phone: "hidden" },
    { id: "error", header: "Error code", phone: "hidden" },
    published
      ? { id: "next", header: "Published", align: "right", phone: "right" }
      : { id: "next", header: "Next try", align: "right", phone: "right" },
    published
      ? { id: "age", header: "Lag", align: "right", phone: "right" }
      : { id: "age", header: "Age", align: "right", phone: "right" },
    { id: "safe", header: "Safe to act?", wrap: true, grow: true, phone: "full" },
    { id: "operation", header: "Operation", phone: "hidden", wide: true, roomy: true },
    { id: "act", header: "Action", hiddenHeader: true, align: "right", phone: "full", roomy: true },
  ]);
  return published ? columns.filter(({ id }) => id !== "act") : columns;
}

/** Messages on their way out; one account whose oldest message is dead stands together with what waits behind it. */
export function OutboxList({ rows, now, published, address, whyNot, still = false, beside = false }: OutboxListProps) {
  const max = rows[0]?.maxAttempts ?? 0;
  return (
    <DataTable
      label={published ? "Published messages" : "Open messages"}
      columns={shownColumns(outboxColumns(published, max), address)}
      rows={groupStalled(rows).map(({ row, heading }) => ({
        ...tableRow(row, now, whyNot),
        ...(beside && { place: { open: row.id }, page: `/outbox/${row.id}` }),
        ...(heading === undefined ? {} : { group: <Heading {...heading} /> }),
      }))}
      newer={still ? undefined : "messages"}
    />
  );
}

function Heading({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <b>{name}</b> {text}
    </>
  );
}

function tableRow(row: JudgedOutboxRow, now: string, whyNot: string | undefined): TableRow {
  return {
    id: row.id,
    label: `${row.type} of ${row.aggregateId}, ${row.state}`,
    href: `/outbox/${row.id}`,
    copy: row.id,
    cells: {
      state: <StateTag name={row.state} />,
      message: <MessageName type={row.type} id={row.id} />,
      order: (
        <Where
          name={row.topicLabel}
          note={
            <span title={`${row.aggregateType} ${row.aggregateId}`}>
              {row.transport === undefined ? "" : `${row.transport}, `}
              {cutMiddle(row.aggregateId)} #{row.position}
            </span>
          }
        />
      ),
      attempts: <AttemptMeter attempts={row.attempts} max={row.maxAttempts} dead={row.state === "dead"} />,
      transport: row.transport ?? <span className={styles["soft"]}>none</span>,
      error: row.errorCode ?? <span className={styles["soft"]}>none</span>,
      next: <Next row={row} now={now} />,
      age: row.lagMs === undefined ? <Time at={row.createdAt} now={now} /> : formatDuration(row.lagMs),
      safe: <Known row={row} />,
      operation: <OperationLink id={row.operationId} />,
      act: row.state === "dead" ? <RequeueButton name={`requeue:${row.id}`} whyNot={whyNot ?? row.requeueNot} /> : null,
    },
  };
}

/** Of a published message its last error is past; an error that the verdict names already is not said twice. */
function Known({ row }: { readonly row: JudgedOutboxRow }) {
  const said = row.state === "published" || (row.errorCode !== undefined && row.safe.text.includes(row.errorCode));
  return <Safe said={row.safe} code={said ? undefined : row.errorCode} error={row.error} />;
}

function Next({ row, now }: { readonly row: JudgedOutboxRow; readonly now: string }) {
  if (row.publishedAt !== undefined) return <Time at={row.publishedAt} now={now} form="clock" />;
  if (row.state !== "pending") return <span className={styles["soft"]}>none</span>;
  if (row.paused) return <span className={styles["soft"]}>when resumed</span>;
  if (row.behind !== undefined)
    return <span title={`after ${row.behind}`}>after {cutMiddle(row.behind).slice(-8)}</span>;
  return (
    <NextTry row={row} now={now}>
      {untilText(row.nextAttemptAt, now)}
    </NextTry>
  );
}
