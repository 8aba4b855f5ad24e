import type { Queryable } from "@/db/client";
import type { InboxDbRow } from "@/db/inbox/select-inbox";
import type { OutboxDbRow } from "@/db/outbox/select-outbox";
import { outageOf } from "@/domain/messages/outage";
import {
  judgeAlive,
  judgeDiscard,
  judgeRequeue,
  type DeadLetterFacts,
  type Judged,
  type RowFacts,
} from "@/domain/messages/requeue-verdict";
import { hintOf } from "@/presentation/message/safe-to-act";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import { messageFacts } from "@/console/actions/dead-letter-facts";
import { inboxRow, outboxRow, unfinished } from "./message-rows";

/** Rows that were read, with the facts of those of them that are dead: only there more than the row decides. */
export interface ReadRows<Row> {
  readonly rows: readonly Row[];
  readonly dead: ReadonlyMap<string, DeadLetterFacts>;
}

/** One statement more where a row is dead, none otherwise. */
export async function withDeadFacts<Row extends { readonly id: string; readonly state: string }>(
  q: Queryable,
  tenantId: string,
  side: "outbox" | "inbox",
  rows: readonly Row[],
): Promise<ReadRows<Row>> {
  const ids = rows.flatMap((row) => (row.state === "dead" ? [row.id] : []));
  const found = await messageFacts(q, tenantId, side, ids);
  return { rows, dead: new Map([...found].map(([id, { facts }]) => [id, facts])) };
}

/** @param fallback OUTBOX_TRANSPORT */
export function judgedOutboxRow(row: OutboxDbRow, dead: ReadRows<unknown>["dead"], fallback = "http"): JudgedOutboxRow {
  return { ...outboxRow(row, fallback), ...hintOf(judgeOutboxRow(row, dead), row.state) };
}

export function judgedInboxRow(row: InboxDbRow, dead: ReadRows<unknown>["dead"]): JudgedInboxRow {
  return { ...inboxRow(row), ...hintOf(judgeInboxRow(row, dead), row.state) };
}

/** What a requeue of it would be answered, from what was read for a list. */
export function judgeOutboxRow(row: OutboxDbRow, dead: ReadRows<unknown>["dead"]): Judged {
  return judgeAlive(outboxFactsOf(row)) ?? judgeRequeue(dead.get(row.id));
}

export function judgeInboxRow(row: InboxDbRow, dead: ReadRows<unknown>["dead"]): Judged {
  return judgeAlive(inboxFactsOf(row)) ?? judgeRequeue(dead.get(row.id));
}

/** Both answers that the page of one message is about. */
export async function judgeMessage(
  q: Queryable,
  tenantId: string,
  side: "outbox" | "inbox",
  id: string,
): Promise<{ readonly requeue: Judged; readonly discard: Judged }> {
  const facts = (await messageFacts(q, tenantId, side, [id])).get(id)?.facts;
  return { requeue: judgeRequeue(facts), discard: judgeDiscard(facts) };
}

function outboxFactsOf(row: OutboxDbRow): RowFacts {
  return {
    side: "outbox",
    state: row.state,
    place: row.topic,
    ...leaseOf(row),
    publishedAt: row.published_at ?? undefined,
    paused: row.paused,
    outage: outageOf(row.last_error_code),
  };
}

function inboxFactsOf(row: InboxDbRow): RowFacts {
  return {
    side: "inbox",
    state: row.state,
    place: row.consumer,
    ...leaseOf(row),
    processedAt: row.processed_at ?? undefined,
    result: row.result ?? undefined,
    mismatches: row.mismatches,
    unfinished: unfinished(row.attempts_started, row),
  };
}

function leaseOf(row: Pick<OutboxDbRow, "locked_until" | "at">): Pick<RowFacts, "leased" | "lockedUntil"> {
  return { leased: row.locked_until !== null && row.locked_until > row.at, lockedUntil: row.locked_until ?? undefined };
}
