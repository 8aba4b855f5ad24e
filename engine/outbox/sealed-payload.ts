import type { Soon } from "@/domain/soon";
import type { Queryable } from "@/db/client";
import { insertOutboxMessage, type OutboxInput } from "@/db/outbox/insert-outbox-message";
import { outboxBodyText } from "@/db/messages/corrections";
import type { EngineContext } from "../context";
import { type Lost, openMessageText, type Opening, sealedInside, sealMessageText } from "../messages/sealed-message";

type Sealing = Pick<EngineContext, "tenantId" | "keyring" | "config">;
type Payload = Readonly<Record<string, unknown>>;

/**
 * With SEAL_PAYLOADS a message's payload is one member, sealed under the tenant's key of the day: columns, SQL and brokers' order need
 * nothing else, and messages that stand in clear beside it are read as ever.
 *
 * @param id of the message, which alone opens it
 * @returns what is stored
 * @throws KeyStoreUnavailableError
 */
export function sealPayload(ctx: Sealing, id: string, payload: Payload): Soon<Payload> {
  return ctx.config.sealPayloads === true ? sealMessageText(ctx, id, JSON.stringify(payload)) : payload;
}

/** As {@link sealPayload}, of JSON whose digits must stay as they are. @returns JSON */
export async function sealPayloadText(ctx: Sealing, id: string, text: string): Promise<string> {
  return ctx.config.sealPayloads === true ? JSON.stringify(await sealMessageText(ctx, id, text)) : text;
}

/** @param payload as it is stored, sealed or in clear @throws KeyStoreUnavailableError */
export async function openPayload(
  ctx: Opening,
  id: string,
  payload: unknown,
): Promise<{ readonly payload: unknown } | { readonly lost: Lost }> {
  const inside = sealedInside(payload);
  if (inside === undefined) return { payload };
  const opened = await openMessageText(ctx, id, inside);
  return "lost" in opened ? opened : { payload: JSON.parse(opened.text) as unknown };
}

/** A stored body as JSON with every digit, while the message is in the outbox. @returns undefined: it has left, or nothing opens it */
export async function storedBodyText(q: Queryable, ctx: Opening, id: string): Promise<string | undefined> {
  const text = await outboxBodyText(q, ctx.tenantId, id);
  if (text === undefined) return undefined;
  const inside = sealedInside(JSON.parse(text));
  if (inside === undefined) return text;
  const opened = await openMessageText(ctx, id, inside);
  return "lost" in opened ? undefined : opened.text;
}

/**
 * Writes a message for the relay in the caller's transaction, e.g. that of a consumer's inbox row, sealed where SEAL_PAYLOADS says so.
 *
 * @returns false when a message of this id waits already
 */
export async function enqueueMessage(
  ctx: Sealing,
  tx: Queryable,
  message: Omit<OutboxInput, "tenantId">,
): Promise<boolean> {
  const payload = await sealPayload(ctx, message.id, message.payload);
  return insertOutboxMessage(tx, { ...message, payload, tenantId: ctx.tenantId });
}
