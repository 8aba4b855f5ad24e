import { cutMiddle } from "@/presentation/format/cut-middle";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import type { RequeueFacts } from "./requeue-dialog";

type Outbox = Pick<
  JudgedOutboxRow,
  "id" | "state" | "aggregateType" | "aggregateId" | "topicLabel" | "safe" | "requeueNot"
>;
type Inbox = Pick<JudgedInboxRow, "id" | "state" | "consumer" | "safe" | "requeueNot">;

/** @returns what its dialog says of one message on its way out */
export function outboxRequeue(row: Outbox): RequeueFacts {
  const line = `${row.aggregateType} ${cutMiddle(row.aggregateId)}`;
  return { id: row.id, line, place: row.topicLabel, safe: row.safe.text, whyNot: row.requeueNot };
}

/** @returns what its dialog says of one message that arrived */
export function inboxRequeue(row: Inbox): RequeueFacts {
  return { id: row.id, place: row.consumer, safe: row.safe.text, whyNot: row.requeueNot };
}

/** @returns what the dialogs of a list say; only dead messages have one */
export function outboxRequeues(rows: readonly Outbox[]): readonly RequeueFacts[] {
  return rows.filter(({ state }) => state === "dead").map(outboxRequeue);
}

export function inboxRequeues(rows: readonly Inbox[]): readonly RequeueFacts[] {
  return rows.filter(({ state }) => state === "dead").map(inboxRequeue);
}
