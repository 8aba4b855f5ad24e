import { createHmac, randomBytes } from "node:crypto";
import { pino, type Logger } from "pino";
import { lineOf, type LogFields } from "./log-fields";

type Level = "debug" | "info" | "warn" | "error";

/**
 * JSON lines of one process. A line holds what `LogFields` lists and nothing else: an allow-list, because a list of what is
 * forbidden misses the next thing.
 */
export interface Log extends Readonly<Record<Level, (fields: LogFields, text: string) => void>> {
  /** @returns a log whose lines have these fields too. */
  child(fields: LogFields): Log;
  /** Whether a line of this level is written: to leave out the work for one that is not. */
  writes(level: Level): boolean;
  /** @returns the name of a key in lines and spans: keyed by the deployment's secret and the tenant, 16 hex. */
  keyHash(tenantId: string, key: string): string;
}

export interface LogOptions {
  /** Keys the hashes: the same for all processes of a deployment. One for this process when left out. */
  readonly secret?: string | undefined;
  /** Where lines go; standard error when left out, so that standard output stays free for what a command prints. */
  readonly destination?: { write(line: string): void } | undefined;
}

const HASH_DIGITS = 16;
const SECRET_BYTES = 32;
/** Separates this use of the secret from every other one. */
const HASH_PURPOSE = "onceboard log: idempotency key";

interface LogLines {
  readonly lines: Logger;
  readonly keyHash: Log["keyHash"];
}

/** One is made for every request, so its methods are those of the class. */
class BoundLog implements Log {
  private readonly to: LogLines;
  private readonly bound: LogFields;

  constructor(to: LogLines, bound: LogFields) {
    this.to = to;
    this.bound = bound;
  }

  debug(fields: LogFields, text: string): void {
    this.write("debug", fields, text);
  }

  info(fields: LogFields, text: string): void {
    this.write("info", fields, text);
  }

  warn(fields: LogFields, text: string): void {
    this.write("warn", fields, text);
  }

  error(fields: LogFields, text: string): void {
    this.write("error", fields, text);
  }

  child(fields: LogFields): Log {
    return new BoundLog(this.to, Object.keys(this.bound).length === 0 ? fields : { ...this.bound, ...fields });
  }

  writes(level: Level): boolean {
    return this.to.lines.isLevelEnabled(level);
  }

  keyHash(tenantId: string, key: string): string {
    return this.to.keyHash(tenantId, key);
  }

  private write(level: Level, fields: LogFields, text: string): void {
    const { lines, keyHash } = this.to;
    if (lines.isLevelEnabled(level)) lines[level](lineOf({ ...this.bound, ...fields }, keyHash), text);
  }
}

/** @param level pino level name @param base fields of every line, e.g. `{process: "api"}` */
export function createLog(level: string, base: LogFields = {}, options: LogOptions = {}): Log {
  const secret = createHmac("sha256", options.secret ?? randomBytes(SECRET_BYTES))
    .update(HASH_PURPOSE)
    .digest();
  const keyHash = (tenantId: string, key: string): string =>
    createHmac("sha256", secret).update(`${tenantId}\0${key}`).digest("hex").slice(0, HASH_DIGITS);
  const lines = pino(
    // What a line says of an error is made by lineOf; pino would make its own of it.
    { level, base: lineOf(base, keyHash), serializers: { err: (made: unknown) => made } },
    options.destination ?? pino.destination({ fd: 2, sync: false }),
  );
  return new BoundLog({ lines, keyHash }, {});
}
