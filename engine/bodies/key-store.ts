import { AppError } from "@/domain/errors";

/** A tenant's day: all data keys of bodies of that day are wrapped by one key of the store. */
export interface KeyPeriod {
  readonly tenantId: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

/**
 * Where the keys are that wrap data keys: outside the database, so that no copy of the database opens a body whose period's key was
 * destroyed. A store keeps one key a period. Every member may be called by any number of processes at once.
 *
 * @throws of every member: KeyStoreUnavailableError when the store cannot be reached or must not be trusted
 */
export interface KeyStore {
  /** `file`, `vault`: as KEY_STORE names it. */
  readonly kind: string;
  /** Makes what it needs before its first use, where that is missing. By any number of processes at once, at any time. */
  prepare(): Promise<unknown>;
  /** Of this very store, such as `file:0191…`: a process that was given another one does not take its keys for destroyed. */
  id(): Promise<string>;
  /** Makes the period's key where there is none. @param plain at most 4 KiB @returns what only the same period's key opens */
  wrap(period: KeyPeriod, plain: Uint8Array): Promise<Buffer>;
  /** @returns undefined when the period's key is not there (any more) */
  unwrap(period: KeyPeriod, wrapped: Uint8Array): Promise<Buffer | undefined>;
  /** Destroys the keys of these days of a tenant; one that is not there is no error. */
  destroy(tenantId: string, days: readonly string[]): Promise<void>;
  /** @returns days before `before` (`YYYY-MM-DD`) whose key was made before it too, oldest first, at most `limit` */
  daysBefore(tenantId: string, before: string, limit: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Nothing is lost by it, and whether something took effect is not known here: the caller comes again. */
export class KeyStoreUnavailableError extends AppError {
  /** @param why one sentence for the log; a caller is not told it */
  constructor(why: string, cause?: unknown) {
    super("dependency.unavailable", 503, "The key store is not available", {
      detail: "What is stored cannot be opened or sealed right now. Retry with the same idempotency key.",
      retryable: true,
      certainty: "indefinite",
      retryAfter: 1,
      cause: new Error(why, { cause }),
    });
    this.name = "KeyStoreUnavailableError";
  }
}

/** The key needs another key store than this process has. */
export class OtherKeyStoreError extends KeyStoreUnavailableError {
  constructor(day: string, needed: string, given: string) {
    super(`the key of ${day} needs the key store ${needed}, and this process has ${given}`);
    this.name = "OtherKeyStoreError";
  }
}
