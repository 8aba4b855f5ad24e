import type { Queryable } from "@/db/client";
import { selectConsumersOfMessage, selectInboxOfOperation, type InboxDbRow } from "@/db/inbox/select-inbox";
import { selectLedgerEntries } from "@/db/payments/ledger-entries";
import type { MessageAttemptDbRow } from "@/db/messages/select-message-attempts";
import { selectNotificationOfMessage, selectNotifications, type NotificationDbRow } from "@/db/payments/notifications";
import { selectOperation } from "@/db/operations/select-operation";
import { selectOutboxOfOperation, type OutboxDbRow } from "@/db/outbox/select-outbox";
import { operationKind } from "@/domain/operation-label";
import { moneyView } from "@/presentation/operation/money-view";
import type { MessageContext } from "@/presentation/message/message-context";
import type { AttemptRow, NotificationRow } from "@/presentation/views/messages";
import type { OutboxRow } from "@/presentation/views/outbox";
import { MAIL_TOPIC } from "@/engine/outbox/transports/transports";
import { ledgerRow } from "../operations/operation-parts";
import { elapsedMs, shownState } from "../operations/operation-row";
import { inboxRow, outboxRow } from "./message-rows";

export interface MessageContextSource {
  readonly tenantId: string;
  readonly here: MessageContext["here"];
  readonly operationId: string | null;
  /** The message on the sending side, when it is one of ours. */
  readonly sent?: OutboxDbRow | undefined;
  /** The arrival that the page is about. */
  readonly arrived?: InboxDbRow | undefined;
  readonly at: string;
  readonly fallback: string;
}

/** Reads what is around one message: its operation, and whatever else that wrote, got, posted and told. */
export async function readMessageContext(q: Queryable, source: MessageContextSource): Promise<MessageContext> {
  const { tenantId, here, sent, arrived, at, fallback } = source;
  const operation = source.operationId === null ? undefined : await selectOperation(q, tenantId, source.operationId);
  const id = operation?.operation_id;
  const out =
    operation === undefined
      ? []
      : await selectOutboxOfOperation(q, tenantId, operation.operation_id, operation.created_at);
  const into = id === undefined ? [] : await selectInboxOfOperation(q, tenantId, id);
  const held = sent === undefined ? [] : await selectConsumersOfMessage(q, tenantId, sent.id);
  const notes = id === undefined ? [] : await selectNotifications(q, tenantId, id);
  const own = sent === undefined ? undefined : await selectNotificationOfMessage(q, tenantId, sent.id);
  const outbox = unique([...out, ...(sent === undefined ? [] : [sent])]).map((row) => outboxRow(row, fallback));
  return {
    at,
    here,
    operation:
      operation === undefined
        ? undefined
        : {
            id: operation.operation_id,
            kind: operationKind(operation.operation),
            state: shownState(operation),
            client: operation.client,
            money: moneyView(operation.amount_minor, operation.currency)?.display,
            createdAt: operation.created_at,
          },
    outbox,
    inbox: unique([...into, ...held, ...(arrived === undefined ? [] : [arrived])]).map(inboxRow),
    ledger: id === undefined ? [] : (await selectLedgerEntries(q, tenantId, id)).map(ledgerRow),
    notifications: unique([...notes, ...(own === undefined ? [] : [own])]).map((row) => notificationRow(row, outbox)),
  };
}

function unique<Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** @param outbox messages among which the one is that carries it */
export function notificationRow(row: NotificationDbRow, outbox: readonly OutboxRow[]): NotificationRow {
  const carrier = outbox.find((each) => each.id === row.outbox_id);
  return {
    id: row.id,
    key: row.notification_key,
    kind: row.kind,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    sentAt: row.sent_at ?? undefined,
    outboxId: row.outbox_id ?? undefined,
    carried: carrier?.state,
    mail: carrier === undefined ? row.kind !== "webhook" : carrier.topic === MAIL_TOPIC,
  };
}

export interface AttemptFacts {
  readonly began: string;
  readonly started: number;
  readonly failed: readonly MessageAttemptDbRow[];
  readonly succeeded?: { readonly at: string; readonly who?: string | undefined } | undefined;
  readonly running?: { readonly until: string; readonly who: string | undefined } | undefined;
}

/** Every attempt in order: those that did not succeed are rows of their own, the one that did is on the message itself. */
export function attemptRows({ began, started, failed, succeeded, running }: AttemptFacts): readonly AttemptRow[] {
  const rows: AttemptRow[] = [];
  const after = (at: string): number => elapsedMs(rows.at(-1)?.at ?? began, at);
  for (const row of failed) {
    rows.push({
      number: row.attempt,
      outcome: row.outcome,
      who: row.owner ?? undefined,
      at: row.ended_at,
      afterMs: after(row.ended_at),
      code: row.error_code ?? undefined,
      error: row.error ?? undefined,
    });
  }
  if (succeeded !== undefined)
    rows.push({
      number: started,
      outcome: "succeeded",
      who: succeeded.who,
      at: succeeded.at,
      afterMs: after(succeeded.at),
    });
  if (running !== undefined)
    rows.push({
      number: started,
      outcome: "running",
      who: running.who,
      at: running.until,
      afterMs: after(running.until),
    });
  return rows;
}
