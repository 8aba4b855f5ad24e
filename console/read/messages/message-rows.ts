import type { AuditDbRow } from "@/db/audit/select-audit";
import type { InboxDbRow } from "@/db/inbox/select-inbox";
import type { OutboxDbRow } from "@/db/outbox/select-outbox";
import type { AuditRow } from "@/presentation/views/audit";
import type { InboxRow } from "@/presentation/views/inbox";
import type { OutboxRow } from "@/presentation/views/outbox";
import { topicLabel } from "@/domain/messages/topic-label";
import { SIDES } from "@/domain/messages/side";
import { carrierOf } from "@/engine/outbox/topics";
import { elapsedMs } from "../operations/operation-row";

/** @param fallback OUTBOX_TRANSPORT: what carries a topic of which no operator said otherwise */
export function outboxRow(row: OutboxDbRow, fallback = "http"): OutboxRow {
  const published = row.state === "published";
  return {
    id: row.id,
    state: row.state,
    topic: row.topic,
    topicLabel: topicLabel(row.topic, row.endpoint_url),
    transport: published ? (row.transport ?? undefined) : carrierOf(row.topic, row.transport, fallback),
    notification: row.notification,
    type: row.type,
    aggregateType: row.aggregate_type,
    aggregateId: row.aggregate_id,
    position: row.position.toString(),
    operationId: row.operation_id ?? undefined,
    attempts: row.attempts,
    unfinished: unfinished(row.attempts, row),
    maxAttempts: SIDES.outbox.maxAttempts,
    createdAt: row.created_at,
    ageMs: elapsedMs(row.created_at, row.at),
    publishedAt: row.published_at ?? undefined,
    publishedBy: row.published_by ?? undefined,
    lagMs: row.published_at === null ? undefined : elapsedMs(row.created_at, row.published_at),
    nextAttemptAt: row.next_attempt_at ?? undefined,
    owner: row.owner ?? undefined,
    lockedUntil: row.locked_until ?? undefined,
    errorCode: row.last_error_code ?? undefined,
    error: row.last_error ?? undefined,
    paused: row.paused && row.state === "pending",
    behind: row.behind ?? undefined,
  };
}

/** Started attempts that never ended: their process died, or was taken from them. One under way is none. */
export function unfinished(
  started: number,
  row: Pick<OutboxDbRow, "attempts_finished" | "locked_until" | "at">,
): number {
  const held = row.locked_until !== null && row.locked_until > row.at ? 1 : 0;
  return Math.max(0, started - row.attempts_finished - held);
}

export function inboxRow(row: InboxDbRow): InboxRow {
  return {
    id: row.id,
    consumer: row.consumer,
    source: row.source,
    messageId: row.message_id,
    type: row.type,
    state: row.state,
    operationId: row.operation_id ?? undefined,
    receivedAt: row.received_at,
    ageMs: elapsedMs(row.received_at, row.at),
    processedAt: row.processed_at ?? undefined,
    lagMs: row.processed_at === null ? undefined : elapsedMs(row.received_at, row.processed_at),
    result: row.result ?? undefined,
    duplicates: row.duplicates,
    mismatches: row.mismatches,
    attempts: row.attempts_started,
    unfinished: unfinished(row.attempts_started, row),
    maxAttempts: SIDES.inbox.maxAttempts,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    owner: row.owner ?? undefined,
    lockedUntil: row.locked_until ?? undefined,
    errorCode: row.last_error_code ?? undefined,
    error: row.last_error ?? undefined,
    alone: row.alone,
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
