import {
  byAge,
  identityOf,
  readPendingAction,
  requirePendingAction,
  type PendingAction,
  type PendingStore,
} from "./pending-store";

export interface IndexedDbStoreOptions {
  /** Keeps the actions of different people of one browser apart: nobody may resume another's payment. */
  readonly namespace?: string;
  /** The browser's own if not given. */
  readonly factory?: IDBFactory;
}

const DATABASE = "onceboard-pending";
const ACTIONS = "actions";
const VERSION = 1;

/**
 * For browsers, service workers among them: `createIndexedDbStore({ namespace: userId })`. Looking and keeping are one transaction,
 * so that two tabs cannot both name one action, with or without Web Locks; it ends when the action is on the disk.
 */
export function createIndexedDbStore({ namespace = "", factory }: IndexedDbStoreOptions = {}): PendingStore {
  const itemOf = (action: PendingAction): IDBValidKey => [namespace, identityOf(action)];
  let connected: Promise<IDBDatabase> | undefined;
  const connect = (): Promise<IDBDatabase> => {
    connected ??= openDatabase(factory ?? indexedDB, () => (connected = undefined)).catch((error: unknown) => {
      connected = undefined;
      throw error;
    });
    return connected;
  };
  return {
    async open(action) {
      const kept = await inTransaction<string | undefined>(await connect(), "readwrite", (items, end) => {
        then<string | undefined>(items.get(itemOf(action)), (found) => {
          end(found);
          if (found === undefined) items.put(JSON.stringify(action), itemOf(action));
        });
      });
      return kept === undefined ? action : requirePendingAction(kept, `An item of ${DATABASE}`);
    },
    async remove(action) {
      await inTransaction<undefined>(await connect(), "readwrite", (items) => {
        then<string | undefined>(items.get(itemOf(action)), (found) => {
          if (found !== undefined && readPendingAction(found)?.key === action.key) items.delete(itemOf(action));
        });
      });
    },
    async list() {
      // An empty list sorts behind every text.
      const range = IDBKeyRange.bound([namespace], [namespace, []]);
      const texts = await inTransaction<readonly string[]>(await connect(), "readonly", (items, end) => {
        then<readonly string[]>(items.getAll(range), end);
      });
      return (texts ?? []).map((text) => requirePendingAction(text, `An item of ${DATABASE}`)).sort(byAge);
    },
  };
}

function openDatabase(factory: IDBFactory, onClosed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(DATABASE, VERSION);
    request.onupgradeneeded = () => request.result.createObjectStore(ACTIONS);
    request.onerror = () => reject(failureOf(request.error));
    request.onsuccess = () => {
      const database = request.result;
      // A connection that stays open would keep a page of a later version, or who deletes the data, waiting.
      database.onversionchange = () => {
        database.close();
        onClosed();
      };
      database.onclose = onClosed;
      resolve(database);
    };
  });
}

/** @returns what `act` ended with, once it is durable; undefined when it ended with nothing. */
function inTransaction<T>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  act: (items: IDBObjectStore, end: (result: T) => void) => void,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(ACTIONS, mode, { durability: "strict" });
    let result: T | undefined;
    transaction.oncomplete = () => resolve(result);
    transaction.onabort = () => reject(failureOf(transaction.error));
    act(transaction.objectStore(ACTIONS), (value) => (result = value));
  });
}

/** A request that fails aborts its transaction, which says so. */
function then<T>(request: IDBRequest, act: (value: T) => void): void {
  request.onsuccess = () => act(request.result as T);
}

function failureOf(error: DOMException | null): Error {
  return error ?? new Error(`${DATABASE} cannot be used.`);
}
