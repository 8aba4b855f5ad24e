import { readWithin } from "@/db/sql-text";
import { selectDeadLettersOfMessage } from "@/db/messages/select-dead-letters";
import { selectArrivals, selectInboxMessage, type ArrivalDbRow } from "@/db/inbox/select-inbox";
import { selectMessageAttempts } from "@/db/messages/select-message-attempts";
import { selectOutboxMessage } from "@/db/outbox/select-outbox";
import { actionView } from "@/presentation/operation/allowed-actions";
import { parseExact } from "@/domain/idempotency/exact-json";
import { UUID } from "@/domain/uuid";
import { maskDocument, shortHash } from "@/presentation/operation/mask";
import { maskEnvelope } from "@/presentation/operation/mask-envelope";
import { buildCauses } from "@/presentation/message/message-causes";
import { buildMessageChain } from "@/presentation/message/message-chain";
import { shownHeaders } from "@/presentation/message/message-headers";
import { buildMessageTimeline } from "@/presentation/message/message-timeline";
import { hintOf, leftBecause } from "@/presentation/message/safe-to-act";
import type { ArrivalRow, InboxDetail } from "@/presentation/views/inbox";
import type { EngineContext } from "@/engine/context";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { deadLetterRow } from "./list-dead-letters";
import { attemptRows, readMessageContext } from "./message-context";
import { judgeMessage } from "./judged-rows";
import { inboxRow } from "./message-rows";
import { currentLease } from "./read-outbox-message";
import { requirePermission, roleOf } from "@/engine/actions/require";

/**
 * One inbox message with every arrival of its id, its attempts, cause and effects.
 * @param input.fallback OUTBOX_TRANSPORT
 * @returns undefined when this tenant has none of this id
 */
export async function readInboxMessage(
  ctx: EngineContext,
  input: { id: string; fallback?: string },
): Promise<InboxDetail | undefined> {
  requirePermission(ctx, "inbox.read");
  if (!UUID.test(input.id)) return undefined;
  const read = await readWithin(ctx.db, "detail", async (q) => {
    const row = await selectInboxMessage(q, ctx.tenantId, input.id);
    if (row === undefined) return undefined;
    const sent = UUID.test(row.message_id) ? await selectOutboxMessage(q, ctx.tenantId, row.message_id) : undefined;
    return {
      row,
      sent,
      judged: await judgeMessage(q, ctx.tenantId, "inbox", row.id),
      arrivals: await selectArrivals(q, ctx.tenantId, input.id, row.received_at),
      deaths: await selectDeadLettersOfMessage(q, ctx.tenantId, "inbox", input.id),
      failed: await selectMessageAttempts(q, ctx.tenantId, { side: "inbox", id: row.id, since: row.received_at }),
      story: await readMessageContext(q, {
        tenantId: ctx.tenantId,
        here: { side: "inbox", id: row.id },
        operationId: row.operation_id ?? sent?.operation_id ?? null,
        sent,
        arrived: row,
        at: row.at,
        fallback: input.fallback ?? "http",
      }),
    };
  });
  if (read === undefined) return undefined;
  const { row, sent, story, judged } = read;
  const deadLetters = read.deaths.map((row) => deadLetterRow(row));
  const arrivals = read.arrivals.map(arrivalRow);
  const attemptsMade = attemptRows({
    began: row.received_at,
    started: row.attempts_started,
    failed: read.failed,
    succeeded: row.processed_at === null ? undefined : { at: row.processed_at },
    running: currentLease(row),
  });
  return {
    ...inboxRow(row),
    ...hintOf(judged.requeue, row.state),
    at: row.at,
    ...shownHeaders(row.headers),
    payloadHash: shortHash(row.payload_hash),
    payload: shownPayload(row, sent !== undefined),
    arrivals,
    attemptsMade,
    chain: buildMessageChain(story),
    causes: buildCauses(story),
    lanes: buildMessageTimeline({
      at: row.at,
      began: row.received_at,
      attempts: attemptsMade,
      arrivals: arrivals.slice(1).map(({ at, outcome }) => ({
        at,
        title: outcome,
        glyph: outcome === "mismatch" ? "conflict" : "duplicate",
      })),
      deaths: deadLetters.map(({ deadAt: at, requeuedAt: settledAt }) => ({ at, settledAt })),
      ended: row.state === "processed" || row.state === "discarded",
    }),
    deadLetters,
    outbox: sent === undefined ? undefined : { id: sent.id, state: sent.state },
    actions: [
      actionView("requeue", roleOf(ctx.actor), "inbox.requeue", leftBecause(judged.requeue)),
      actionView("discard", roleOf(ctx.actor), "inbox.discard", leftBecause(judged.discard)),
    ],
  };
}

function arrivalRow(row: ArrivalDbRow): ArrivalRow {
  return {
    at: row.at,
    outcome: row.outcome,
    payloadHash: shortHash(row.payload_hash),
    requestId: row.request_id ?? undefined,
  };
}

/** Only what we wrote ourselves is known to hold no more than its attributes in the envelope. */
function shownPayload(row: { readonly source: string; readonly payload_text: string }, ours: boolean) {
  const document = parseExact(row.payload_text);
  return row.source === OWN_SOURCE && ours ? maskEnvelope(document) : maskDocument(document);
}
