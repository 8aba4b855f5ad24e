import type { ExportCell } from "@/presentation/list/export-writer";
import { selectDeadLetters } from "@/db/messages/select-dead-letters";
import { selectInbox, type InboxDbRow } from "@/db/inbox/select-inbox";
import { selectOutbox, type OutboxDbRow } from "@/db/outbox/select-outbox";
import type { DeadLetterDbRow } from "@/db/messages/dead-letters";
import type { Judged } from "@/domain/messages/requeue-verdict";
import { judgeDeadLetters } from "@/console/plans/judge-dead-letters";
import { endpointLabels } from "@/console/read/messages/endpoint-labels";
import { judgeRow, readDeadFacts } from "@/console/read/messages/judged-rows";
import { outboxRow } from "@/console/read/messages/message-rows";
import { wants, type ListSource } from "./list-source";
import type { DeadLetterFilters, InboxFilters, OutboxFilters } from "@/domain/lists/filters";

/** A row of a list with what a requeue of it would be answered, where a file wants that. */
interface JudgedRow<Row> {
  readonly row: Row;
  readonly judged: Judged | undefined;
}

const VERDICT = ["verdict", "safe_to_act"] as const;
const verdictCells = (judged: Judged | undefined): readonly ExportCell[] => [
  judged?.verdict ?? null,
  judged?.why ?? null,
];

/** The list of the outbox: what is open, or what was published. @param fallback OUTBOX_TRANSPORT */
export function outboxSource(
  tenantId: string,
  filters: OutboxFilters,
  fallback: "http" | "nats" | "rabbitmq",
): ListSource<JudgedRow<OutboxDbRow>> {
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
      "topic_name",
      ...VERDICT,
    ],
    direction: published ? "desc" : "asc",
    async read(q, page, wanted) {
      const rows = await selectOutbox(q, tenantId, filters, page, fallback);
      if (!wants(wanted, ...VERDICT)) return rows.map((row) => ({ row, judged: undefined }));
      const dead = await readDeadFacts(q, tenantId, "outbox", rows);
      return rows.map((row) => ({ row, judged: judgeRow(row, dead) }));
    },
    place: ({ row }) => ({ value: row.sort_value, id: published ? row.id : row.position.toString() }),
    cells: ({ row, judged }) => {
      const { transport, topicLabel } = outboxRow(row, fallback);
      return [
        row.id,
        row.state,
        row.topic,
        transport ?? null,
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
        topicLabel,
        ...verdictCells(judged),
      ];
    },
  };
}

/** The list of the inbox: one row for each message and consumer, not for each arrival. */
export function inboxSource(tenantId: string, filters: InboxFilters): ListSource<JudgedRow<InboxDbRow>> {
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
      ...VERDICT,
    ],
    direction: "desc",
    async read(q, page, wanted) {
      const rows = await selectInbox(q, tenantId, filters, page);
      if (!wants(wanted, ...VERDICT)) return rows.map((row) => ({ row, judged: undefined }));
      const dead = await readDeadFacts(q, tenantId, "inbox", rows);
      return rows.map((row) => ({ row, judged: judgeRow(row, dead) }));
    },
    place: ({ row }) => ({ value: row.received_at, id: row.id }),
    cells: ({ row, judged }) => [
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
      ...verdictCells(judged),
    ],
  };
}

interface NamedDeadLetter extends JudgedRow<DeadLetterDbRow> {
  /** Topic or consumer for people. */
  readonly name: string;
}

/** Dead letters of all causes of a filter, newest first. */
export function deadLettersSource(tenantId: string, filters: DeadLetterFilters): ListSource<NamedDeadLetter> {
  let named: ((topic: string) => string) | undefined;
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
      "place_name",
      ...VERDICT,
    ],
    direction: "desc",
    async read(q, page, wanted) {
      const rows = await selectDeadLetters(q, tenantId, filters, page);
      const nameOf = (named ??= await endpointLabels(q, tenantId));
      const judged = wants(wanted, ...VERDICT) ? await judgeDeadLetters(q, tenantId, "requeue", rows) : undefined;
      return rows.map((row) => ({ row, judged: judged?.get(row.id), name: nameOf(row.place) }));
    },
    place: ({ row }) => ({ value: row.dead_at, id: row.id }),
    cells: ({ row, judged, name }) => [
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
      name,
      ...verdictCells(judged),
    ],
  };
}
