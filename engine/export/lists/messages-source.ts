import { selectDeadLetters } from "@/db/queries/console/select-dead-letters";
import { selectInbox, type InboxDbRow } from "@/db/queries/console/select-inbox";
import { selectOutbox, type OutboxDbRow } from "@/db/queries/console/select-outbox";
import type { LetterRow } from "@/db/queries/dead-letters/letter";
import type { DeadLetterFilters } from "@/domain/filters/dead-letters";
import type { InboxFilters } from "@/domain/filters/inbox";
import type { OutboxFilters } from "@/domain/filters/outbox";
import { outboxRow } from "../../read/message-rows";
import type { ListSource } from "./list-source";

/** The list of the outbox: what is open, or what was published. @param fallback OUTBOX_TRANSPORT */
export function outboxSource(
  tenantId: string,
  filters: OutboxFilters,
  fallback: "http" | "nats" | "rabbitmq",
): ListSource<OutboxDbRow> {
  const published = filters.state === "published";
  return {
    columns: [
      "message_id",
      "state",
      "topic",
      "transport",
      "type",
      "aggregate_type",
      "aggregate_id",
      "position",
      "operation_id",
      "attempts",
      "created_at",
      "next_attempt_at",
      "published_at",
      "error_code",
      "error",
    ],
    direction: published ? "desc" : "asc",
    read: (q, page) => selectOutbox(q, tenantId, filters, page, fallback),
    place: (row) => ({ value: row.sort_value, id: published ? row.id : row.position.toString() }),
    cells: (row) => [
      row.id,
      row.state,
      row.topic,
      outboxRow(row, fallback).transport ?? null,
      row.type,
      row.aggregate_type,
      row.aggregate_id,
      row.position.toString(),
      row.operation_id,
      row.attempts,
      row.created_at,
      row.next_attempt_at,
      row.published_at,
      row.last_error_code,
      row.last_error,
    ],
  };
}

/** The list of the inbox: one row for each message and consumer, not for each arrival. */
export function inboxSource(tenantId: string, filters: InboxFilters): ListSource<InboxDbRow> {
  return {
    columns: [
      "inbox_id",
      "message_id",
      "consumer",
      "source",
      "type",
      "state",
      "operation_id",
      "received_at",
      "processed_at",
      "result",
      "duplicates",
      "mismatches",
      "attempts",
      "next_attempt_at",
      "error_code",
      "error",
    ],
    direction: "desc",
    read: (q, page) => selectInbox(q, tenantId, filters, page),
    place: (row) => ({ value: row.received_at, id: row.id }),
    cells: (row) => [
      row.id,
      row.message_id,
      row.consumer,
      row.source,
      row.type,
      row.state,
      row.operation_id,
      row.received_at,
      row.processed_at,
      row.result,
      row.duplicates,
      row.mismatches,
      row.attempts_started,
      row.next_attempt_at,
      row.last_error_code,
      row.last_error,
    ],
  };
}

/** Dead letters of all causes of a filter, newest first. */
export function deadLettersSource(tenantId: string, filters: DeadLetterFilters): ListSource<LetterRow> {
  return {
    columns: [
      "dead_letter_id",
      "side",
      "message_id",
      "place",
      "type",
      "operation_id",
      "error_code",
      "error",
      "attempts",
      "dead_at",
      "settlement",
      "settled_at",
      "settled_by",
      "reason",
    ],
    direction: "desc",
    read: (q, page) => selectDeadLetters(q, tenantId, filters, page),
    place: (row) => ({ value: row.dead_at, id: row.id }),
    cells: (row) => [
      row.id,
      row.side,
      row.message_row_id,
      row.place,
      row.type,
      row.operation_id,
      row.error_code,
      row.error,
      row.attempts,
      row.dead_at,
      row.settlement,
      row.settled_at,
      row.settled_by,
      row.reason,
    ],
  };
}
