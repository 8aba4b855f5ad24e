import { readWithin } from "@/db/sql-text";
import { selectDeadLettersOfMessage } from "@/db/messages/select-dead-letters";
import { selectMessageAttempts } from "@/db/messages/select-message-attempts";
import { selectOutboxMessage } from "@/db/outbox/select-outbox";
import { selectTopic } from "@/db/outbox/topics";
import { actionView } from "@/presentation/operation/allowed-actions";
import { UUID } from "@/domain/uuid";
import { maskEnvelope } from "@/presentation/operation/mask-envelope";
import { buildCauses } from "@/presentation/message/message-causes";
import { buildMessageChain } from "@/presentation/message/message-chain";
import { shownHeaders } from "@/presentation/message/message-headers";
import { buildMessageTimeline } from "@/presentation/message/message-timeline";
import { heldBy } from "@/presentation/message/message-context";
import { hintOf, leftBecause } from "@/presentation/message/safe-to-act";
import type { OutboxDetail } from "@/presentation/views/outbox";
import type { EngineContext } from "@/engine/context";
import { outboxBody, outboxContentType } from "@/engine/outbox/envelope";
import { hasOwnWay } from "@/engine/outbox/topics";
import { deadLetterRow } from "./list-dead-letters";
import { attemptRows, readMessageContext } from "./message-context";
import { judgeMessage } from "./judged-rows";
import { outboxRow } from "./message-rows";
import { requirePermission, roleOf } from "@/engine/actions/require";

/**
 * One outbox message, open or published, with its attempts, cause and effects.
 * @param input.fallback OUTBOX_TRANSPORT
 * @returns undefined when this tenant has none of this id
 */
export async function readOutboxMessage(
  ctx: EngineContext,
  input: { id: string; fallback?: string },
): Promise<OutboxDetail | undefined> {
  requirePermission(ctx, "outbox.read");
  if (!UUID.test(input.id)) return undefined;
  const fallback = input.fallback ?? "http";
  const read = await readWithin(ctx.db, "detail", async (q) => {
    const row = await selectOutboxMessage(q, ctx.tenantId, input.id);
    if (row === undefined) return undefined;
    const here = { side: "outbox", id: row.id } as const;
    return {
      row,
      judged: await judgeMessage(q, ctx.tenantId, "outbox", row.id),
      topic: await selectTopic(q, ctx.tenantId, row.topic),
      deaths: await selectDeadLettersOfMessage(q, ctx.tenantId, "outbox", input.id),
      failed: await selectMessageAttempts(q, ctx.tenantId, { side: "outbox", id: row.id, since: row.created_at }),
      story: await readMessageContext(q, {
        tenantId: ctx.tenantId,
        here,
        operationId: row.operation_id,
        sent: row,
        at: row.at,
        fallback,
      }),
    };
  });
  if (read === undefined) return undefined;
  const { row, story, judged } = read;
  const deadLetters = read.deaths.map((row) => deadLetterRow(row));
  const attemptsMade = attemptRows({
    began: row.created_at,
    started: row.attempts,
    failed: read.failed,
    succeeded: sending(row),
    running: currentLease(row),
  });
  const held = heldBy(story, row);
  return {
    ...outboxRow(row, fallback),
    ...hintOf(judged.requeue, row.state),
    at: row.at,
    destination: hasOwnWay(row.topic) ? undefined : (read.topic?.destination ?? undefined),
    ...shownHeaders(row.headers),
    envelope: maskEnvelope(JSON.parse(outboxBody(ctx.tenantId, { ...row, created_at: new Date(row.created_at) }))),
    contentType: outboxContentType(row.headers),
    attemptsMade,
    chain: buildMessageChain(story),
    causes: buildCauses(story),
    lanes: buildMessageTimeline({
      at: row.at,
      began: row.created_at,
      attempts: attemptsMade,
      arrivals: held.map((each) => ({ at: each.receivedAt, title: `${each.consumer} has it`, glyph: "recorded" })),
      deaths: deadLetters.map(({ deadAt: at, requeuedAt: settledAt }) => ({ at, settledAt })),
      ended: row.state === "published" || row.state === "discarded",
    }),
    consumers: held.map((each) => ({
      inboxId: each.id,
      consumer: each.consumer,
      state: each.state,
      at: each.processedAt ?? each.receivedAt,
    })),
    deadLetters,
    actions: [
      actionView("requeue", roleOf(ctx.actor), "outbox.requeue", leftBecause(judged.requeue)),
      actionView("discard", roleOf(ctx.actor), "outbox.discard", leftBecause(judged.discard)),
    ],
  };
}

/** Closed by a person: it was never sent. */
function sending(row: {
  readonly published_at: string | null;
  readonly published_by: string | null;
}): { at: string; who: string | undefined } | undefined {
  if (row.published_at === null || row.published_by === "operator") return undefined;
  return { at: row.published_at, who: row.published_by ?? undefined };
}

/** @returns whose lease a message is under now. */
export function currentLease(row: {
  readonly owner: string | null;
  readonly locked_until: string | null;
  readonly at: string;
}): { until: string; who: string | undefined } | undefined {
  if (row.locked_until === null || row.locked_until <= row.at) return undefined;
  return { until: row.locked_until, who: row.owner ?? undefined };
}
