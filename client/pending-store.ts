/** A business action whose outcome is not known yet, with everything needed to send it again byte for byte. */
export interface PendingAction {
  readonly key: string;
  /** Name the caller gave to the action, e.g. `checkout-4711`; one name is one key while it is pending. */
  readonly name?: string;
  readonly path: string;
  /** JSON text as it was sent first. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Where keys live while their action is pending (S1.4); outlives the page or the process if the store does. */
export interface PendingStore {
  put(action: PendingAction): Promise<void>;
  remove(key: string): Promise<void>;
  /** Oldest first. */
  list(): Promise<PendingAction[]>;
}

/** For tests and for callers that keep keys themselves: forgets all when the process ends. */
export function createMemoryStore(): PendingStore {
  const actions = new Map<string, PendingAction>();
  return {
    put: (action) => Promise.resolve(void actions.set(action.key, action)),
    remove: (key) => Promise.resolve(void actions.delete(key)),
    list: () => Promise.resolve([...actions.values()].sort(byAge)),
  };
}

const PREFIX = "onceboard.pending.";

/** For browsers: `createStorageStore(localStorage)`. One item per key, so that tabs do not overwrite each other. */
export function createStorageStore(storage: Storage): PendingStore {
  const list = (): PendingAction[] => {
    const actions: PendingAction[] = [];
    for (let index = 0; index < storage.length; index += 1) {
      const item = storage.key(index);
      const text = item?.startsWith(PREFIX) ? storage.getItem(item) : null;
      const action = text === null ? undefined : readPendingAction(text);
      if (action) actions.push(action);
    }
    return actions.sort(byAge);
  };
  return {
    put: (action) =>
      attempt(() => {
        storage.setItem(PREFIX + action.key, JSON.stringify(action));
      }),
    remove: (key) =>
      attempt(() => {
        storage.removeItem(PREFIX + key);
      }),
    list: () => attempt(list),
  };
}

/** @returns `undefined` for text that no store of this library wrote. */
export function readPendingAction(text: string): PendingAction | undefined {
  try {
    const value = JSON.parse(text) as Partial<PendingAction> | null;
    const whole =
      typeof value?.key === "string" &&
      typeof value.path === "string" &&
      typeof value.body === "string" &&
      typeof value.createdAt === "number";
    return whole ? (value as PendingAction) : undefined;
  } catch {
    return undefined;
  }
}

export function byAge(a: PendingAction, b: PendingAction): number {
  return a.createdAt - b.createdAt || a.key.localeCompare(b.key);
}

/** A full or forbidden storage must reject, not throw past the promise. */
function attempt<T>(act: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(act());
  });
}
