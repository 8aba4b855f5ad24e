import { createHmac, hkdfSync } from "node:crypto";
import type { Database } from "@/db/client";
import { callerKey, originalKey } from "@/domain/idempotency/idempotency-key";
import { uuidv7Time } from "@/domain/idempotency/uuidv7-time";
import { isLater, whenThere, type Soon } from "@/domain/soon";
import type { DataKeyName, DataKeyWrapping, WrappedKeyRow } from "@/db/bodies/data-keys";
import { createDataKeys, isGone, type DataKeys } from "./data-keys";
import { decrypt, encrypt, KEY_BYTES, readKeyEntries } from "./key-entries";
import type { KeyStore } from "./key-store";

/** First byte of a stored body: as it is, by a service that speaks SQL only and keeps nothing secret (docs/SQL-CONTRACT.md). */
const PLAIN = 0;
/** First byte: sealed by an entry of ENCRYPTION_KEYS itself, before there were data keys. */
const BY_ENTRY = 1;
/** First byte: sealed by the data key of a day, whose number follows in two bytes. */
const BY_DAY = 2;
const HEAD_BYTES = 3;
/** First byte of what is sealed under a tenant's key for personal fields. */
const PERSONAL_HEAD = Buffer.from([1]);
const OURS: ReadonlySet<number | undefined> = new Set([PLAIN, BY_ENTRY, BY_DAY]);
const DAY_MS = 86_400_000;

/** @returns whether a service keeps this body to itself: no key of ours opens it, now or later. */
export function keptElsewhere(sealed: Uint8Array): boolean {
  return !OURS.has(sealed[0]);
}

/** @returns whether a service stored this body in the open. */
export function keptInTheOpen(sealed: Uint8Array): boolean {
  return sealed[0] === PLAIN;
}

/** What a stored body belongs to; nothing else opens it. */
export interface BodySubject {
  readonly tenantId: string;
  readonly operation: string;
  readonly key: string;
  readonly operationId: string;
}

/** Of the body: `command`, `response`, or `conflict:<event id>` for the command of a refused retry. */
export type BodyKind = "command" | "response" | `conflict:${string}`;

export interface KeyringOptions {
  readonly db: Pick<Database, "pool">;
  /** Entries `id:base64(32 bytes)` separated by commas; the first one wraps, all of them unwrap. */
  readonly encryptionKeys: string;
  readonly secret: string;
  /** Holds the keys of periods; without one data keys are wrapped by ENCRYPTION_KEYS alone. */
  readonly keyStore?: KeyStore | undefined;
}

/** What is stored is not what was sealed: nothing opens it, now or later. */
export class UnreadableMessageError extends Error {
  constructor(options?: ErrorOptions) {
    super("this is no sealed message, or was sealed for another one", options);
    this.name = "UnreadableMessageError";
  }
}

/** Whether bytes begin as what is sealed under the key of a day does. */
export const isSealedByDay = (bytes: Buffer): boolean => bytes.length > HEAD_BYTES && bytes[0] === BY_DAY;

function openByDay(keys: DataKeys, tenantId: string, sealed: Buffer, binding: readonly string[]): Soon<Buffer> {
  const key = keys.body(tenantId, dayText(sealed.readUInt16BE(1)));
  return whenThere(key, (known) => decrypt(sealed, HEAD_BYTES, known, binding));
}

async function openMessage(keys: DataKeys, sealed: Buffer, tenantId: string, id: string): Promise<Buffer> {
  // What names a day without a key was never sealed, and makes none.
  const key = isSealedByDay(sealed) ? await keys.standing(tenantId, dayText(sealed.readUInt16BE(1))) : undefined;
  if (key === undefined) throw new UnreadableMessageError();
  try {
    return decrypt(sealed, HEAD_BYTES, key, ["message", tenantId, id]);
  } catch (cause) {
    throw new UnreadableMessageError({ cause });
  }
}

async function personalKey(keys: DataKeys, tenantId: string): Promise<Buffer> {
  const key = await keys.fingerprint(tenantId);
  return Buffer.from(hkdfSync("sha256", key, tenantId, "onceboard personal", KEY_BYTES));
}

export type BodyKeyring = ReturnType<typeof createBodyKeyring>;

/** @throws Error naming the broken entry of ENCRYPTION_KEYS, never its value */
export function createBodyKeyring(options: KeyringOptions) {
  const entries = readKeyEntries(options.encryptionKeys);
  const { db, secret, keyStore } = options;
  const keys = createDataKeys({ db, entries, secret, keyStore });
  return {
    /** AES-256-GCM under the tenant's key of the operation's day, bound to tenant, operation, key and kind. */
    seal(plain: Uint8Array, subject: BodySubject, kind: BodyKind): Soon<Buffer> {
      // The day of the operation's id, so that a key dies with all that belongs to the operations of its day.
      const day = dayOf(uuidv7Time(subject.operationId) ?? Date.now());
      return sealFor(subject.tenantId, day, plain, bindingOf(subject, kind));
    },
    /** AES-256-GCM under the tenant's key of today, bound to tenant and message. @param id of the message */
    sealMessage: (tenantId: string, id: string, plain: Uint8Array): Soon<Buffer> =>
      sealFor(tenantId, dayOf(Date.now()), plain, ["message", tenantId, id]),
    /** @throws KeyDestroyedError, KeyStoreUnavailableError as {@link open} does; UnreadableMessageError */
    openMessage: (tenantId: string, id: string, sealed: Buffer): Promise<Buffer> =>
      openMessage(keys, sealed, tenantId, id),
    /**
     * @throws KeyDestroyedError when the day's key is gone; KeyStoreUnavailableError when it cannot be had now; Error when bytes or binding
     *   are not what was sealed
     */
    open(sealed: Uint8Array, subject: BodySubject, kind: BodyKind): Soon<Buffer> {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      switch (bytes[0]) {
        case BY_DAY:
          return openByDay(keys, subject.tenantId, bytes, bindingOf(subject, kind));
        case BY_ENTRY:
          return entries.open(bytes, [subject.tenantId, subject.operationId, kind]);
        case PLAIN:
          return bytes.subarray(1);
        default:
          throw new Error("this body was sealed by the service itself");
      }
    },
    /** Keyed, so that nobody who reads the table can guess amounts. 32 bytes. */
    fingerprint: (tenantId: string, canonical: string): Soon<Buffer> =>
      whenThere(keys.fingerprint(tenantId), (key) => createHmac("sha256", key).update(canonical).digest()),
    /**
     * Of a person, for as long as a module keeps it: under a key of the tenant that ENCRYPTION_KEYS wraps, also once its entry is another.
     * It ages with no day, so a copy of the database and ENCRYPTION_KEYS open it.
     *
     * @param binding what it belongs to; nothing else opens it
     */
    sealPersonal: async (tenantId: string, plain: Uint8Array, binding: readonly string[]): Promise<Buffer> =>
      encrypt(PERSONAL_HEAD, await personalKey(keys, tenantId), plain, [tenantId, ...binding]),
    /** @throws Error when bytes, tenant or binding are not what was sealed */
    async openPersonal(tenantId: string, sealed: Uint8Array, binding: readonly string[]): Promise<Buffer> {
      const bytes = Buffer.from(sealed);
      return decrypt(bytes, PERSONAL_HEAD.length, await personalKey(keys, tenantId), [tenantId, ...binding]);
    },
    /** For secrets that never age, such as those of event sources: sealed by ENCRYPTION_KEYS directly. */
    sealSecret: (plain: Uint8Array, binding: readonly string[]): Buffer => entries.seal(plain, binding),
    openSecret: (sealed: Uint8Array, binding: readonly string[]): Buffer => entries.open(sealed, binding),
    wrapsWith: entries.current,
    keyStore,
    /** @returns the same data key as it should be wrapped now; undefined when its own entry is not there any more */
    rewrap: (name: DataKeyName, row: WrappedKeyRow): Promise<DataKeyWrapping | undefined> => keys.rewrap(name, row),
    /** Drops the body key of a day (`YYYY-MM-DD`) from memory at once. */
    forget: (tenantId: string, day: string): void => {
      keys.forget(tenantId, day);
    },
  };

  function sealFor(tenantId: string, day: number, plain: Uint8Array, binding: readonly string[]): Soon<Buffer> {
    const key = keys.body(tenantId, dayText(day));
    if (!isLater(key)) return sealUnder(day, key, plain, binding);
    const later = sealingKey(tenantId, day, key);
    return later.then((found) => sealUnder(found.day, found.key, plain, binding));
  }

  /** @param day of days since 1970 @param wanted its key @returns that, or the key of a later day where it is gone */
  async function sealingKey(
    tenantId: string,
    day: number,
    wanted: Promise<Buffer>,
  ): Promise<{ readonly day: number; readonly key: Buffer }> {
    try {
      return { day, key: await wanted };
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    // An operation that ran again after its day was shredded: what it leaves now lives as long as today's bodies.
    const today = dayOf(Date.now());
    try {
      if (day < today) return { day: today, key: await keys.body(tenantId, dayText(today)) };
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    // Today's own key is gone only where the key store was lost or changed: new work goes on, and lives as long as tomorrow's.
    return { day: today + 1, key: await keys.body(tenantId, dayText(today + 1)) };
  }
}

function sealUnder(day: number, key: Buffer, plain: Uint8Array, binding: readonly string[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(BY_DAY);
  head.writeUInt16BE(day, 1);
  return encrypt(head, key, plain, binding);
}

function bindingOf(subject: BodySubject, kind: BodyKind): readonly string[] {
  const { tenantId, operation, key, operationId } = subject;
  return [tenantId, operation, callerKey(originalKey(key, operationId)), operationId, kind];
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

let lastDay = { day: 0, text: "1970-01-01" };

/** Nearly every body is of today, so the last text is kept. */
function dayText(day: number): string {
  if (lastDay.day !== day) lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  return lastDay.text;
}
