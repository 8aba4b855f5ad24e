import { beforeDeadline, OutOfTimeError, withoutDeadline } from "@/db/deadline";
import type { Soon } from "@/domain/soon";

/** A short, bounded memory of what the database answered. */
export interface ReadCache<Value> {
  /**
   * @param read shared by all who come meanwhile; nothing is remembered of a read that failed or found nothing
   * @returns the value itself once it has arrived
   */
  get(name: string, read: () => Promise<Value>): Soon<Value>;
  forget(name: string): void;
  readonly size: number;
}

export interface ReadCacheOptions {
  /** Milliseconds, counted from when the read began: a value is never believed longer than this. */
  readonly ttlMs: number;
  /** The entry that was read longest ago makes room. */
  readonly maxEntries: number;
  /** So long before its end a value is read again while the old one still serves. */
  readonly renewMs?: number;
  /** Whether an error of such a read says that the value is no more: then the old one goes at once. */
  readonly isGone?: (error: unknown) => boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: (() => number) | undefined;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly until: number;
  /** Missing: it has not arrived yet. */
  arrived?: { readonly value: Value };
  renewing: boolean;
}

export function createReadCache<Value>({
  ttlMs,
  maxEntries,
  renewMs = 0,
  isGone = () => false,
  now = () => performance.now(),
}: ReadCacheOptions): ReadCache<Value> {
  const entries = new Map<string, Entry<Value>>();

  function begin(read: () => Promise<Value>): Entry<Value> {
    return { value: withoutDeadline(read), until: now() + ttlMs, renewing: false };
  }

  function keep(name: string, entry: Entry<Value>): void {
    entries.delete(name);
    if (entries.size >= maxEntries) {
      const oldest = entries.keys().next();
      if (oldest.done !== true) entries.delete(oldest.value);
    }
    entries.set(name, entry);
  }

  function drop(name: string, entry: Entry<Value>): void {
    if (entries.get(name) === entry) entries.delete(name);
  }

  /** What is known serves until its own end; a renewal that failed may be tried again before it. */
  function renew(name: string, known: Entry<Value>, read: () => Promise<Value>): void {
    known.renewing = true;
    const next = begin(read);
    next.value.then(
      (value) => {
        next.arrived = { value };
        if (entries.get(name) === known) keep(name, next);
      },
      (error: unknown) => {
        known.renewing = false;
        if (isGone(error)) drop(name, known);
      },
    );
  }

  function readFirst(name: string, read: () => Promise<Value>): Entry<Value> {
    const entry = begin(read);
    keep(name, entry);
    entry.value.then(
      (value) => {
        entry.arrived = { value };
        if (value === undefined) drop(name, entry);
      },
      () => {
        drop(name, entry);
      },
    );
    return entry;
  }

  return {
    get(name, read) {
      const known = entries.get(name);
      const left = known === undefined ? 0 : known.until - now();
      if (known !== undefined && left > 0 && left < renewMs && !known.renewing) renew(name, known, read);
      const entry = known !== undefined && left > 0 ? known : readFirst(name, read);
      if (entry.arrived !== undefined) return entry.arrived.value;
      return beforeDeadline(entry.value, () => {
        // Whoever comes next does not wait for a read that stands still.
        drop(name, entry);
        return new OutOfTimeError("not_started");
      });
    },
    forget: (name) => void entries.delete(name),
    get size() {
      return entries.size;
    },
  };
}
