import {
  MESSAGE_CELLS,
  MessageName,
  messageLinks,
  NextTry,
  Safe,
  untilText,
  Where,
  type CellContext,
  type MessageListProps,
} from "@/components/messages/message-cells";
import { drawnCells, columnsOf, None, type Cells, type TableColumn } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import { formatDuration } from "@/presentation/format/display-time";
import { INBOX } from "@/presentation/list/message-lists";
import type { PageAddress } from "@/presentation/list/page-address";
import type { InboxRow, JudgedInboxRow } from "@/presentation/views/inbox";

/** @param max attempts that a message has */
export function inboxColumns(max: number, address: PageAddress): readonly TableColumn[] {
  return columnsOf(INBOX, { address, labels: { attempts: `Attempts of ${String(max)}` } });
}

/** Messages that arrived: recorded before they are handled, handled once. */
export function InboxList({ rows, now, address, whyNot, still, beside }: MessageListProps<JudgedInboxRow>) {
  const columns = inboxColumns(rows[0]?.maxAttempts ?? 0, address);
  const cells = drawnCells(INBOX, columns, CELLS);
  return (
    <DataTable
      label="Messages that arrived"
      columns={columns}
      rows={rows.map((row) => ({
        ...messageLinks("inbox", row.id, beside),
        label: `${row.type} for ${row.consumer}, ${row.state}`,
        cells: cells(row, { now, whyNot }),
      }))}
      newer={still === true ? undefined : "messages"}
    />
  );
}

const CELLS: Cells<typeof INBOX, JudgedInboxRow, CellContext> = {
  ...MESSAGE_CELLS,
  message: (row) => <MessageName type={row.type} id={row.messageId} />,
  from: (row) => (
    <Where name={row.consumer} note={row.alone ? `from ${row.source}, handled alone` : `from ${row.source}`} />
  ),
  arrivals: (row) => <Arrivals row={row} />,
  next: (row, { now }) =>
    row.state === "recorded" ? (
      <NextTry row={row} now={now}>
        {untilText(row.nextAttemptAt, now)}
      </NextTry>
    ) : (
      <None />
    ),
  age: (row, { now }) => (row.lagMs === undefined ? <Time at={row.receivedAt} now={now} /> : <Lag ms={row.lagMs} />),
  safe: (row) => (
    <Safe said={row.safe} code={row.state === "processed" ? undefined : row.errorCode} error={row.error} />
  ),
};

function Lag({ ms }: { readonly ms: number }) {
  return (
    <span className="quiet" title="from received to processed">
      {formatDuration(ms)}
    </span>
  );
}

/** How often the id arrived; the second and later ones are duplicates. */
export function Arrivals({ row }: { readonly row: InboxRow }) {
  const times = 1 + row.duplicates + row.mismatches;
  const title = `${String(row.duplicates)} duplicates, ${String(row.mismatches)} with another payload`;
  return (
    <span className="nowrap" title={title}>
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
