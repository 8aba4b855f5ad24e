import { pino, type Logger } from "pino";

export type Log = Logger;

/** Fields that may hold a secret or a body; they never reach a log line, wherever they are nested one level deep. */
const REDACTED = ["authorization", "cookie", "key", "idempotencyKey", "body", "command", "password", "secret", "token"];

/**
 * @param level pino level name
 * @param base fields of every line, e.g. `{process: "api"}`
 * @returns a JSON logger on stderr, so that stdout stays free for what a command prints.
 */
export function createLog(level: string, base: Record<string, unknown> = {}): Log {
  return pino(
    { level, base, redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" } },
    pino.destination({ fd: 2, sync: false }),
  );
}
