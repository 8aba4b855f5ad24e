import { AppError } from "@/domain/errors";
import { errorFingerprint, ERROR_TEXT_LIMIT } from "@/domain/messages/error-fingerprint";
import { withShownUrls } from "@/domain/messages/shown-url";
import { plainText } from "@/domain/plain-text";
import { databaseErrorCode } from "@/db/errors";

export interface DescribedError {
  readonly code: string;
  readonly text: string;
  readonly fingerprint: string;
}

/** @param place topic or consumer @returns what is kept of an error beside a message, and what groups it. */
export function describeError(place: string, error: unknown, fallbackCode: string): DescribedError {
  const code = codeOf(error, fallbackCode);
  const said = error instanceof Error ? error.message : String(error);
  const text = plainText(withShownUrls(said), ERROR_TEXT_LIMIT) || code;
  return { code, text, fingerprint: errorFingerprint(place, code, text) };
}

function codeOf(error: unknown, fallback: string): string {
  if (error instanceof AppError) return error.code;
  const code = databaseErrorCode(error);
  return code === undefined ? fallback : `database.${code.toLowerCase()}`;
}
