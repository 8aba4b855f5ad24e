import type { Queryable } from "@/db/client";
import { selectConsumersOfMessage, selectInboxOfOperation, type InboxDbRow } from "@/db/inbox/select-inbox";
import { selectEntries } from "@/db/evidence/select-entries";
import type { MessageAttemptDbRow } from "@/db/messages/select-message-attempts";
import {
  selectNotificationOfMessage,
  selectNotifications,
  type NotificationDbRow,
} from "@/db/notifications/notifications";
import { selectOperation } from "@/db/operations/select-operation";
import { selectOutboxOfOperation, type OutboxDbRow } from "@/db/outbox/select-outbox";
import { kindOf, type OperationKinds } from "@/domain/operation-kind";
import { moneyView } from "@/presentation/operation/money-view";
import type { MessageContext } from "@/presentation/message/message-context";
import type { AttemptRow, NotificationRow } from "@/presentation/views/messages";
import type { OutboxRow } from "@/presentation/views/outbox";
import { MAIL_TOPIC } from "@/engine/outbox/transports/transports";
import { ledgerRow } from "../operations/operation-parts";
import { elapsedMs, shownState } from "../operations/operation-row";
import { inboxRow, isLeased, outboxRow, sideOf, type MessageDbRow } from "./message-rows";

export interface MessageContextSource {
  readonly tenantId: string;
  readonly here: MessageContext["here"];
  readonly operationId: string | undefined;
  /** The message on the sending side, when it is one of ours. */
  readonly sent?: OutboxDbRow | undefined;
  /** The arrival that the page is about. */
  readonly arrived?: InboxDbRow | undefined;
  readonly at: string;
  readonly fallback: string;
  readonly kinds: OperationKinds;
}

/** Reads what is around one message: its operation, and whatever else that wrote, got, posted and told. */
export async function readMessageContext(q: Queryable, source: MessageContextSource): Promise<MessageContext> {
  const { tenantId, here, sent, arrived, at, fallback, kinds } = source;
  const operation =
    source.operationId === undefined ? undefined : await selectOperation(q, tenantId, source.operationId);
  const { operationId: id, createdAt } = operation ?? {};
  const ofOperation = <Row>(read: (operationId: string) => Promise<Row[]>): Promise<Row[]> | Row[] =>
    id === undefined ? [] : read(id);
  const out = await ofOperation((its) => selectOutboxOfOperation(q, tenantId, its, createdAt ?? at));
  const into = await ofOperation((its) => selectInboxOfOperation(q, tenantId, its));
  const held = sent === undefined ? [] : await selectConsumersOfMessage(q, tenantId, sent.id);
  const notes = await ofOperation((its) => selectNotifications(q, tenantId, its));
  const own = sent === undefined ? undefined : await selectNotificationOfMessage(q, tenantId, sent.id);
  const outbox = unique([...out, sent]).map((row) => outboxRow(row, fallback));
  return {
    at,
    here,
    operation: operation && {
      id: operation.operationId,
      kind: kindOf(kinds, operation.operation).label,
      state: shownState(operation),
      client: operation.client,
      money: moneyView(operation.amountMinor, operation.currency)?.display,
      createdAt: operation.createdAt,
    },
    outbox,
    inbox: unique<InboxDbRow>([...into, ...held, arrived]).map(inboxRow),
    ledger: (await ofOperation((its) => selectEntries(q, tenantId, its))).map(ledgerRow),
    notifications: unique([...notes, own]).map((row) => notificationRow(row, outbox)),
  };
}

/** Each once, the last of its id. */
function unique<Row extends { readonly id: string }>(rows: readonly (Row | undefined)[]): readonly Row[] {
  return [...new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.id, row] as const]))).values()];
}

/** @param outbox messages among which the one is that carries it */
export function notificationRow(row: NotificationDbRow, outbox: readonly OutboxRow[]): NotificationRow {
  const carrier = outbox.find((each) => each.id === row.outboxId);
  return {
    ...row,
    carried: carrier?.state,
    mail: carrier === undefined ? row.kind !== "webhook" : carrier.topic === MAIL_TOPIC,
  };
}

/** Every attempt in order: those that did not succeed are rows of their own, the one that did is on the message itself. */
export function attemptRows(row: MessageDbRow, failed: readonly MessageAttemptDbRow[]): readonly AttemptRow[] {
  const { began, done } = sideOf(row);
  const { attempts: started } = row;
  const rows: AttemptRow[] = [];
  const add = (attempt: Omit<AttemptRow, "afterMs">): void => {
    rows.push({ ...attempt, afterMs: elapsedMs(rows.at(-1)?.at ?? began, attempt.at) });
  };
  failed.forEach(add);
  const publishedBy = "topic" in row ? row.publishedBy : undefined;
  // Closed by a person: it was never sent.
  if (done !== undefined && publishedBy !== "operator")
    add({ number: started, outcome: "succeeded", who: publishedBy, at: done });
  if (row.lockedUntil !== undefined && isLeased(row))
    add({ number: started, outcome: "running", who: row.owner, at: row.lockedUntil });
  return rows;
}
