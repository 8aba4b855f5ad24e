import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { EngineBase } from "@/engine/context";
import { createReadCache } from "@/engine/read-cache";
import { EVENT_SOURCE, eventSecrets, MAX_TYPE_LENGTH, MESSAGE_ID, UNTYPED } from "../event-source";
import { goodTraceparent } from "@/engine/telemetry/telemetry";
import { SOURCE_HEADER, TENANT_HEADER } from "@/engine/outbox/transports/broker-headers";
import { SECRET_TTL_MS } from "@/engine/outbox/transports/sign";
import type { BrokerMessage } from "./broker-message";

/** Bytes of a message, as of a request body at POST /events/{source}. */
export const MAX_MESSAGE_BYTES = 256 * 1_024;
/** Senders whose secrets are remembered at once. */
const SENDERS_LIMIT = 1_000;
const SIGNATURES_LIMIT = 10;
const TENANT = /^[a-z0-9-]{1,63}$/;
/** As it was signed: without leading zeros, so that one signature has one spelling. */
const SECONDS = /^[1-9]\d{0,10}$/;
const MS_PER_SECOND = 1_000;

/** Why a message is not taken; a label of the metric. */
export type RefusalReason = "unsigned" | "malformed" | "too_large" | "signature_invalid" | "unstorable";

/** A message whose sender is known. */
export interface VerifiedMessage {
  readonly message: BrokerMessage;
  readonly tenantId: string;
  readonly source: string;
  readonly messageId: string;
  readonly type: string;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export type Verified = { readonly ok: true; readonly verified: VerifiedMessage } | Refused;

interface Refused {
  readonly ok: false;
  readonly reason: RefusalReason;
}

/** Says whose a message is, by its signature. @throws when the secrets cannot be read now */
export type Verify = (message: BrokerMessage) => Promise<Verified>;

const refused = (reason: RefusalReason): Refused => ({ ok: false, reason });

/**
 * Checks the signature of Standard Webhooks over id, time and the exact bytes, with any secret of the source that is valid now.
 * Unlike over HTTP the time has no limit, because a message may wait in a broker for days; it is bound by the
 * signature all the same, and a message that is replayed is a duplicate to the inbox. Nothing is parsed before the signature holds.
 */
export function createVerify(base: EngineBase): Verify {
  const known = createReadCache<readonly Webhook[] | undefined>({ ttlMs: SECRET_TTL_MS, maxEntries: SENDERS_LIMIT });
  return async (message) => {
    const signed = signedPartsOf(message);
    if (typeof signed === "string") return refused(signed);
    const { tenantId, source } = signed;
    const name = `${tenantId}/${source}`;
    const isGood = async (): Promise<boolean> =>
      holds((await known.get(name, () => readSecrets(base, tenantId, source))) ?? [], signed);
    if (await isGood()) return parsed(message, signed);
    // A secret that is not remembered yet may be a new one: nobody is refused before the database was asked.
    known.forget(name);
    return (await isGood()) ? parsed(message, signed) : refused("signature_invalid");
  };
}

interface SignedParts {
  readonly tenantId: string;
  readonly source: string;
  readonly id: string;
  readonly seconds: number;
  readonly signatures: readonly string[];
  readonly text: string;
}

function signedPartsOf(message: BrokerMessage): SignedParts | RefusalReason {
  const tenantId = message.header(TENANT_HEADER);
  const source = message.header(SOURCE_HEADER);
  const id = message.header("webhook-id");
  const seconds = message.header("webhook-timestamp");
  const signature = message.header("webhook-signature");
  if (!tenantId || !source || !id || !seconds || !signature) return "unsigned";
  if (message.body.byteLength > MAX_MESSAGE_BYTES) return "too_large";
  if (!TENANT.test(tenantId) || !EVENT_SOURCE.test(source) || !MESSAGE_ID.test(id) || !SECONDS.test(seconds)) {
    return "malformed";
  }
  const text = utf8(message.body);
  if (text === undefined) return "malformed";
  const signatures = signature.split(" ", SIGNATURES_LIMIT);
  return { tenantId, source, id, seconds: Number(seconds), signatures, text };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Exactly: bytes that are no UTF-8 would be signed as something else than they are. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The library's own verification has a limit of five minutes, so its signature is made here and compared in constant time. */
function holds(secrets: readonly Webhook[], { id, seconds, text, signatures }: SignedParts): boolean {
  const at = new Date(seconds * MS_PER_SECOND);
  return secrets.some((secret) => {
    const expected = Buffer.from(secret.sign(id, at, text));
    return signatures.some((each) => {
      const given = Buffer.from(each);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  });
}

/** @returns undefined without any: a name that anybody can make up is not remembered */
async function readSecrets(
  base: EngineBase,
  tenantId: string,
  source: string,
): Promise<readonly Webhook[] | undefined> {
  const secrets = await eventSecrets(base.db, base.keyring, tenantId, source);
  return secrets.length === 0 ? undefined : secrets.map((secret) => new Webhook(secret));
}

function parsed(message: BrokerMessage, signed: SignedParts): Verified {
  let payload: unknown;
  try {
    payload = JSON.parse(signed.text);
  } catch {
    return refused("malformed");
  }
  const type = typeOf(payload);
  if (type === undefined) return refused("malformed");
  const traceparent = goodTraceparent(message.header("traceparent"));
  const contentType = message.header("content-type");
  const { tenantId, source, id, seconds } = signed;
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    ...(contentType !== undefined && { "content-type": contentType.slice(0, MAX_TYPE_LENGTH) }),
    ...(traceparent !== undefined && { traceparent }),
  };
  return { ok: true, verified: { message, tenantId, source, messageId: id, type, payload, headers } };
}

function typeOf(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null || !("type" in payload)) return UNTYPED;
  const { type } = payload;
  return typeof type === "string" && type !== "" && type.length <= MAX_TYPE_LENGTH ? type : undefined;
}
