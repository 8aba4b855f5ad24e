import { AppError } from "@/domain/errors";
import { MAX_DEPTH, scanJson, type ScanProblem } from "./scan-json";

export interface ParsedJson {
  readonly value: unknown;
  /** Dotted paths of numbers that were written with a fraction or an exponent. */
  readonly fractions: readonly string[];
}

const decoder = new TextDecoder("utf-8", { fatal: true });
/** NUL cannot be stored as text; a lone surrogate is no character. Both can only come from an escape. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

const PROBLEMS: Readonly<Record<ScanProblem, string>> = {
  too_deep: `The body is nested deeper than ${String(MAX_DEPTH)} levels.`,
  // Which of two members counts differs between parsers: what one checked, another would execute.
  duplicate_member: "A member name occurs twice in one object.",
  reserved_member: "The member name __proto__ is not accepted.",
};

/** @throws AppError `validation.encoding` 400 when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed("validation.encoding", "The body is not UTF-8.");
  }
}

/**
 * Parses a body more strictly than JSON.parse: no duplicate member names, no `__proto__`, bounded depth, every string
 * storable.
 *
 * @throws AppError `validation.json` 400
 */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed("validation.json", "The body is not valid JSON.");
  }
  const { problem, fractions } = scanJson(text);
  if (problem !== undefined) throw malformed("validation.json", PROBLEMS[problem]);
  if (text.includes("\\u") && holdsUnstorable(value)) {
    throw malformed("validation.json", "A text holds NUL or half a surrogate pair.");
  }
  return { value, fractions };
}

function holdsUnstorable(value: unknown): boolean {
  if (typeof value === "string") return UNSTORABLE.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => UNSTORABLE.test(name) || holdsUnstorable(member));
}

function malformed(code: string, detail: string): AppError {
  return new AppError(code, 400, "The body cannot be read", { detail: `${detail} Nothing was recorded.` });
}
