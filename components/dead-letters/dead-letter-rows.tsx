import { Link } from "@/components/ui/link";
import { RequeueButton, Safe } from "@/components/messages/message-cells";
import messages from "@/components/outbox/messages.module.css";
import { drawnCells, columnsOf, None, type Cells } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { pageLinks, Pager } from "@/components/table/pager";
import { disabledReason, Offer } from "@/components/ui/offer";
import { Id } from "@/components/ui/values/id";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { DEAD_LETTERS } from "@/presentation/list/message-lists";
import type { PageAddress } from "@/presentation/list/page-address";
import type { DeadLetterGroup, DeadLetterRow, DeadLettersView } from "@/presentation/views/dead-letters";
import { MessagesBeside, type OpenedMessage } from "@/components/messages/message-pane";
import { SelectionActions } from "./selection-actions";
import styles from "./dead-letters.module.css";

export interface DeadLetterRowsProps {
  readonly opened: OpenedMessage;
  readonly view: DeadLettersView;
  readonly group: DeadLetterGroup;
  readonly address: PageAddress;
}

/** The messages of one cause, each with its verdict of this moment; some of them may be selected. */
export function DeadLetterRows({ view, group, address, opened }: DeadLetterRowsProps) {
  const { rows } = view;
  const columns = columnsOf(DEAD_LETTERS, { address });
  const cells = drawnCells(DEAD_LETTERS, columns, CELLS);
  const more = rows.next !== undefined || rows.previous !== undefined;
  return (
    <MessagesBeside opened={opened}>
      <DataTable
        key={group.key}
        label={`Dead letters: ${group.errorCode} at ${group.placeLabel}`}
        columns={columns}
        rows={rows.rows.map((row) => ({
          id: row.id,
          label: `${row.type} dead at ${group.placeLabel}`,
          place: { open: group.key, row: `${row.side}:${row.messageId}` },
          page: `/${row.side}/${row.messageId}`,
          copy: row.messageId,
          cells: cells(row, { group, view }),
        }))}
        selectable
        matching={more ? formatCount(group.count) : undefined}
        selectionActions={<SelectionActions whyNot={disabledReason(view.plan)} />}
      />
      <Pager note="Newest first, 50 a page" {...pageLinks(address, rows, ["dialog", "row"])} />
    </MessagesBeside>
  );
}

interface Around {
  readonly group: DeadLetterGroup;
  readonly view: DeadLettersView;
}

const CELLS: Cells<typeof DEAD_LETTERS, DeadLetterRow, Around> = {
  message: (row) => (
    <span className={messages["message"]}>
      {row.type} <Id value={row.messageId} plain />
    </span>
  ),
  operation: (row) =>
    row.operationId === undefined ? (
      <None />
    ) : (
      <Link href={`/operations/${row.operationId}`}>
        <Id value={row.operationId} plain />
      </Link>
    ),
  since: (row, { view }) => <Time at={row.deadAt} now={view.at} />,
  safe: (row, { group }) =>
    row.safe && (
      <Safe
        said={row.safe}
        outlook={row.outlook}
        brief={isSaidAbove(group, row)}
        code={row.error === group.error ? undefined : row.errorCode}
        error={row.error}
      />
    ),
  act: (row, { view }) =>
    row.requeuedAt === undefined ? <Acts row={row} view={view} /> : <Settled row={row} now={view.at} />,
};

/** Both sentences stand above the rows of the group. */
function isSaidAbove({ reasons }: DeadLetterGroup, { safe, outlook }: DeadLetterRow): boolean {
  const above = new Set(reasons.map(({ said }) => said.text));
  return [safe, outlook].every((said) => said === undefined || above.has(said.text));
}

function Acts({ row, view }: { readonly row: DeadLetterRow; readonly view: DeadLettersView }) {
  const discard = disabledReason(view.discard) ?? row.discardNot;
  return (
    <span className={styles["acts"]}>
      <Offer small dialog={`discard:${row.side}:${row.messageId}`} notOffered={discard}>
        Discard
      </Offer>
      <RequeueButton name={`${row.side}:${row.messageId}`} whyNot={disabledReason(view.requeue) ?? row.requeueNot} />
    </span>
  );
}

function Settled({ row, now }: { readonly row: DeadLetterRow; readonly now: string }) {
  return (
    <span className="quiet">
      {row.settlement ?? "settled"} {row.requeuedAt !== undefined && <Time at={row.requeuedAt} now={now} form="ago" />}
    </span>
  );
}
