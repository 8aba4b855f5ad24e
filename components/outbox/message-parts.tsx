import { RequeueButton } from "@/components/messages/message-cells";
import { SimpleTable } from "@/components/table/simple-table";
import { Row, Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import type { PageAddress } from "@/domain/page-address";
import type { ActionView } from "@/domain/views/common";
import type { DeadLetterRow } from "@/domain/views/dead-letters";

/** Every time a message gave up, and what a person did then. */
export function Deaths({ rows, now }: { readonly rows: readonly DeadLetterRow[]; readonly now: string }) {
  if (rows.length === 0) return null;
  return (
    <Section title="When it gave up" note={rows.length === 1 ? "once" : `${String(rows.length)} times`}>
      <SimpleTable
        label="Dead letters of this message"
        columns={[
          { id: "at", header: "Dead since" },
          { id: "error", header: "Error", phone: "full", wrap: true },
          { id: "attempts", header: "Attempts", align: "right" },
          { id: "settled", header: "Then", align: "right", phone: "full", wrap: true },
        ]}
        rows={rows.map((row) => ({
          id: row.id,
          cells: {
            at: <Time at={row.deadAt} now={now} form="day" />,
            error: `${row.errorCode}: ${row.error}`,
            attempts: row.attempts,
            settled: <Settled row={row} now={now} />,
          },
        }))}
      />
    </Section>
  );
}

function Settled({ row, now }: { readonly row: DeadLetterRow; readonly now: string }) {
  if (row.requeuedAt === undefined) return <>waits for a person</>;
  return (
    <>
      {row.settlement ?? "requeued"} <Time at={row.requeuedAt} now={now} form="day" /> by {row.requeuedBy ?? "somebody"}
      {row.reason !== undefined && row.reason !== "" && `: ${row.reason}`}
    </>
  );
}

/** The one action of a message, or why it is not offered now. */
export function ActionBar({
  id,
  address,
  action,
}: {
  readonly id: string;
  readonly address: PageAddress;
  readonly action: ActionView;
}) {
  return (
    <Row end>
      {action.whyNot !== undefined && <Note>Not offered: {action.whyNot}</Note>}
      <RequeueButton
        name={`requeue:${id}`}
        address={address}
        whyNot={action.allowed ? undefined : (action.whyNot ?? "Not offered now.")}
        primary={action.allowed}
      />
    </Row>
  );
}
