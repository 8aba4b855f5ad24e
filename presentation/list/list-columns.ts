import type { ViewPage } from "./saved-view";

/** A column of a list: what its chooser offers, and what it is in a file. */
export interface ListColumn {
  readonly id: string;
  /** May be hidden: shown until somebody hides it, or hidden until somebody asks for it. Without it, always there. */
  readonly choice?: "on" | "off";
  /** Columns of a file that say the same; none for buttons. */
  readonly fields: readonly string[];
}

interface ListFields {
  /** Column of a file by which a row is found again: in every file, first. */
  readonly id: string;
  readonly columns: readonly ListColumn[];
}

const MONEY = ["amount", "currency"] as const;
const VERDICT = ["verdict", "safe_to_act"] as const;
const CHAIN = { id: "chain", choice: "on", fields: ["chain"] } as const;
const ANSWERS = { id: "answers", choice: "on", fields: ["requests", "answers"] } as const;
const NAMES = [
  { id: "client", choice: "off", fields: ["client"] },
  { id: "account", choice: "off", fields: ["account"] },
  { id: "reference", choice: "off", fields: ["reference"] },
] as const;

/** The columns of every list in their order: the one allow-list of its column chooser and of its exports. */
export const LIST_COLUMNS = {
  operations: {
    id: "operation_id",
    columns: [
      { id: "state", fields: ["state"] },
      { id: "what", fields: ["operation", "key"] },
      ...NAMES,
      { id: "error", choice: "off", fields: ["error_code"] },
      { id: "amount", choice: "on", fields: MONEY },
      CHAIN,
      ANSWERS,
      { id: "age", fields: ["created_at"] },
    ],
  },
  attention: {
    id: "operation_id",
    columns: [
      { id: "state", fields: ["state"] },
      { id: "operation", fields: ["operation", "key"] },
      { id: "amount", fields: MONEY },
      { id: "for", fields: ["doubt_since"] },
      ...NAMES,
      CHAIN,
      ANSWERS,
      { id: "known", fields: ["known", "checks", "last_finding", "next_check_at", "assigned_to"] },
      { id: "act", fields: [] },
    ],
  },
  // Shown as groups: its files have one shape.
  conflicts: { id: "event_id", columns: [] },
  outbox: {
    id: "message_id",
    columns: [
      { id: "state", fields: ["state"] },
      { id: "message", fields: ["type"] },
      { id: "order", fields: ["topic", "topic_name", "aggregate_type", "aggregate_id", "position"] },
      { id: "attempts", choice: "on", fields: ["attempts"] },
      { id: "transport", choice: "off", fields: ["transport"] },
      { id: "error", choice: "off", fields: ["error_code"] },
      { id: "next", fields: ["next_attempt_at", "published_at"] },
      { id: "age", fields: ["created_at"] },
      { id: "safe", fields: [...VERDICT, "error"] },
      { id: "operation", choice: "on", fields: ["operation_id"] },
      { id: "act", fields: [] },
    ],
  },
  inbox: {
    id: "inbox_id",
    columns: [
      { id: "state", fields: ["state"] },
      { id: "message", fields: ["type", "message_id"] },
      { id: "from", fields: ["consumer", "source"] },
      { id: "arrivals", choice: "on", fields: ["duplicates", "mismatches"] },
      { id: "attempts", choice: "on", fields: ["attempts"] },
      { id: "result", choice: "off", fields: ["result"] },
      { id: "error", choice: "off", fields: ["error_code"] },
      { id: "next", fields: ["next_attempt_at"] },
      { id: "age", fields: ["received_at", "processed_at"] },
      { id: "safe", fields: [...VERDICT, "error"] },
      { id: "operation", choice: "on", fields: ["operation_id"] },
      { id: "act", fields: [] },
    ],
  },
  "dead-letters": {
    id: "dead_letter_id",
    columns: [
      { id: "message", fields: ["side", "place", "place_name", "type", "message_id"] },
      { id: "operation", choice: "on", fields: ["operation_id"] },
      { id: "attempts", choice: "on", fields: ["attempts"] },
      { id: "since", fields: ["dead_at"] },
      { id: "safe", fields: [...VERDICT, "error_code", "error"] },
      { id: "act", fields: ["settlement", "settled_at", "settled_by"] },
    ],
  },
  plans: {
    id: "plan_id",
    columns: [
      { id: "state", fields: ["state"] },
      { id: "what", fields: ["kind", "scope", "reason"] },
      { id: "progress", choice: "on", fields: ["started_at", "ended_at"] },
      { id: "rows", fields: ["rows"] },
      { id: "by", choice: "on", fields: ["created_by"] },
      { id: "age", fields: ["created_at"] },
    ],
  },
  audit: {
    id: "entry_id",
    columns: [
      { id: "at", fields: ["at"] },
      { id: "who", fields: ["actor_kind", "actor", "actor_email"] },
      { id: "action", fields: ["action"] },
      { id: "subject", choice: "on", fields: ["subject_type", "subject_id"] },
      { id: "reason", choice: "on", fields: ["reason"] },
      { id: "sequence", choice: "off", fields: ["sequence"] },
    ],
  },
} as const satisfies Record<ViewPage, ListFields>;

export type ListColumnId<Page extends ViewPage> = (typeof LIST_COLUMNS)[Page]["columns"][number]["id"];

function columnsOf(page: ViewPage): readonly ListColumn[] {
  return LIST_COLUMNS[page].columns;
}

/** @returns whether a column may be hidden, and whether it is shown at first */
export function choiceOf(page: ViewPage, id: string): ListColumn["choice"] {
  return columnsOf(page).find((column) => column.id === id)?.choice;
}

/** @returns ids that an export of the list may name, in the list's order: all that say something in a file */
export function exportableColumns(page: ViewPage): readonly string[] {
  return columnsOf(page).flatMap(({ id, fields }) => (fields.length === 0 ? [] : [id]));
}

/**
 * The columns of a file that holds these columns of a list: what names its row, then each in the list's order.
 *
 * @param ids of `exportableColumns`
 */
export function fieldsOf(page: ViewPage, ids: readonly string[]): readonly string[] {
  const named = columnsOf(page).flatMap(({ id, fields }) => (ids.includes(id) ? fields : []));
  return [...new Set([LIST_COLUMNS[page].id, ...named])];
}
