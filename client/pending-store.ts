/** A business action whose outcome is not known yet, with everything needed to send it again byte for byte. */
export interface PendingAction {
  readonly key: string;
  /** Name the caller gave to the action, e.g. `checkout-4711`; one name is one key while it is pending. */
  readonly name?: string;
  /** Of the API it belongs to: it is never sent to another one. */
  readonly baseUrl: string;
  /** Below `/api/v1`. */
  readonly path: string;
  /** JSON text as it was sent first; empty for none. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Where keys live while their action is pending; outlives the page or the process if the store does. Several tabs or
 * processes may use one store at a time: `open` decides which of them names the action, and who finds it open sends it
 * under the same key, which is harmless by the meaning of a key.
 */
export interface PendingStore {
  /**
   * Keeps the action, durably, unless one of the same identity (its name, else its path and key) is kept already.
   * @returns the one that is kept: the same object when it is this one
   */
  open(action: PendingAction): Promise<PendingAction>;
  /** Forgets it. Another action that has taken its name meanwhile stays. */
  remove(action: PendingAction): Promise<void>;
  /** Oldest first. */
  list(): Promise<PendingAction[]>;
}

/** Actions that a store of memory holds; more of them pending means that nobody resumes or forgets. */
export const MAX_PENDING = 10_000;

/** For tests and for callers that keep keys themselves: forgets all when the process ends. */
export function createMemoryStore(): PendingStore {
  const actions = new Map<string, PendingAction>();
  return {
    open: (action) =>
      attempt(() => {
        const kept = actions.get(identityOf(action));
        if (kept) return kept;
        if (actions.size >= MAX_PENDING) throw new Error(`${String(MAX_PENDING)} actions are pending already.`);
        actions.set(identityOf(action), action);
        return action;
      }),
    remove: (action) =>
      attempt(() => {
        if (actions.get(identityOf(action))?.key === action.key) actions.delete(identityOf(action));
      }),
    list: () => attempt(() => [...actions.values()].sort(byAge)),
  };
}

export interface StorageStoreOptions {
  /** Keeps the actions of different people of one browser apart: nobody may resume another's payment. */
  readonly namespace?: string;
  /** Web Locks of the browser; `null` does without them. */
  readonly locks?: Pick<LockManager, "request"> | null;
}

/**
 * For browsers: `createStorageStore(localStorage, { namespace: userId })`. One item per action, so that tabs do not overwrite
 * each other, and each change under a Web Lock, so that two tabs cannot both name one action. A page without a secure
 * context has no Web Locks: there, two clicks in two tabs within the same milliseconds may get a key each.
 */
export function createStorageStore(storage: Storage, options: StorageStoreOptions = {}): PendingStore {
  const prefix = `onceboard.pending.${encodeURIComponent(options.namespace ?? "")}.`;
  const locks = options.locks === undefined ? browserLocks() : options.locks;
  const alone = <T>(act: () => T): Promise<T> => (locks ? locks.request(prefix, () => attempt(act)) : attempt(act));
  const read = (item: string | null): PendingAction | undefined => {
    const text = item?.startsWith(prefix) ? storage.getItem(item) : null;
    return text === null ? undefined : readPendingAction(text);
  };
  return {
    open: (action) =>
      alone(() => {
        const item = prefix + identityOf(action);
        const kept = read(item);
        if (kept) return kept;
        storage.setItem(item, JSON.stringify(action));
        return action;
      }),
    remove: (action) =>
      alone(() => {
        const item = prefix + identityOf(action);
        if (read(item)?.key === action.key) storage.removeItem(item);
      }),
    list: () =>
      attempt(() => {
        const items = Array.from({ length: storage.length }, (_, index) => storage.key(index));
        return items.flatMap((item) => read(item) ?? []).sort(byAge);
      }),
  };
}

/** What one store holds once at a time: a name of one API, or a key of one of its operations. */
export function identityOf({ baseUrl, path, key, name }: PendingAction): string {
  return JSON.stringify(name === undefined ? [baseUrl, "key", path, key] : [baseUrl, "name", name]);
}

/** @returns `undefined` for text that no store of this library wrote. */
export function readPendingAction(text: string): PendingAction | undefined {
  try {
    const value = JSON.parse(text) as Partial<PendingAction> | null;
    const texts = [value?.key, value?.baseUrl, value?.path, value?.body];
    const whole = texts.every((member) => typeof member === "string") && typeof value?.createdAt === "number";
    return whole ? (value as PendingAction) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws when it is no action: what it stands for must not be sent under another key. */
export function requirePendingAction(text: string, place: string): PendingAction {
  const action = readPendingAction(text);
  if (!action) throw new Error(`${place} is no pending action.`);
  return action;
}

export function byAge(a: PendingAction, b: PendingAction): number {
  return a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1);
}

/** Absent in Node before 24 and in pages without a secure context. */
function browserLocks(): Pick<LockManager, "request"> | undefined {
  return (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
}

/** A full or forbidden storage must reject, not throw past the promise. */
function attempt<T>(act: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(act());
  });
}
