import { GROUP_SORTS } from "@/domain/lists/filters";
import type { JudgedOutlook } from "@/domain/messages/requeue-outlook";
import type { Judged } from "@/domain/messages/requeue-verdict";
import type { DeadLetterRow } from "@/presentation/views/dead-letters";
import type { InboxRow } from "@/presentation/views/inbox";
import type { OutboxRow } from "@/presentation/views/outbox";
import { ACTION, declareList, SENTENCE, tableColumns } from "./columns";

/** What a requeue of a message would be answered, where it was asked. */
interface Verdict {
  readonly judged: Judged | undefined;
  /** Whether it would get through: of a dead message that a requeue would send or handle again. */
  readonly judgedOutlook: JudgedOutlook | undefined;
}

const VERDICT_FIELDS = {
  verdict: (row: Partial<Verdict>) => row.judged?.verdict,
  safe_to_act: (row: Partial<Verdict>) => row.judged?.why,
  outlook: (row: Partial<Verdict>) => row.judgedOutlook?.outlook,
  outlook_why: (row: Partial<Verdict>) => row.judgedOutlook?.why,
};

const ERROR = { label: "Error code", choice: "off", plain: true, fields: ["error_code"] } as const;
const OPERATION = { label: "Operation", wide: true, roomy: true, choice: "on", fields: ["operation_id"] } as const;
const ATTEMPTS = { label: "Attempts", choice: "on", fields: ["attempts"] } as const;

const SAFE = {
  ...SENTENCE,
  label: "Safe to act?",
  phone: "left",
  fields: ["verdict", "safe_to_act", "outlook", "outlook_why", "error"],
} as const;

export const OUTBOX = declareList<OutboxRow, Verdict>()({
  id: "message_id",
  fields: {
    message_id: (row) => row.id,
    state: (row) => row.state,
    topic: (row) => row.topic,
    transport: (row) => row.transport,
    type: (row) => row.type,
    aggregate_type: (row) => row.aggregateType,
    aggregate_id: (row) => row.aggregateId,
    position: (row) => row.position,
    operation_id: (row) => row.operationId,
    attempts: (row) => row.attempts,
    created_at: (row) => row.createdAt,
    next_attempt_at: (row) => row.nextAttemptAt,
    published_at: (row) => row.publishedAt,
    error_code: (row) => row.errorCode,
    error: (row) => row.error,
    topic_name: (row) => row.topicLabel,
    corrects: (row) => row.corrects,
    corrected_by: (row) => row.correctedBy,
    ...VERDICT_FIELDS,
  },
  columns: {
    state: { label: "State", phone: "left", fields: ["state"] },
    message: { label: "Message", phone: "left", link: true, fields: ["type", "corrects", "corrected_by"] },
    order: {
      label: "Topic and ordering key",
      phone: "full",
      fields: ["topic", "topic_name", "aggregate_type", "aggregate_id", "position"],
    },
    attempts: { ...ATTEMPTS, roomy: true },
    transport: { label: "Transport", choice: "off", plain: true, fields: ["transport"] },
    error: ERROR,
    next: { label: "Next try", align: "right", phone: "right", fields: ["next_attempt_at", "published_at"] },
    age: { label: "Age", align: "right", phone: "right", fields: ["created_at"] },
    safe: SAFE,
    operation: OPERATION,
    act: { ...ACTION, phone: "right" },
  },
});

export const INBOX = declareList<InboxRow, Verdict>()({
  id: "inbox_id",
  fields: {
    inbox_id: (row) => row.id,
    message_id: (row) => row.messageId,
    consumer: (row) => row.consumer,
    source: (row) => row.source,
    type: (row) => row.type,
    state: (row) => row.state,
    operation_id: (row) => row.operationId,
    received_at: (row) => row.receivedAt,
    processed_at: (row) => row.processedAt,
    result: (row) => row.result,
    duplicates: (row) => row.duplicates,
    mismatches: (row) => row.mismatches,
    attempts: (row) => row.attempts,
    next_attempt_at: (row) => row.nextAttemptAt,
    error_code: (row) => row.errorCode,
    error: (row) => row.error,
    ...VERDICT_FIELDS,
  },
  columns: {
    state: { label: "State", phone: "left", fields: ["state"] },
    message: { label: "Message", phone: "left", fields: ["type", "message_id"] },
    from: { label: "Consumer, source", phone: "left", link: true, fields: ["consumer", "source"] },
    arrivals: { label: "Received", align: "right", wide: true, choice: "on", fields: ["duplicates", "mismatches"] },
    attempts: { ...ATTEMPTS, roomy: true },
    result: { label: "Result", choice: "off", plain: true, fields: ["result"] },
    error: ERROR,
    next: { label: "Next try", align: "right", phone: "right", fields: ["next_attempt_at"] },
    age: { label: "Age or lag", align: "right", phone: "right", fields: ["received_at", "processed_at"] },
    safe: SAFE,
    operation: OPERATION,
    act: { ...ACTION, phone: "right" },
  },
});

export const DEAD_LETTERS = declareList<DeadLetterRow, Verdict & { readonly placeName: string }>()({
  id: "dead_letter_id",
  fields: {
    dead_letter_id: (row) => row.id,
    side: (row) => row.side,
    message_id: (row) => row.messageId,
    place: (row) => row.place,
    type: (row) => row.type,
    operation_id: (row) => row.operationId,
    error_code: (row) => row.errorCode,
    error: (row) => row.error,
    attempts: (row) => row.attempts,
    dead_at: (row) => row.deadAt,
    settlement: (row) => row.settlement,
    corrected_by: (row) => row.correctedBy,
    settled_at: (row) => row.requeuedAt,
    settled_by: (row) => row.requeuedBy,
    reason: (row) => row.reason,
    place_name: (row) => row.placeName,
    ...VERDICT_FIELDS,
  },
  columns: {
    message: {
      label: "Message",
      phone: "left",
      link: true,
      wrap: true,
      fields: ["side", "place", "place_name", "type", "message_id"],
    },
    operation: OPERATION,
    attempts: { ...ATTEMPTS, align: "right", plain: true },
    since: { label: "Dead for", align: "right", phone: "right", fields: ["dead_at"] },
    safe: {
      label: "Safe to requeue? Will it succeed?",
      ...SENTENCE,
      fields: ["verdict", "safe_to_act", "outlook", "outlook_why", "error_code", "error"],
    },
    act: { ...ACTION, fields: ["settlement", "settled_at", "settled_by", "corrected_by"] },
  },
});

/** The causes above the dead letters: no file has them. */
export const CAUSES = tableColumns(
  {
    cause: { label: "What stopped them", phone: "left", link: true, wrap: true },
    count: { label: "Open", align: "right", phone: "right", sort: { by: "count" } },
    safe: { label: "Safe to requeue? Will it succeed?", ...SENTENCE },
    operations: { label: "Operations", align: "right", wide: true },
    attempts: { label: "Attempts", align: "right", wide: true },
    first: { label: "First", align: "right" },
    last: { label: "Last", align: "right", sort: { by: "last" } },
  },
  GROUP_SORTS,
);
