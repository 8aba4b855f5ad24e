import type { ProviderExchange } from "./exchange";
import type { ProviderResult } from "@/engine/index";
import type { FoundObject, ProviderLookUp, ProviderRequest } from "./port";

/** What an adapter understood of a readable object of its provider. */
export interface ReadObject extends FoundObject {
  readonly providerKey: string;
}
export type ReadBody = (body: unknown) => ReadObject | undefined;

const UNNAMED_DECLINE = "declined";
/** In the attention queue. */
export const KEY_REUSED = "the provider has another command under this key";
const REQUEST_TIMEOUT = 408;
const TOO_MANY = 429;

/**
 * Definite "no effect" only where the provider surely did nothing: no connection, 429, another 4xx. Everything
 * else that is not a readable answer to *this* request is indefinite.
 */
export function classifyResult(
  outcome: ProviderExchange,
  request: ProviderRequest,
  read: ReadBody,
  saysReused: (body: unknown) => boolean = () => false,
): ProviderResult {
  if (outcome.kind === "broken") {
    if (outcome.sent)
      return { kind: "indefinite", reason: `${outcome.cause} after the request was sent: ${outcome.detail}` };
    return { kind: "no_effect", code: "unavailable", reason: `not connected: ${outcome.detail}` };
  }
  const { status, retryAfter } = outcome;
  if (status >= 200 && status < 300) return classifyObject(read(outcome.body), request);
  // 408 is in the 4xx range, but who sent it may have passed the request on.
  if (status < 400 || status >= 500 || status === REQUEST_TIMEOUT) {
    return { kind: "indefinite", reason: `the provider answered ${String(status)}` };
  }
  // This call did nothing, but another one under our key did, and it was not this command.
  if (saysReused(outcome.body)) return { kind: "contradicting", reference: undefined, reason: KEY_REUSED };
  const code = status === TOO_MANY ? "rate_limited" : "refused";
  return {
    kind: "no_effect",
    code,
    reason: `the provider answered ${String(status)}`,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** An answer with 2xx: a final word only when it is readable and about this very request. */
export function classifyObject(object: ReadObject | undefined, request: ProviderRequest): ProviderResult {
  if (!object) return { kind: "indefinite", reason: "the answer is not readable" };
  const same =
    object.providerKey === request.providerKey &&
    object.amountMinor === request.amountMinor &&
    object.currency === request.currency;
  if (!same) return { kind: "indefinite", reason: "the answer is about another request" };
  return replyOf(object);
}

/** What the provider says of an object that is the one asked for. */
export function replyOf({ status, reference, declineCode = UNNAMED_DECLINE }: FoundObject): ProviderResult {
  if (status === "declined") return { kind: "declined", reference, code: declineCode };
  if (status === "processing") return { kind: "processing", reference };
  return { kind: "succeeded", reference };
}

/** `absent` only when the provider itself says so: a 404 without its own code may come from anything on the way. */
export function classifyLookUp(
  outcome: ProviderExchange,
  providerKey: string,
  read: ReadBody,
  saysAbsent: (body: unknown) => boolean,
): ProviderLookUp {
  if (outcome.kind === "broken") return { kind: "unreachable", reason: `${outcome.cause}: ${outcome.detail}` };
  if (outcome.status === 404 && saysAbsent(outcome.body)) return { kind: "absent" };
  if (outcome.status !== 200) return { kind: "unreachable", reason: `the provider answered ${String(outcome.status)}` };
  const object = read(outcome.body);
  if (object?.providerKey !== providerKey) return { kind: "unreachable", reason: "the answer is not readable" };
  return foundObject(object);
}

export function foundObject({ providerKey: _key, ...object }: ReadObject): ProviderLookUp {
  return { kind: "found", ...object };
}
