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
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import { fitLabel } from "@/presentation/format/cut-middle";
import { formatDuration } from "@/presentation/format/display-time";
import { INBOX } from "@/presentation/list/message-lists";
import type { PageAddress } from "@/presentation/list/page-address";
import type { InboxRow, JudgedInboxRow } from "@/presentation/views/inbox";
import { byMessage, type ArrivedRow } from "./by-message";
import styles from "@/components/outbox/messages.module.css";

/** @param max attempts that a message has */
export function inboxColumns(max: number, address: PageAddress): readonly TableColumn[] {
  return columnsOf(INBOX, { address, labels: { attempts: `Attempts of ${String(max)}` } });
}

/** Messages that arrived, each once with its consumers: a row says what one consumer made of it. */
export function InboxList({ rows, now, address, whyNot, still, beside }: MessageListProps<JudgedInboxRow>) {
  const columns = inboxColumns(rows[0]?.maxAttempts ?? 0, address);
  const cells = drawnCells(INBOX, columns, CELLS);
  const arrived = byMessage(rows);
  const again = sayAgain(arrived.map(({ row }) => row));
  return (
    <DataTable
      label="Messages that arrived"
      columns={columns}
      rows={arrived.map(({ row, continues, consumers }) => ({
        ...messageLinks("inbox", row.id, beside),
        continues: continues || undefined,
        label: `${row.type} for ${row.consumer}, ${row.state}`,
        cells: cells(row, { now, whyNot, again, continues, consumers }),
      }))}
      newer={still === true ? undefined : "messages"}
    />
  );
}

interface Arrived extends CellContext, Omit<ArrivedRow, "row"> {}

const CELLS: Cells<typeof INBOX, JudgedInboxRow, Arrived> = {
  ...MESSAGE_CELLS,
  operation: (row, { continues }) => !continues && MESSAGE_CELLS.operation(row),
  message: (row, { continues, consumers }) =>
    !continues && (
      <span className={styles["message"]}>
        <MessageName
          type={row.type}
          id={row.messageId}
          note={consumers > 1 ? `${String(consumers)} consumers` : undefined}
        />
      </span>
    ),
  from: (row, { continues }) => <Where name={row.consumer} note={whereNote(row, continues)} />,
  arrivals: (row, { continues }) => !continues && <Arrivals row={row} />,
  next: (row, { now }) =>
    row.state === "recorded" ? (
      <NextTry row={row} now={now}>
        {untilText(row.nextAttemptAt, now)}
      </NextTry>
    ) : (
      <NoNext />
    ),
  age: (row, { now }) => (row.lagMs === undefined ? <Time at={row.receivedAt} now={now} /> : <Lag ms={row.lagMs} />),
  safe: (row, { again }) => (
    <Safe
      said={row.safe}
      outlook={row.outlook}
      brief={again.has(row)}
      code={row.state === "processed" ? undefined : row.errorCode}
      error={again.has(row) ? undefined : row.error}
    />
  ),
};

/** Characters of the source that stay on one line. */
const SOURCE = 30;

/** The source is said once for a message. */
function whereNote({ source, alone }: InboxRow, continues: boolean): string | undefined {
  const notes = [...(continues ? [] : [`from ${fitLabel(source, SOURCE)}`]), ...(alone ? ["handled alone"] : [])];
  return notes.length === 0 ? undefined : notes.join(", ");
}

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
