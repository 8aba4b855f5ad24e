import Link from "next/link";
import { SimpleTable } from "@/components/table/simple-table";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { MAIL_GAP } from "@/presentation/message/mail-gap";
import type { GlyphName } from "@/presentation/format/glyph";
import type { NotificationRow } from "@/presentation/views/messages";
import type { OutboxRow } from "@/presentation/views/outbox";
import type { OperationDetail } from "@/presentation/views/operations";
import styles from "./operation.module.css";

/** What left by the outbox, what arrived in the inbox, what the ledger holds. */
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
  const link = (href: string, id: string) => (
    <Link href={href}>
      <Id value={id} plain />
    </Link>
  );
  const rows = [
    ...outbox.map((row) => ({
      id: `outbox ${row.id}`,
      cells: {
        state: <StateTag name={row.state} />,
        what: row.type,
        where: wayOf(row),
        id: link(`/outbox/${row.id}`, row.id),
        attempts: row.attempts,
        at: <Time at={row.publishedAt ?? row.createdAt} now={at} form="millis" />,
      },
    })),
    ...inbox.map((row) => ({
      id: `inbox ${row.id}`,
      cells: {
        state: <StateTag name={row.state} />,
        what: row.type,
        where: `${row.consumer} from ${row.source}`,
        id: link(`/inbox/${row.id}`, row.id),
        attempts: row.attempts,
        at: <Time at={row.processedAt ?? row.receivedAt} now={at} form="millis" />,
      },
    })),
  ];
  return (
    <Section quiet space="small" title="Messages" note={rows.length === 0 ? undefined : "outbox first, then inbox"}>
      {rows.length === 0 ? (
        <p className={styles["nothing"]}>No message left, none arrived.</p>
      ) : (
        <SimpleTable
          label="Messages"
          columns={[
            { id: "state", header: "State", phone: "left" },
            { id: "what", header: "Type", phone: "hidden" },
            { id: "where", header: "Way", phone: "full", wrap: true },
            { id: "id", header: "Message", phone: "hidden" },
            { id: "attempts", header: "Attempts", align: "right", phone: "hidden" },
            { id: "at", header: "At", align: "right", phone: "right" },
          ]}
          rows={rows}
        />
      )}
    </Section>
  );
}

function wayOf({ topicLabel, transport, notification, paused }: OutboxRow): string {
  const by = transport === undefined || notification ? "" : ` by ${transport}`;
  return `to ${topicLabel}${by}${paused ? ", its topic is paused" : ""}`;
}

const NOTE_STATES: Readonly<Record<NotificationRow["state"], { readonly glyph: GlyphName; readonly word: string }>> = {
  pending: { glyph: "pending", word: "Not sent yet" },
  sent: { glyph: "published", word: "Sent" },
  skipped: { glyph: "skipped", word: "Nobody to send to" },
};

/** What people and merchants are told, each once by its key; and the gap that no key can close. */
function Notifications({ operation }: { readonly operation: OperationDetail }) {
  const { notifications, outbox, at } = operation;
  if (notifications.length === 0) return null;
  const mailed = notifications.some((row) => row.mail && row.outboxId !== undefined);
  return (
    <Section quiet space="small" title="Notifications" note="one durable row each, before anything is sent">
      <SimpleTable
        label="Notifications"
        columns={[
          { id: "state", header: "State", phone: "left" },
          { id: "what", header: "Kind", phone: "right" },
          { id: "key", header: "Key", phone: "full" },
          { id: "message", header: "Carried by", phone: "hidden" },
          { id: "at", header: "At", align: "right", phone: "right" },
        ]}
        rows={notifications.map((row) => ({
          id: row.id,
          cells: {
            state: (
              <StateTag name={NOTE_STATES[row.state].glyph} tone={row.state === "skipped" ? "quiet" : undefined}>
                {NOTE_STATES[row.state].word}
              </StateTag>
            ),
            what: row.kind,
            key: <Id value={row.key} />,
            message:
              row.outboxId === undefined ? (
                "none"
              ) : (
                <Link href={`/outbox/${row.outboxId}`}>
                  {outbox.find((message) => message.id === row.outboxId)?.topicLabel ?? (
                    <Id value={row.outboxId} plain />
                  )}
                </Link>
              ),
            at: <Time at={row.sentAt ?? row.createdAt} now={at} form="millis" />,
          },
        }))}
      />
      {mailed && <p className={styles["nothing"]}>{MAIL_GAP}</p>}
    </Section>
  );
}

function Ledger({ operation }: { readonly operation: OperationDetail }) {
  const { ledger, at } = operation;
  if (ledger.length === 0) return null;
  return (
    <Section quiet space="small" title="Ledger">
      <SimpleTable
        label="Ledger entries"
        columns={[
          { id: "type", header: "Entry", phone: "left" },
          { id: "from", header: "Debit", phone: "hidden" },
          { id: "to", header: "Credit", phone: "hidden" },
          { id: "amount", header: "Amount", align: "right", phone: "right" },
          { id: "at", header: "Posted", align: "right", phone: "full" },
        ]}
        rows={ledger.map((row) => ({
          id: row.id,
          cells: {
            type: row.entryType.replaceAll("_", " "),
            from: <Id value={row.debitAccount} plain />,
            to: <Id value={row.creditAccount} plain />,
            amount: <Money minor={row.money.minor} currency={row.money.currency} />,
            at: <Time at={row.postedAt} now={at} form="millis" />,
          },
        }))}
      />
    </Section>
  );
}
