import type { Queryable } from "@/db/client";
import { selectArrivals, selectInboxMessage, type InboxPayloadRow } from "@/db/inbox/select-inbox";
import { selectDeadLettersOfMessage } from "@/db/messages/select-dead-letters";
import { selectMessageAttempts } from "@/db/messages/select-message-attempts";
import { selectOutboxMessage, type OutboxDbRow } from "@/db/outbox/select-outbox";
import { selectTopic } from "@/db/outbox/topics";
import { readWithin } from "@/db/bounded-read";
import { parseExact } from "@/domain/idempotency/exact-json";
import { judgeCorrection, type JudgedCorrection } from "@/domain/messages/correction-verdict";
import { SIDES } from "@/domain/messages/side";
import { UUID } from "@/domain/uuid";
import { requirePermission, roleOf } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import type { Lost, Opening } from "@/engine/messages/sealed-message";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { openArrivalText, type StoredArrival } from "@/engine/inbox/sealed-arrival";
import { outboxBody, outboxContentType } from "@/engine/outbox/envelope";
import { openPayload } from "@/engine/outbox/sealed-payload";
import { hasOwnWay } from "@/engine/outbox/topics";
import { buildCauses } from "@/presentation/message/message-causes";
import { buildMessageChain } from "@/presentation/message/message-chain";
import { heldBy, type MessageContext } from "@/presentation/message/message-context";
import { shownHeaders } from "@/presentation/message/message-headers";
import { buildMessageTimeline, type MessageMoments } from "@/presentation/message/message-timeline";
import { hintOf, leftBecause } from "@/presentation/message/safe-to-act";
import { actionView } from "@/presentation/operation/allowed-actions";
import { maskDocument, shortHash } from "@/presentation/command/mask";
import { maskEnvelope } from "@/presentation/command/mask-envelope";
import type { InboxDetail } from "@/presentation/views/inbox";
import type { BodyField, MessageDetail } from "@/presentation/views/messages";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { judgeRepublish } from "@/domain/messages/republish-verdict";
import { readRepublishFacts } from "@/console/actions/republish-facts";
import { readCorrectionFacts } from "@/console/actions/correction-facts";
import { deadLetterRow } from "./list-dead-letters";
import { judgeMessage } from "./judged-rows";
import { attemptRows, readMessageContext, type MessageContextSource } from "./message-context";
import { inboxRow, outboxRow, sideOf } from "./message-rows";

interface ReadInput {
  readonly id: string;
  /** OUTBOX_TRANSPORT. */
  readonly fallback?: string;
}

type SentMessage = NonNullable<Awaited<ReturnType<typeof selectOutboxMessage>>>;
type FoundMessage = (OutboxDbRow | InboxPayloadRow) & { readonly headers: Readonly<Record<string, unknown>> };

/**
 * One outbox message, open or published, with its attempts, cause and effects.
 * @returns undefined when this tenant has none of this id
 */
export async function readOutboxMessage(ctx: EngineContext, input: ReadInput): Promise<OutboxDetail | undefined> {
  const { id, fallback = "http" } = input;
  requirePermission(ctx, "outbox.read");
  if (!UUID.test(id)) return undefined;
  const kinds = await ctx.kinds.all();
  const read = await readWithin(ctx.db, "detail", async (q) => {
    const row = await selectOutboxMessage(q, ctx.tenantId, id);
    if (row === undefined) return undefined;
    const topic = await selectTopic(q, ctx.tenantId, row.topic);
    const correction = (await readCorrectionFacts(q, ctx, [id])).get(id);
    const again = judgeRepublish((await readRepublishFacts(q, ctx, [id])).get(id)?.facts);
    return { row, topic, correction, again, ...(await readStory(q, ctx, row, row, { fallback, kinds })) };
  });
  if (read === undefined) return undefined;
  const { row, story } = read;
  const held = heldBy(story, row);
  const arrivals = held.map(({ consumer, receivedAt: at }) => ({
    at,
    title: `${consumer} has it`,
    glyph: "recorded" as const,
  }));
  const judgedCorrection = judgeCorrection(read.correction);
  const { again } = read;
  const detail = detailOf(ctx, row, read, arrivals, judgedCorrection);
  const whyNot = again.acts ? undefined : again.why;
  const republish = actionView("republish", roleOf(ctx), "outbox.republish", whyNot);
  return {
    ...outboxRow(row, fallback),
    ...detail,
    // Of what is published nothing else may be done.
    actions: row.state === "published" ? [republish, ...detail.actions] : detail.actions,
    republished: row.republished ?? [],
    republishNote: row.state === "published" && again.acts ? again.why : undefined,
    correctionPlan: read.correction?.waiting,
    correctionNote: judgedCorrection.offered ? judgedCorrection.why : undefined,
    destination: hasOwnWay(row.topic) ? undefined : read.topic?.destination,
    envelope: await shownEnvelope(ctx, row),
    contentType: outboxContentType(row.headers),
    consumers: held.map(({ id: inboxId, consumer, state, processedAt, receivedAt }) => ({
      inboxId,
      consumer,
      state,
      at: processedAt ?? receivedAt,
    })),
  };
}

/**
 * One inbox message with every arrival of its id, its attempts, cause and effects.
 * @returns undefined when this tenant has none of this id
 */
export async function readInboxMessage(ctx: EngineContext, input: ReadInput): Promise<InboxDetail | undefined> {
  const { id, fallback = "http" } = input;
  requirePermission(ctx, "inbox.read");
  if (!UUID.test(id)) return undefined;
  const kinds = await ctx.kinds.all();
  const read = await readWithin(ctx.db, "detail", async (q) => {
    const row = await selectInboxMessage(q, ctx.tenantId, id);
    if (row === undefined) return undefined;
    const sent = UUID.test(row.messageId) ? await selectOutboxMessage(q, ctx.tenantId, row.messageId) : undefined;
    const arrived = await selectArrivals(q, ctx.tenantId, id, row.receivedAt);
    return { row, sent, arrived, ...(await readStory(q, ctx, row, sent, { fallback, kinds })) };
  });
  if (read === undefined) return undefined;
  const { row, sent } = read;
  const arrivals = read.arrived.map((each) => ({ ...each, payloadHash: shortHash(each.payloadHash) }));
  const later = arrivals.slice(1).map(({ at, outcome }) => ({
    at,
    title: outcome,
    glyph: outcome === "mismatch" ? ("conflict" as const) : ("duplicate" as const),
  }));
  return {
    ...inboxRow(row),
    ...detailOf(ctx, row, read, later, { offered: false, why: ARRIVED_AS_IT_IS }),
    payloadHash: shortHash(row.payloadHash),
    payload: await shownPayload(ctx, row, sent !== undefined),
    arrivals,
    outbox: sent && { id: sent.id, state: sent.state },
  };
}

/** What arrived is evidence of what its sender sent. */
const ARRIVED_AS_IT_IS = "A received message stays as its sender sent it. Ask the sender to send a corrected one.";

type Story = Awaited<ReturnType<typeof readStory>>;

/** What both sides read around a message. @param sent the message on the sending side, when it is one of ours */
async function readStory(
  q: Queryable,
  ctx: Opening,
  row: FoundMessage,
  sent: OutboxDbRow | undefined,
  { fallback, kinds }: Pick<MessageContextSource, "fallback" | "kinds">,
) {
  const { tenantId } = ctx;
  const { id, at } = row;
  const { side, began } = sideOf(row);
  const arrived = "topic" in row ? undefined : row;
  const operationId = row.operationId ?? sent?.operationId;
  const here: MessageContext["here"] = { side, id };
  return {
    judged: await judgeMessage(q, ctx, side, id),
    deaths: await selectDeadLettersOfMessage(q, tenantId, side, id),
    failed: await selectMessageAttempts(q, tenantId, { side, id, since: began }),
    story: await readMessageContext(q, { tenantId, here, operationId, sent, arrived, at, fallback, kinds }),
  };
}

/** What the pages of both sides show alike. @param arrivals of its id, here or at consumers */
function detailOf(
  ctx: EngineContext,
  row: FoundMessage,
  { judged, deaths, failed, story }: Story,
  arrivals: MessageMoments["arrivals"],
  correction: JudgedCorrection,
): MessageDetail {
  const { at, state } = row;
  const { side, began } = sideOf(row);
  const deadLetters = deaths.map((death) => deadLetterRow(death));
  const attemptsMade = attemptRows(row, failed);
  const action = (verb: "requeue" | "discard") =>
    actionView(verb, roleOf(ctx), `${side}.${verb}`, leftBecause(judged[verb]));
  return {
    ...hintOf(judged.requeue, state, judged.outlook),
    at,
    ...shownHeaders(row.headers),
    attemptsMade,
    chain: buildMessageChain(story),
    causes: buildCauses(story),
    lanes: buildMessageTimeline({
      at,
      began,
      attempts: attemptsMade,
      arrivals,
      deaths: deadLetters.map(({ deadAt, requeuedAt, correctedBy }) => ({
        at: deadAt,
        settledAt: requeuedAt,
        corrected: correctedBy !== undefined,
      })),
      ended: state === SIDES[side].done || state === "discarded",
    }),
    deadLetters,
    actions: [
      action("requeue"),
      action("discard"),
      actionView("correct", roleOf(ctx), "outbox.correct", correction.offered ? undefined : correction.why),
    ],
  };
}

function envelopeOf({ id, type, payload = null, headers, position, ...row }: SentMessage) {
  const of = { aggregate_type: row.aggregateType, aggregate_id: row.aggregateId, created_at: new Date(row.createdAt) };
  return { id, type, payload, headers, position, ...of };
}

/** What is delivered, or why nobody can say it. */
async function shownEnvelope(ctx: Opening, row: SentMessage): Promise<readonly BodyField[]> {
  const opened = await openPayload(ctx, row.id, row.payload);
  if ("lost" in opened) return shownLoss(opened.lost);
  return maskEnvelope(JSON.parse(outboxBody(ctx.tenantId, envelopeOf({ ...row, payload: opened.payload }))));
}

/** What arrived. Only what we wrote ourselves is known to hold no more than its attributes in the envelope. */
async function shownPayload(
  ctx: Opening,
  row: StoredArrival & { readonly source: string; readonly payloadText: string },
  ours: boolean,
): Promise<readonly BodyField[]> {
  const opened = row.sealed ? await openArrivalText(ctx, row) : { text: row.payloadText };
  if ("lost" in opened) return shownLoss(opened.lost);
  const document = parseExact(opened.text);
  return row.source === OWN_SOURCE && ours ? maskEnvelope(document) : maskDocument(document);
}

const shownLoss = (lost: Lost): readonly BodyField[] => [
  { name: "payload", value: lost === "purged" ? "purged" : UNREADABLE, masked: false },
];

/** Only SQL of somebody else can have written it. */
const UNREADABLE = "Nothing can open it: what is stored is not what was sealed.";
