import { createHash } from "node:crypto";

/** What jsonb refuses: NUL, and half of a surrogate pair. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * SHA-256 of a document, as `onceboard.document_hash()` makes it of jsonb: the same whatever the order of members or the writing of numbers,
 * so that a duplicate is told from another payload also where one of the two is sealed.
 *
 * @param document as JSON.parse reads it
 * @throws RangeError for what jsonb cannot hold: NUL, half of a surrogate pair, a nesting beyond the stack
 */
export function documentHash(document: unknown): Buffer {
  return createHash("sha256").update(documentText(document)).digest();
}

/** @returns the text that PostgreSQL writes of the same jsonb, its numbers without zeros at the end of a fraction */
export function documentText(document: unknown): string {
  if (typeof document === "string") return stringText(document);
  if (typeof document === "number") return plainDigits(JSON.stringify(document));
  if (typeof document !== "object" || document === null) return JSON.stringify(document);
  if (Array.isArray(document)) return `[${document.map(documentText).join(", ")}]`;
  const members = Object.entries(document).map(([name, value]) => ({
    name,
    key: Buffer.from(name),
    value: value as unknown,
  }));
  // jsonb keeps members by the length of their name in bytes, and those of one length by their bytes.
  members.sort((a, b) => a.key.length - b.key.length || a.key.compare(b.key));
  return `{${members.map(({ name, value }) => `${stringText(name)}: ${documentText(value)}`).join(", ")}}`;
}

function stringText(text: string): string {
  if (UNSTORABLE.test(text)) throw new RangeError("a text holds NUL or half of a surrogate pair");
  return JSON.stringify(text);
}

/** @param written as JSON.stringify writes a number, maybe with an exponent @returns its digits without one, as numeric has them */
function plainDigits(written: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(written) ?? [];
  if (whole === "") return written;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point > 0 ? digits.padEnd(point, "0") : "0".repeat(1 - point) + digits;
  const at = Math.max(point, 1);
  const after = padded.slice(at);
  return sign + padded.slice(0, at) + (after === "" ? "" : `.${after}`);
}
