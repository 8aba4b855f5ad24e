import { SimpleTable } from "@/components/table/simple-table";
import { CodeBlock } from "@/components/ui/masked";
import { Row, Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import type { PageAddress } from "@/domain/page-address";
import type { ActionView } from "@/domain/views/common";
import type { DeadLetterRow } from "@/domain/views/dead-letters";
import { RequeueButton } from "./outbox-list";
import styles from "./messages.module.css";

export interface MessageBodyProps {
  readonly payload: readonly { readonly name: string; readonly value: string; readonly masked: boolean }[];
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Payload and headers of a message, field by field. */
export function MessageBody({ payload, headers }: MessageBodyProps) {
  const named = Object.entries(headers);
  return (
    <>
      <CodeBlock
        lines={payload.map((field) => ({ name: field.name, value: field.masked ? undefined : field.value }))}
      />
      {named.length > 0 && (
        <div className={styles["headers"]}>
          <Note>Headers</Note>
          <CodeBlock
            lines={named.map(([name, value]) => ({
              name,
              value: typeof value === "string" ? value : JSON.stringify(value),
            }))}
          />
        </div>
      )}
    </>
  );
}

/** Every time a message gave up, and who set it going again. */
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
          { id: "requeued", header: "Requeued", align: "right", phone: "full" },
        ]}
        rows={rows.map((row) => ({
          id: row.id,
          cells: {
            at: <Time at={row.deadAt} now={now} form="day" />,
            error: `${row.errorCode}: ${row.error}`,
            attempts: row.attempts,
            requeued:
              row.requeuedAt === undefined ? (
                "not yet"
              ) : (
                <>
                  <Time at={row.requeuedAt} now={now} form="day" /> by {row.requeuedBy ?? "somebody"}
                </>
              ),
          },
        }))}
      />
    </Section>
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
