import type { Queryable } from "@/db/client";
import { insertOutboxMessage, type OutboxInput } from "@/db/outbox/insert-outbox-message";
import { outboxBodyText } from "@/db/messages/corrections";
import { SEALED_MEMBER } from "@/db/outbox/sealed-member";
import { isSealedByDay } from "../bodies/body-keyring";
import { KeyDestroyedError } from "../bodies/data-keys";
import type { EngineContext } from "../context";

type Sealing = Pick<EngineContext, "tenantId" | "keyring" | "config">;
/** Whose messages are opened, and by which keys. */
export type Opening = Pick<EngineContext, "tenantId" | "keyring">;
type Payload = Readonly<Record<string, unknown>>;

/**
 * With SEAL_PAYLOADS a message's payload is one member, sealed under the tenant's key of the day: columns, SQL and brokers' order need
 * nothing else, and messages that stand in clear beside it are read as ever.
 *
 * @param id of the message, which alone opens it
 * @returns what is stored
 * @throws KeyStoreUnavailableError
 */
export async function sealPayload(ctx: Sealing, id: string, payload: Payload): Promise<Payload> {
  return ctx.config.sealPayloads === true ? sealed(ctx, id, JSON.stringify(payload)) : payload;
}

/** As {@link sealPayload}, of JSON whose digits must stay as they are. @returns JSON */
export async function sealPayloadText(ctx: Sealing, id: string, text: string): Promise<string> {
  return ctx.config.sealPayloads === true ? JSON.stringify(await sealed(ctx, id, text)) : text;
}

async function sealed({ tenantId, keyring }: Opening, id: string, text: string): Promise<Payload> {
  return { [SEALED_MEMBER]: (await keyring.sealMessage(tenantId, id, Buffer.from(text))).toString("base64") };
}

/**
 * @param payload as it is stored, sealed or in clear
 * @throws KeyDestroyedError when the key of its day is gone; KeyStoreUnavailableError; Error when something else was sealed
 */
export async function openPayload(ctx: Opening, id: string, payload: unknown): Promise<unknown> {
  const inside = sealedText(payload);
  return inside === undefined ? payload : (JSON.parse(await openText(ctx, id, inside)) as unknown);
}

/** @returns undefined when the key of its day is gone */
export async function payloadOrGone(ctx: Opening, id: string, payload: unknown): Promise<unknown> {
  try {
    return await openPayload(ctx, id, payload);
  } catch (error) {
    if (error instanceof KeyDestroyedError) return undefined;
    throw error;
  }
}

/** A stored body as JSON with every digit, while the message is in the outbox. @returns undefined: it has left, or its key is gone */
export async function storedBodyText(q: Queryable, ctx: Opening, id: string): Promise<string | undefined> {
  const text = await outboxBodyText(q, ctx.tenantId, id);
  if (text === undefined) return undefined;
  const inside = sealedText(JSON.parse(text));
  if (inside === undefined) return text;
  try {
    return await openText(ctx, id, inside);
  } catch (error) {
    if (error instanceof KeyDestroyedError) return undefined;
    throw error;
  }
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

async function openText({ tenantId, keyring }: Opening, id: string, inside: string): Promise<string> {
  return (await keyring.openMessage(tenantId, id, Buffer.from(inside, "base64"))).toString("utf8");
}

/** @returns what is sealed, where that is all there is; a service may write the same member in clear */
function sealedText(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null || !(SEALED_MEMBER in payload)) return undefined;
  const text: unknown = payload[SEALED_MEMBER];
  if (Object.keys(payload).length !== 1 || typeof text !== "string") return undefined;
  return isSealedByDay(Buffer.from(text, "base64")) ? text : undefined;
}
