import type { Context } from "hono";
import { AppError } from "@/domain/errors";
import { parseIdempotencyKey, type ParsedKey } from "@/domain/idempotency/idempotency-key";
import type { ApiEnv } from "../env";
import { DOCS_PATH } from "./readable-path";
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";

const NAME = "idempotency-key";
/** Where the rules of the header are explained; also sent as a link, as the standard asks. */
export const KEY_HELP = `${DOCS_PATH}#idempotency-key`;

/**
 * @returns the key, the same for its quoted and its bare form; undefined without a header
 * @throws AppError `idempotency.key_invalid` 400; nothing is recorded
 */
export function givenKey<Env extends ApiEnv>(c: Context<Env>): string | undefined {
  const parsed = readKey(c);
  if (parsed.kind === "invalid") throw keyInvalid("The Idempotency-Key header is not usable", parsed.reason);
  return parsed.kind === "key" ? parsed.key : undefined;
}

/**
 * @returns the key
 * @throws AppError `idempotency.key_missing` or `idempotency.key_invalid` 400; nothing is recorded
 */
export function requireKey<Env extends ApiEnv>(c: Context<Env>): string {
  const key = givenKey(c);
  if (key === undefined) throw keyMissing("An Idempotency-Key header is needed");
  return key;
}

/** Reads the header and keeps it for the echo when it is a good one. */
export function readKey<Env extends ApiEnv>(c: Context<Env>): ParsedKey {
  const lines = headerLines(c);
  const parsed = parseIdempotencyKey(lines);
  if (parsed.kind === "key") c.set("keyEcho", lines[0]?.trim());
  return parsed;
}

export function keyMissing(title: string): AppError {
  return new AppError("idempotency.key_missing", 400, title, {
    detail: `Send one key per business action and the same key on every retry, see ${KEY_HELP}. Nothing was recorded.`,
    extensions: { help: KEY_HELP },
  });
}

export function keyInvalid(title: string, reason: string): AppError {
  return new AppError("idempotency.key_invalid", 400, title, {
    detail: `The key was refused: ${reason}, see ${KEY_HELP}. Nothing was recorded.`,
    extensions: { help: KEY_HELP },
  });
}

/** Two lines are one joined value in a fetch Headers object, so Node's raw lines are counted where there are some. */
function headerLines<Env extends ApiEnv>(c: Context<Env>): string[] {
  const raw = incomingOf(c)?.rawHeaders;
  if (raw === undefined) {
    const joined = c.req.header(NAME);
    return joined === undefined ? [] : [joined];
  }
  const lines: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? "";
    if (name.length === NAME.length && name.toLowerCase() === NAME) lines.push(raw[index + 1] ?? "");
  }
  return lines;
}

/** @returns Node's own request where Node's server hosts us; behind Next there is none, and not even an `env`. */
export function incomingOf<Env extends ApiEnv>(c: Context<Env>): IncomingMessage | undefined {
  return (c.env as Partial<HttpBindings> | undefined)?.incoming;
}
