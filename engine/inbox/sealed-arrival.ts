import type { ReceiveInput } from "@/db/inbox/receive-message";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "../context";
import {
  LOST,
  type Lost,
  openMessageText,
  type Opening,
  sealedInside,
  sealMessageText,
} from "../messages/sealed-message";
import { providerSays } from "./arrival-members";
import { documentHash } from "./document-hash";

/** A row of the inbox as it is stored. */
export interface StoredArrival {
  readonly id: string;
  readonly payload?: unknown;
  /** Whether our own code sealed it; a sender may write the same member in clear. */
  readonly sealed: boolean;
}

/**
 * With SEAL_PAYLOADS an arrival is sealed before it comes to the database (docs/decisions/0025). Beside it stand the hash by which duplicates
 * are told, and what SQL reads of a provider's event.
 *
 * @param id of the row, which alone opens it
 * @returns what is stored
 * @throws KeyStoreUnavailableError; RangeError as {@link documentHash}
 */
export async function sealArrival(
  ctx: Pick<EngineContext, "tenantId" | "keyring" | "config">,
  id: string,
  payload: unknown,
): Promise<Pick<ReceiveInput, "payload" | "documentHash" | "providerKey" | "providerStatus">> {
  if (ctx.config.sealPayloads !== true) return { payload };
  const text = JSON.stringify(payload);
  const document: unknown = JSON.parse(text);
  return {
    documentHash: documentHash(document),
    payload: await sealMessageText(ctx, id, text),
    ...providerSays(document),
  };
}

/** @returns its JSON @throws KeyStoreUnavailableError */
export async function openArrivalText(
  ctx: Opening,
  { id, payload }: StoredArrival,
): Promise<{ readonly text: string } | { readonly lost: Lost }> {
  const inside = sealedInside(payload);
  return inside === undefined ? { lost: "unreadable" } : openMessageText(ctx, id, inside);
}

/** Nothing opens a message, now or later: it is dead at once. */
export class PayloadLostError extends AppError {
  constructor(lost: Lost) {
    super(`inbox.payload_${lost}`, 500, LOST[lost]);
    this.name = "PayloadLostError";
  }
}

/** @returns the payload, sealed or in clear @throws PayloadLostError, KeyStoreUnavailableError */
export async function openArrival(ctx: Opening, arrival: StoredArrival): Promise<unknown> {
  if (!arrival.sealed) return arrival.payload;
  const opened = await openArrivalText(ctx, arrival);
  if ("lost" in opened) throw new PayloadLostError(opened.lost);
  return JSON.parse(opened.text) as unknown;
}
