import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
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
import { unfinishedAttempts, type MessageSide } from "@/domain/messages/side";
import { hintOf } from "@/presentation/message/safe-to-act";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import { messageFacts } from "@/console/actions/dead-letter-facts";
import { inboxRow, isLeased, outboxRow, sideOf, type MessageDbRow } from "./message-rows";

/** Facts of dead messages by id: only of those more than the row decides. */
export type DeadFacts = ReadonlyMap<string, DeadLetterFacts>;

/** One statement where a row is dead, none otherwise. */
export async function readDeadFacts(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  rows: readonly { readonly id: string; readonly state: string }[],
): Promise<DeadFacts> {
  const ids = rows.flatMap((row) => (row.state === "dead" ? [row.id] : []));
  const found = await messageFacts(q, tenantId, side, ids);
  return new Map([...found].map(([id, { facts }]) => [id, facts]));
}

/** @param fallback OUTBOX_TRANSPORT */
export function judgedOutboxRow(row: OutboxDbRow, dead: DeadFacts, fallback = "http"): JudgedOutboxRow {
  return { ...outboxRow(row, fallback), ...hintOf(judgeRow(row, dead), row.state) };
}

export function judgedInboxRow(row: InboxDbRow, dead: DeadFacts): JudgedInboxRow {
  return { ...inboxRow(row), ...hintOf(judgeRow(row, dead), row.state) };
}

/** What a requeue of it would be answered, from what was read for a list. */
export function judgeRow(row: MessageDbRow, dead: DeadFacts): Judged {
  return judgeAlive(factsOf(row)) ?? judgeRequeue(dead.get(row.id));
}

/** Both answers that the page of one message is about. */
export async function judgeMessage(
  q: Queryable,
  tenantId: string,
  side: MessageSide,
  id: string,
): Promise<{ readonly requeue: Judged; readonly discard: Judged }> {
  const facts = (await messageFacts(q, tenantId, side, [id])).get(id)?.facts;
  return { requeue: judgeRequeue(facts), discard: judgeDiscard(facts) };
}

function factsOf(row: MessageDbRow): RowFacts {
  const leased = isLeased(row);
  const shared = { place: sideOf(row).place, leased, lockedUntil: row.lockedUntil };
  if ("topic" in row) {
    const outage = outageOf(row.errorCode);
    return { side: "outbox", ...shared, ...only(row, "state", "paused", "publishedAt"), outage };
  }
  const unfinished = unfinishedAttempts(row.attempts, row.attemptsFinished, leased);
  return { side: "inbox", ...shared, ...only(row, "state", "processedAt", "result", "mismatches"), unfinished };
}
