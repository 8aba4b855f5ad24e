import { createHash } from "node:crypto";
import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import {
  inboxFacts,
  type InboxFactsRow,
  outboxEnvelopes,
  outboxFacts,
  type OutboxFactsRow,
} from "@/db/messages/dead-letter-facts";
import { outageOf } from "@/domain/messages/outage";
import { unfinishedAttempts } from "@/domain/messages/side";
import { isForeign, type DeadLetterFacts, type InboxFacts, type OutboxFacts } from "@/domain/messages/requeue-verdict";
import { outboxBody } from "@/engine/outbox/envelope";
import type { Opening } from "@/engine/messages/sealed-message";
import { openPayload } from "@/engine/outbox/sealed-payload";
import { OWN_SOURCE } from "@/engine/inbox/event-source";

/** Messages whose facts one statement reads. */
const FACTS_BATCH = 1_000;
/** Whole messages that are in memory at once, for their hashes. */
const ENVELOPE_BATCH = 100;
/** Messages that are looked for in the history at once. */
const PUBLISHED_EFFECTS = 20;
const UNKNOWN = "UNKNOWN_REQUIRES_RECOVERY";

/** Facts of one message, with what the audit says it was before. */
export interface DeadLetterFactsRow {
  readonly facts: DeadLetterFacts;
  readonly before: Readonly<Record<string, unknown>>;
  /** Rows of our inboxes that hold it. */
  readonly evidence: readonly { readonly inboxId: string; readonly consumer: string; readonly state: string }[];
}

/**
 * What {@link import("@/domain/messages/requeue-verdict").judgeRequeue} judges, for any number of messages of one side in few statements.
 * @param ids of outbox or inbox rows
 * @returns by id; a message that is gone has none
 */
export async function messageFacts(
  q: Queryable,
  ctx: Opening,
  side: "outbox" | "inbox",
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeadLetterFactsRow>> {
  const found = new Map<string, DeadLetterFactsRow>();
  const { tenantId } = ctx;
  for (const batch of inBatches(ids, FACTS_BATCH)) {
    if (side === "inbox") {
      for (const row of await inboxFacts(q, tenantId, batch)) found.set(row.id, ofInbox(row));
      continue;
    }
    const rows = await outboxRows(q, tenantId, batch);
    const held = rows.filter((row) => row.holding.length > 0 && row.state !== "published").map((row) => row.id);
    const hashes = await hashesOf(q, ctx, held);
    for (const row of rows) found.set(row.id, ofOutbox(row, hashes.get(row.id)));
  }
  return found;
}

/** Where an open dead letter is, its message is; the history is asked about the few that somebody names and that have left. */
async function outboxRows(q: Queryable, tenantId: string, ids: readonly string[]): Promise<OutboxFactsRow[]> {
  const open = await outboxFacts(q, tenantId, OWN_SOURCE, ids, "open");
  const known = new Set(open.map((row) => row.id));
  const rest = ids.filter((id) => !known.has(id)).slice(0, PUBLISHED_EFFECTS);
  return [...open, ...(await outboxFacts(q, tenantId, OWN_SOURCE, rest, "published"))];
}

/** SHA-256 of what each message would be sent as; none of one whose key is gone. */
async function hashesOf(q: Queryable, ctx: Opening, ids: readonly string[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const batch of inBatches(ids, ENVELOPE_BATCH)) {
    for (const row of await outboxEnvelopes(q, ctx.tenantId, batch)) {
      const opened = await openPayload(ctx, row.id, row.payload);
      if ("lost" in opened) continue;
      const body = outboxBody(ctx.tenantId, { ...row, payload: opened.payload });
      hashes.set(row.id, createHash("sha256").update(body).digest("hex"));
    }
  }
  return hashes;
}

function ofOutbox(row: OutboxFactsRow, hash: string | undefined): DeadLetterFactsRow {
  const facts: OutboxFacts = {
    ...only(row, "state", "leased", "lockedUntil", "publishedAt", "paused", "behind", "endpoint", "correctedBy"),
    side: "outbox",
    place: row.topic,
    operationUnknown: row.operationState === UNKNOWN,
    foreign: isForeign(row.topic, row.destination),
    outage: outageOf(row.lastErrorCode),
    held: row.holding.map(({ id: _, hash: theirs, ...held }) => ({ ...held, samePayload: theirs === hash })),
  };
  const { state, topic, attemptsStarted: attempts, lastErrorCode: errorCode = null } = row;
  return {
    facts,
    before: { state, attempts, errorCode, topic },
    evidence: row.holding.map(({ id: inboxId, consumer, state: there }) => ({ inboxId, consumer, state: there })),
  };
}

function ofInbox(row: InboxFactsRow): DeadLetterFactsRow {
  const facts: InboxFacts = {
    ...only(row, "state", "leased", "lockedUntil", "processedAt", "result", "mismatches"),
    side: "inbox",
    place: row.consumer,
    operationUnknown: row.operationState === UNKNOWN,
    unfinished: unfinishedAttempts(row.attemptsStarted, row.attemptsFinished, row.leased),
  };
  const before = {
    ...only(row, "state", "consumer", "attemptsStarted", "attemptsFinished"),
    errorCode: row.lastErrorCode ?? null,
  };
  return { facts, before, evidence: [] };
}

export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
