import { Link } from "@/components/ui/link";
import { SectionTable } from "@/components/table/rows-table";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { MAIL_GAP } from "@/presentation/message/mail-gap";
import type { GlyphName } from "@/presentation/format/glyph";
import type { NotificationRow } from "@/presentation/views/messages";
import type { OutboxRow } from "@/presentation/views/outbox";
import type { OperationDetail } from "@/presentation/views/operations";
import styles from "./operation.module.css";

export function MessagesSection({ operation }: { readonly operation: OperationDetail }) {
  return (
    <>
      <Messages operation={operation} />
      <Notifications operation={operation} />
      <Ledger operation={operation} />
    </>
  );
}

function Messages({ operation }: { readonly operation: OperationDetail }) {
  const { outbox, inbox, at } = operation;
  const rows = [
    ...outbox.map((row) => ({ ...row, side: "outbox", way: wayOf(row), last: row.publishedAt ?? row.createdAt })),
    ...inbox.map((row) => ({
      ...row,
      side: "inbox",
      way: `${row.consumer} from ${row.source}`,
      last: row.processedAt ?? row.receivedAt,
    })),
  ];
  return (
    <SectionTable
      quiet
      space="small"
      title="Messages"
      note={rows.length === 0 ? undefined : "outbox first, then inbox"}
      empty={<p className={styles["nothing"]}>No message is on record.</p>}
      rows={rows}
      rowId={({ side, id }) => `${side} ${id}`}
      columns={{
        State: { phone: "left", cell: (row) => <StateTag name={row.state} /> },
        Type: { phone: "hidden", cell: (row) => row.type },
        Way: { phone: "full", wrap: true, cell: (row) => row.way },
        Message: {
          phone: "hidden",
          cell: ({ side, id }) => (
            <Link href={`/${side}/${id}`}>
              <Id value={id} plain />
            </Link>
          ),
        },
        Attempts: { align: "right", phone: "hidden", cell: (row) => row.attempts },
        At: { align: "right", phone: "right", cell: (row) => <Time at={row.last} now={at} form="millis" /> },
      }}
    />
  );
}

function wayOf({ topicLabel, transport, notification, paused }: OutboxRow): string {
  const by = transport === undefined || notification ? "" : ` by ${transport}`;
  return `to ${topicLabel}${by}${paused ? ", its topic is paused" : ""}`;
}

const NOTE_STATES: Readonly<Record<NotificationRow["state"], { readonly glyph: GlyphName; readonly word: string }>> = {
  pending: { glyph: "pending", word: "Not confirmed yet" },
  sent: { glyph: "published", word: "Sent" },
  skipped: { glyph: "skipped", word: "Nobody to send to" },
};

/** What people and merchants are told, each once by its key; and the gap that no key can close. */
function Notifications({ operation }: { readonly operation: OperationDetail }) {
  const { notifications, outbox, at } = operation;
  const mailed = notifications.some((row) => row.mail && row.outboxId !== undefined);
  return (
    <SectionTable
      quiet
      space="small"
      title="Notifications"
      note="one durable row each, before anything is sent"
      rows={notifications}
      columns={{
        State: {
          phone: "left",
          cell: ({ state }) => (
            <StateTag name={NOTE_STATES[state].glyph} tone={state === "skipped" ? "quiet" : undefined}>
              {NOTE_STATES[state].word}
            </StateTag>
          ),
        },
        Kind: { phone: "right", cell: (row) => row.kind },
        Key: { phone: "left", cell: (row) => <Id value={row.key} /> },
        "Carried by": {
          phone: "hidden",
          cell: ({ outboxId }) =>
            outboxId === undefined ? (
              "none"
            ) : (
              <Link href={`/outbox/${outboxId}`}>
                {outbox.find(({ id }) => id === outboxId)?.topicLabel ?? <Id value={outboxId} plain />}
              </Link>
            ),
        },
        At: {
          align: "right",
          phone: "right",
          cell: (row) => <Time at={row.sentAt ?? row.createdAt} now={at} form="millis" />,
        },
      }}
    >
      {mailed && <p className={styles["nothing"]}>{MAIL_GAP}</p>}
    </SectionTable>
  );
}

function Ledger({ operation }: { readonly operation: OperationDetail }) {
  const { ledger, at } = operation;
  return (
    <SectionTable
      quiet
      space="small"
      title="Ledger"
      label="Ledger entries"
      rows={ledger}
      columns={{
        Entry: { phone: "left", cell: (row) => row.entryType.replaceAll("_", " ") },
        Debit: { phone: "hidden", cell: (row) => <Id value={row.debitAccount} plain /> },
        Credit: { phone: "hidden", cell: (row) => <Id value={row.creditAccount} plain /> },
        Amount: { align: "right", phone: "right", cell: ({ money }) => <Money {...money} /> },
        Posted: { align: "right", phone: "full", cell: (row) => <Time at={row.postedAt} now={at} form="millis" /> },
      }}
    />
  );
}
