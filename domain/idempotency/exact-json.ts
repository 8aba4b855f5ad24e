import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";

/**
 * JSON whose numbers keep their digits: `12345678901234567890` and `1.10` are shown as they were sent.
 *
 * @returns the document; its numbers are {@link LosslessNumber}
 * @throws SyntaxError when it is no JSON
 */
export function parseExact(text: string): unknown {
  return parse(text, undefined, (digits) => new LosslessNumber(digits));
}

/** @returns the digits of a number that {@link parseExact} read; undefined for anything else */
export function exactDigits(value: unknown): string | undefined {
  return isLosslessNumber(value) ? value.value : undefined;
}

/** @returns the text of a document of {@link parseExact}, in lines */
export function formatExact(document: unknown): string {
  return stringify(document, undefined, 2) ?? "null";
}
