import { isPlain, plainText } from "@/domain/plain-text";
import type { ProviderReply } from "./operation";

/** Longest of each that is kept: texts of another company's program, which nobody here chose. */
export const PROVIDER_LIMITS = { reference: 255, code: 64, text: 300 } as const;
const UNNAMED = "declined";
/** A reference names one thing at the provider, so it is taken as it is or not at all: a part of it would name another. */
const NO_REFERENCE = "the answer is not readable: its reference cannot be kept";

/**
 * What a provider said, as it may be stored and shown: bounded, on one line, of characters that are seen. A success whose reference
 * cannot be kept is in doubt, because nobody could ask for it.
 */
export function cleanReply(reply: ProviderReply): ProviderReply {
  switch (reply.kind) {
    case "succeeded":
    case "processing":
      return isReference(reply.reference) ? reply : { kind: "indefinite", reason: NO_REFERENCE };
    case "declined":
      return { ...reply, reference: referenceOf(reply.reference), code: codeOf(reply.code) };
    case "contradicting":
      return { ...reply, reference: referenceOf(reply.reference), reason: textOf(reply.reason) };
    case "no_effect": {
      const { detail } = reply;
      return { ...reply, reason: textOf(reply.reason), ...(detail !== undefined && { detail: textOf(detail) }) };
    }
    case "indefinite":
    case "unreachable":
      return { ...reply, reason: textOf(reply.reason) };
    default:
      return reply;
  }
}

const isReference = (text: string): boolean => text !== "" && text.length <= PROVIDER_LIMITS.reference && isPlain(text);

const referenceOf = (text: string | undefined): string | undefined =>
  text !== undefined && isReference(text) ? text : undefined;

const textOf = (text: string): string => plainText(text, PROVIDER_LIMITS.text);

/** One word, as codes are. */
const codeOf = (code: string): string =>
  code
    .replace(/[^A-Za-z0-9._:-]+/g, "_")
    .slice(0, PROVIDER_LIMITS.code)
    .replace(/^_+|_+$/g, "") || UNNAMED;
