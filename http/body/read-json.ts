import { AppError } from "@/domain/errors";
import { decodeUtf8, parseJson, type ParsedJson } from "./parse-json";
import { readBytes } from "./read-bytes";

/** `application/json`, with a charset of UTF-8 or none. */
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/** Where a body comes from, whatever server received it. */
export interface BodySource {
  /** @returns null when the request has no such header */
  header(name: string): string | null;
  bytes(): Promise<Buffer>;
}

/**
 * The body of a command.
 *
 * @param options.optional no body at all is accepted, and is `undefined`
 * @throws AppError 413, 415, or 400; nothing is recorded
 */
export function readJson(request: Request, options: { readonly optional?: boolean } = {}): Promise<ParsedJson> {
  return readJsonFrom({ header: (name) => request.headers.get(name), bytes: () => readBytes(request) }, options);
}

/** As {@link readJson}. */
export async function readJsonFrom(
  source: BodySource,
  options: { readonly optional?: boolean } = {},
): Promise<ParsedJson> {
  const type = source.header("content-type");
  if (type !== null && !JSON_TYPE.test(type)) throw unsupported("Content-Type must be application/json.");
  const encoding = source.header("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity")
    throw unsupported("A compressed body is not accepted.");
  const bytes = await source.bytes();
  if (bytes.length === 0 && options.optional === true) return { value: undefined, fractions: [] };
  if (type === null) throw unsupported("Content-Type must be application/json.");
  return parseJson(decodeUtf8(bytes));
}

export function unsupported(detail: string): AppError {
  return new AppError("validation.content_type", 415, "Send JSON", { detail: `${detail} Nothing was recorded.` });
}
