import { wrongRegion } from "@/domain/access/wrong-region";
import { AppError, type Certainty } from "@/domain/errors";
import { OutOfTimeError } from "./deadline";

/** Seconds a caller is asked to wait while the database is away. */
const RETRY_AFTER_SECONDS = 1;

/** The statement never reached a working database: surely no effect. */
const REFUSED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "53000", // insufficient_resources
  "53100", // disk_full
  "53200", // out_of_memory
  "53300", // too_many_connections
  "57P03", // cannot_connect_now
  "08001", // sqlclient_unable_to_establish_sqlconnection
  "08004", // sqlserver_rejected_establishment_of_sqlconnection
  "25006", // read_only_sql_transaction: we reached a standby
  "25P03", // idle_in_transaction_session_timeout
]);

/** Of a socket: surely no effect while it is being opened, but an open connection may also end by one of them. */
const UNREACHABLE = new Set(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/** The connection broke under a statement: outside a transaction nobody knows whether it took effect. */
const BROKEN = new Set([
  "ECONNRESET",
  "EPIPE",
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P05", // idle_session_timeout
  "08000",
  "08003",
  "08006",
  "08007",
]);

/** node-postgres throws these without a code. */
const REFUSED_MESSAGE = /timeout exceeded when trying to connect|Connection terminated due to connection timeout/;
const BROKEN_MESSAGE =
  /Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end|Query read timeout/;

/** With the severity FATAL: PgBouncer says of what comes after a session's end that it is over. */
const POOLER_ENDED = "08P01";
/** A statement that ran into its time limit. */
export const QUERY_CANCELED = "57014";

/** Somebody else held what a statement needed; the database has undone it and nothing speaks against trying again. */
const CONTENTION = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "55P03", // lock_not_available: lock_timeout
]);

/** Of `require_here`: the tenant's rows are in another region's database. */
const MOVED = "OB002";

/** @param code of {@link databaseErrorCode} */
export function isContention(code: string | undefined): boolean {
  return code !== undefined && CONTENTION.has(code);
}

/** @returns the SQLSTATE or system error code of an error, if it has one (also that of a wrapped cause). */
export function databaseErrorCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 3; current = current.cause, depth += 1) {
    if ("code" in current && typeof current.code === "string") return current.code;
    if (current instanceof AggregateError) return databaseErrorCode(current.errors[0]);
  }
  return undefined;
}

/** @returns true when the statement surely did not reach the server. */
export function neverSent(error: unknown): boolean {
  return connectionFailure(error) === "refused";
}

/** @returns true when the error says that the connection itself failed, so the client must not be used again. */
export function isConnectionError(error: unknown): boolean {
  return connectionFailure(error) !== undefined;
}

function connectionFailure(error: unknown): "refused" | "broken" | undefined {
  // The ORM wraps what the driver throws.
  for (let current = error, depth = 0; current instanceof Error && depth < 3; current = current.cause, depth += 1) {
    if (current instanceof OutOfTimeError) return current.what === "not_started" ? "refused" : "broken";
    if (REFUSED_MESSAGE.test(current.message)) return "refused";
    if (BROKEN_MESSAGE.test(current.message)) return "broken";
    const code = databaseErrorCode(current);
    if (code === undefined) continue;
    if (code === POOLER_ENDED && isFatal(current)) return "broken";
    if (UNREACHABLE.has(code)) return isOpening(current) ? "refused" : "broken";
    return REFUSED.has(code) ? "refused" : BROKEN.has(code) ? "broken" : undefined;
  }
  return undefined;
}

function isFatal(error: Error): boolean {
  const { severity } = error as { readonly severity?: unknown };
  return severity === "FATAL" || (severity === undefined && error.cause instanceof Error && isFatal(error.cause));
}

function isOpening(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("syscall" in error) return error.syscall === "connect";
  return isOpening(error instanceof AggregateError ? error.errors[0] : error.cause);
}

/**
 * Turns what only the database layer understands into an answer for callers: a database that is away is
 * `dependency.unavailable` 503, a cancelled statement `dependency.timeout` 504, contention `transient.contention` 503, a tenant that was
 * moved `tenant.wrong_region` 421.
 * Everything else (a violated constraint, a bug) is returned as it came.
 *
 * @param options.certainty what the caller knows better: inside a transaction that was not committing it is `definite`
 */
export function mapDatabaseError(error: unknown, options: { certainty?: Certainty } = {}): unknown {
  if (error instanceof AppError) return error;
  const common = { retryable: true, retryAfter: RETRY_AFTER_SECONDS, cause: error };
  const failure = connectionFailure(error);
  if (failure !== undefined) {
    const certainty = options.certainty ?? (failure === "refused" ? "definite" : "indefinite");
    return new AppError("dependency.unavailable", 503, "The database is not available", {
      ...common,
      certainty,
      detail:
        certainty === "definite"
          ? "The database cannot be reached or did not answer in time. Retry with the same key."
          : "The database did not answer, and it is not known whether this request had an effect. Retry with the same key.",
      extensions: { dependency: "database" },
    });
  }
  const code = databaseErrorCode(error);
  if (code === QUERY_CANCELED) {
    return new AppError("dependency.timeout", 504, "The database did not answer in time", {
      ...common,
      certainty: options.certainty ?? "definite",
      extensions: { dependency: "database" },
    });
  }
  if (code === MOVED) return wrongRegion(undefined);
  if (isContention(code)) {
    return new AppError("transient.contention", 503, "Too many requests touch the same record", {
      ...common,
      certainty: options.certainty ?? "definite",
    });
  }
  return error;
}
