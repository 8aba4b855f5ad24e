import { SEALED_MEMBER } from "@/db/outbox/sealed-member";
import { isSealedByDay, UnreadableMessageError } from "../bodies/body-keyring";
import { KeyDestroyedError } from "../bodies/data-keys";
import type { EngineContext } from "../context";

/** Whose messages are opened, and by which keys. */
export type Opening = Pick<EngineContext, "tenantId" | "keyring">;

/** Why nothing opens a payload: the key of its day was destroyed, or what is stored is not what was sealed. */
export type Lost = "purged" | "unreadable";

/** As the reason of an attempt that was the last. */
export const LOST: Readonly<Record<Lost, string>> = {
  purged: "The key of its payload was destroyed",
  unreadable: "What is stored as its payload is not what was sealed",
};

/** What is sealed, as it is stored: one member, so that columns and SQL need nothing else. */
export type SealedPayload = Readonly<Record<typeof SEALED_MEMBER, string>>;

/**
 * @param id of the message, which alone opens it
 * @param text JSON
 * @throws KeyStoreUnavailableError
 */
export async function sealMessageText(
  { tenantId, keyring }: Opening,
  id: string,
  text: string,
): Promise<SealedPayload> {
  return { [SEALED_MEMBER]: (await keyring.sealMessage(tenantId, id, Buffer.from(text))).toString("base64") };
}

/**
 * @param inside as {@link sealedInside} returns it
 * @throws KeyStoreUnavailableError
 */
export async function openMessageText(
  { tenantId, keyring }: Opening,
  id: string,
  inside: string,
): Promise<{ readonly text: string } | { readonly lost: Lost }> {
  try {
    const bytes = await keyring.openMessage(tenantId, id, Buffer.from(inside, "base64"));
    return { text: bytes.toString("utf8") };
  } catch (error) {
    if (error instanceof KeyDestroyedError) return { lost: "purged" };
    if (error instanceof UnreadableMessageError) return { lost: "unreadable" };
    throw error;
  }
}

/** @returns what is sealed, where that is all there is; a service may write the same member in clear */
export function sealedInside(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null || !(SEALED_MEMBER in payload)) return undefined;
  const text: unknown = payload[SEALED_MEMBER];
  if (Object.keys(payload).length !== 1 || typeof text !== "string") return undefined;
  return isSealedByDay(Buffer.from(text, "base64")) ? text : undefined;
}
