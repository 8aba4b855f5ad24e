import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import type { InboxDbRow } from "@/db/inbox/select-inbox";
import type { OutboxDbRow } from "@/db/outbox/select-outbox";
import { outageOf } from "@/domain/messages/outage";
import { judgeAlive, judgeDiscard, judgeRequeue } from "@/domain/messages/judge-message";
import type { DeadLetterFacts, Judged, RowFacts } from "@/domain/messages/requeue-verdict";
import { unfinishedAttempts, type MessageSide } from "@/domain/messages/side";
import type { JudgedOutlook } from "@/domain/messages/requeue-outlook";
import { hintOf } from "@/presentation/message/safe-to-act";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import { messageFacts } from "@/console/actions/dead-letter-facts";
import { readOutlooks, type Outlooks } from "./outlooks";
import { inboxRow, isLeased, outboxRow, sideOf, type MessageDbRow } from "./message-rows";
import type { Opening } from "@/engine/messages/sealed-message";

/** Facts of dead messages by id, and whether they would get through: only of those more than the row decides. */
export interface DeadFacts {
  readonly facts: ReadonlyMap<string, DeadLetterFacts>;
  readonly outlooks: Outlooks;
}

/** Few statements where a row is dead, none otherwise. */
export async function readDeadFacts(
  q: Queryable,
  ctx: Opening,
  side: MessageSide,
  rows: readonly { readonly id: string; readonly state: string }[],
): Promise<DeadFacts> {
  const ids = rows.flatMap((row) => (row.state === "dead" ? [row.id] : []));
  const found = await messageFacts(q, ctx, side, ids);
  return {
    facts: new Map([...found].map(([id, { facts }]) => [id, facts])),
    outlooks: await readOutlooks(q, ctx.tenantId, side, ids),
  };
}

/** @param fallback OUTBOX_TRANSPORT */
export function judgedOutboxRow(row: OutboxDbRow, dead: DeadFacts, fallback = "http"): JudgedOutboxRow {
  return { ...outboxRow(row, fallback), ...hintOf(judgeRow(row, dead), row.state, dead.outlooks.get(row.id)) };
}

export function judgedInboxRow(row: InboxDbRow, dead: DeadFacts): JudgedInboxRow {
  return { ...inboxRow(row), ...hintOf(judgeRow(row, dead), row.state, dead.outlooks.get(row.id)) };
}

/** Both judgements of a row as a file says them; none where they were not read. */
export function judgedOf(
  row: MessageDbRow,
  dead: DeadFacts | undefined,
): { readonly judged: Judged | undefined; readonly judgedOutlook: JudgedOutlook | undefined } {
  const judged = dead && judgeRow(row, dead);
  return { judged, judgedOutlook: judged?.act === "requeue" ? dead?.outlooks.get(row.id) : undefined };
}

/** What a requeue of it would be answered, from what was read for a list. */
function judgeRow(row: MessageDbRow, dead: DeadFacts): Judged {
  return judgeAlive(factsOf(row)) ?? judgeRequeue(dead.facts.get(row.id));
}

/** Both answers that the page of one message is about. */
export async function judgeMessage(
  q: Queryable,
  ctx: Opening,
  side: MessageSide,
  id: string,
): Promise<{ readonly requeue: Judged; readonly discard: Judged; readonly outlook: JudgedOutlook | undefined }> {
  const facts = (await messageFacts(q, ctx, side, [id])).get(id)?.facts;
  const outlook = facts?.state === "dead" ? (await readOutlooks(q, ctx.tenantId, side, [id])).get(id) : undefined;
  return { requeue: judgeRequeue(facts), discard: judgeDiscard(facts), outlook };
}

function factsOf(row: MessageDbRow): RowFacts {
  const leased = isLeased(row);
  const shared = { place: sideOf(row).place, leased, lockedUntil: row.lockedUntil };
  if ("topic" in row) {
    const outage = outageOf(row.errorCode);
    const behind = row.behindState === "dead" ? "dead" : row.behindState === undefined ? undefined : "pending";
    return {
      side: "outbox",
      ...shared,
      ...only(row, "state", "paused", "publishedAt", "endpoint", "correctedBy"),
      outage,
      behind,
    };
  }
  const unfinished = unfinishedAttempts(row.attempts, row.attemptsFinished, leased);
  return { side: "inbox", ...shared, ...only(row, "state", "processedAt", "result", "mismatches"), unfinished };
}
