import type { AuditDbRow } from "@/db/audit/select-audit";
import type { InboxDbRow } from "@/db/inbox/select-inbox";
import type { OutboxDbRow } from "@/db/outbox/select-outbox";
import { SIDES, unfinishedAttempts } from "@/domain/messages/side";
import type { AuditRow } from "@/presentation/views/audit";
import type { InboxRow } from "@/presentation/views/inbox";
import type { MessageRow } from "@/presentation/views/messages";
import type { OutboxRow } from "@/presentation/views/outbox";
import { topicLabel } from "@/domain/messages/topic-label";
import { carrierOf } from "@/engine/outbox/topics";
import { elapsedMs } from "../operations/operation-row";

export type MessageDbRow = OutboxDbRow | InboxDbRow;

/** What both sides keep under names of their own. */
export function sideOf(row: MessageDbRow) {
  return "topic" in row
    ? ({
        side: "outbox",
        place: row.topic,
        began: row.created_at,
        done: row.published_at,
        started: row.attempts,
      } as const)
    : ({
        side: "inbox",
        place: row.consumer,
        began: row.received_at,
        done: row.processed_at,
        started: row.attempts_started,
      } as const);
}

/** Somebody has it now. */
export function isLeased(row: Pick<MessageDbRow, "locked_until" | "at">): boolean {
  return row.locked_until !== null && row.locked_until > row.at;
}

function messageRow(row: MessageDbRow): MessageRow {
  const { side, began, done, started } = sideOf(row);
  return {
    id: row.id,
    type: row.type,
    operationId: row.operation_id ?? undefined,
    attempts: started,
    unfinished: unfinishedAttempts(started, row.attempts_finished, isLeased(row)),
    maxAttempts: SIDES[side].maxAttempts,
    ageMs: elapsedMs(began, row.at),
    lagMs: done === null ? undefined : elapsedMs(began, done),
    nextAttemptAt: row.next_attempt_at ?? undefined,
    owner: row.owner ?? undefined,
    lockedUntil: row.locked_until ?? undefined,
    errorCode: row.last_error_code ?? undefined,
    error: row.last_error ?? undefined,
  };
}

/** @param fallback OUTBOX_TRANSPORT: what carries a topic of which no operator said otherwise */
export function outboxRow(row: OutboxDbRow, fallback = "http"): OutboxRow {
  const { state, topic } = row;
  return {
    ...messageRow(row),
    state,
    topic,
    topicLabel: topicLabel(topic, row.endpoint_url),
    transport: state === "published" ? (row.transport ?? undefined) : carrierOf(topic, row.transport, fallback),
    notification: row.notification,
    aggregateType: row.aggregate_type,
    aggregateId: row.aggregate_id,
    position: row.position.toString(),
    createdAt: row.created_at,
    publishedAt: row.published_at ?? undefined,
    publishedBy: row.published_by ?? undefined,
    paused: row.paused && state === "pending",
    behind: row.behind ?? undefined,
  };
}

export function inboxRow(row: InboxDbRow): InboxRow {
  const { state, consumer, source, duplicates, mismatches, alone } = row;
  return {
    ...messageRow(row),
    state,
    consumer,
    source,
    messageId: row.message_id,
    receivedAt: row.received_at,
    processedAt: row.processed_at ?? undefined,
    result: row.result ?? undefined,
    duplicates,
    mismatches,
    alone,
  };
}

const PAGES: Readonly<Record<string, (id: string) => string>> = {
  operation: (id) => `/operations/${id}`,
  outbox: (id) => `/outbox/${id}`,
  inbox: (id) => `/inbox/${id}`,
  topic: (id) => `/topics/${id}`,
  plan: (id) => `/plans/${id}`,
  retention: () => "/retention",
};

export function auditRow(row: AuditDbRow): AuditRow {
  return {
    id: row.id,
    sequence: row.sequence.toString(),
    at: row.at,
    actorKind: row.actor_kind,
    actorName: row.actor_name,
    // Where the name already is the address, it is not said twice.
    actorEmail: row.actor_email === row.actor_name ? undefined : (row.actor_email ?? undefined),
    action: row.action,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    subjectEmail: row.subject_email ?? undefined,
    href: PAGES[row.subject_type]?.(encodeURIComponent(row.subject_id)),
    reason: row.reason ?? undefined,
  };
}
