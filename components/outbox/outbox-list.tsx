import type { ReactNode } from "react";
import {
  MESSAGE_CELLS,
  MessageName,
  messageLinks,
  NextTry,
  NoNext,
  Safe,
  sayAgain,
  untilText,
  Where,
  type CellContext,
  type MessageListProps,
} from "@/components/messages/message-cells";
import { drawnCells, columnsOf, type Cells, type TableColumn } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { Time } from "@/components/ui/values/time";
import { cutMiddle } from "@/presentation/format/cut-middle";
import { formatDuration } from "@/presentation/format/display-time";
import { OUTBOX } from "@/presentation/list/message-lists";
import type { PageAddress } from "@/presentation/list/page-address";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import { groupStalled } from "./group-stalled";

export interface OutboxListProps extends MessageListProps<JudgedOutboxRow> {
  readonly published: boolean;
}

/** @param max attempts that a message has */
export function outboxColumns(published: boolean, max: number, address: PageAddress): readonly TableColumn[] {
  return columnsOf(OUTBOX, {
    address,
    labels: { attempts: `Attempts of ${String(max)}`, ...(published && { next: "Published", age: "Lag" }) },
    without: published ? ["act"] : [],
  });
}

/** Messages on their way out; one account whose oldest message is dead stands together with what waits behind it. */
export function OutboxList({ rows, now, published, address, whyNot, still, beside }: OutboxListProps) {
  const columns = outboxColumns(published, rows[0]?.maxAttempts ?? 0, address);
  const cells = drawnCells(OUTBOX, columns, CELLS);
  const grouped = groupStalled(rows);
  const again = sayAgain(grouped.map(({ row }) => row));
  return (
    <DataTable
      label={published ? "Published messages" : "Open messages"}
      columns={columns}
      rows={grouped.map(({ row, heading }) => ({
        ...messageLinks("outbox", row.id, beside),
        label: `${row.type} of ${row.aggregateId}, ${row.state}`,
        ...(heading === undefined ? {} : { group: <Heading {...heading} /> }),
        cells: cells(row, { now, whyNot, again }),
      }))}
      newer={still === true ? undefined : "messages"}
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

const CELLS: Cells<typeof OUTBOX, JudgedOutboxRow, CellContext> = {
  ...MESSAGE_CELLS,
  message: (row) => <MessageName type={row.type} id={row.id} />,
  order: (row) => (
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
  next: (row, { now }) => <Next row={row} now={now} />,
  age: (row, { now }) => (row.lagMs === undefined ? <Time at={row.createdAt} now={now} /> : formatDuration(row.lagMs)),
  safe: (row, { again }) => known(row, again.has(row)),
};

/** Of a published message its last error is past; an error that the verdict names already is not said twice. */
function known(row: JudgedOutboxRow, brief: boolean): ReactNode {
  const repeated = row.state === "published" || (row.errorCode !== undefined && row.safe.text.includes(row.errorCode));
  return (
    <Safe
      said={row.safe}
      outlook={row.outlook}
      brief={brief}
      code={repeated ? undefined : row.errorCode}
      error={brief ? undefined : row.error}
    />
  );
}

function Next({ row, now }: { readonly row: JudgedOutboxRow; readonly now: string }) {
  if (row.publishedAt !== undefined) return <Time at={row.publishedAt} now={now} form="clock" />;
  if (row.state !== "pending") return <NoNext />;
  if (row.paused) return <span className="soft">when resumed</span>;
  if (row.behind !== undefined)
    return <span title={`after ${row.behind}`}>after {cutMiddle(row.behind).slice(-8)}</span>;
  return (
    <NextTry row={row} now={now}>
      {untilText(row.nextAttemptAt, now)}
    </NextTry>
  );
}
