import { RequeueButton } from "./message-cells";
import { disabledReason, Offer } from "@/components/ui/offer";
import { SectionTable } from "@/components/table/rows-table";
import { Row, Note } from "@/components/ui/row";
import { Time } from "@/components/ui/values/time";
import type { ActionView } from "@/presentation/views/common";
import type { DeadLetterRow } from "@/presentation/views/dead-letters";

export function Deaths({ rows, now }: { readonly rows: readonly DeadLetterRow[]; readonly now: string }) {
  return (
    <SectionTable
      title="When it gave up"
      note={rows.length === 1 ? "once" : `${String(rows.length)} times`}
      label="Dead letters of this message"
      rows={rows}
      rowId={(row) => row.id}
      columns={{
        "Dead since": { cell: (row) => <Time at={row.deadAt} now={now} form="day" /> },
        Error: { phone: "full", wrap: true, cell: (row) => `${row.errorCode}: ${row.error}` },
        Attempts: { align: "right", cell: (row) => row.attempts },
        Then: { align: "right", phone: "full", wrap: true, cell: (row) => <Settled row={row} now={now} /> },
      }}
    />
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

export function ActionBar({ id, actions }: { readonly id: string; readonly actions: readonly ActionView[] }) {
  const why = actions.find(({ allowed }) => !allowed)?.whyNot;
  return (
    <Row end>
      {why !== undefined && <Note>Not offered: {why}</Note>}
      {actions.map((action) => {
        const whyNot = disabledReason(action);
        if (action.action === "requeue")
          return <RequeueButton key="requeue" name={`requeue:${id}`} whyNot={whyNot} primary={action.allowed} />;
        return (
          <Offer key={action.action} small={!action.allowed || undefined} dialog={`discard:${id}`} notOffered={whyNot}>
            {action.label}
          </Offer>
        );
      })}
    </Row>
  );
}
