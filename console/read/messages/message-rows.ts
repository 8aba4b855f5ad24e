import { shownName } from "@/domain/plain-text";
import type { AuditDbRow } from "@/db/audit/select-audit";
import { only } from "@/db/query";
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
    ? ({ side: "outbox", place: row.topic, began: row.createdAt, done: row.publishedAt } as const)
    : ({ side: "inbox", place: row.consumer, began: row.receivedAt, done: row.processedAt } as const);
}

/** Somebody has it now. */
export function isLeased({ lockedUntil, at }: Pick<MessageDbRow, "lockedUntil" | "at">): boolean {
  return lockedUntil !== undefined && lockedUntil > at;
}

function messageRow(row: MessageDbRow): MessageRow {
  const { side, began, done } = sideOf(row);
  return {
    ...only(
      row,
      "id",
      "type",
      "operationId",
      "attempts",
      "nextAttemptAt",
      "owner",
      "lockedUntil",
      "errorCode",
      "error",
    ),
    unfinished: unfinishedAttempts(row.attempts, row.attemptsFinished, isLeased(row)),
    maxAttempts: SIDES[side].maxAttempts,
    ageMs: elapsedMs(began, row.at),
    lagMs: done === undefined ? undefined : elapsedMs(began, done),
  };
}

/** @param fallback OUTBOX_TRANSPORT: what carries a topic of which no operator said otherwise */
export function outboxRow(row: OutboxDbRow, fallback = "http"): OutboxRow {
  const { state, topic, transport } = row;
  return {
    ...messageRow(row),
    ...only(row, "state", "topic", "notification", "aggregateType", "aggregateId"),
    ...only(row, "createdAt", "publishedAt", "publishedBy", "behind", "corrects", "correctedBy"),
    topicLabel: topicLabel(topic, row.endpointUrl),
    transport: state === "published" ? transport : carrierOf(topic, transport, fallback),
    position: row.position.toString(),
    paused: row.paused && state === "pending",
  };
}

export function inboxRow(row: InboxDbRow): InboxRow {
  return {
    ...messageRow(row),
    ...only(row, "state", "consumer", "source", "messageId", "receivedAt", "processedAt", "result"),
    ...only(row, "duplicates", "mismatches", "alone"),
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
  const { actorName, actorEmail, subjectType, subjectId } = row;
  return {
    ...only(row, "id", "sequence", "at", "actorKind", "action"),
    actorName: shownName(actorName),
    ...only(row, "subjectType", "subjectId", "subjectEmail", "reason"),
    // Where the name already is the address, it is not said twice.
    actorEmail: actorEmail === actorName ? undefined : actorEmail,
    href: PAGES[subjectType]?.(encodeURIComponent(subjectId)),
  };
}
