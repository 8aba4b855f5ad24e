export type * from "./api-types";
export type { Clock } from "./clock";
export {
  createClient,
  type ClientOptions,
  type KeyedAnswer,
  type OnceboardClient,
  type PostOptions,
  type ReadOptions,
  type Resumed,
} from "./create-client";
export {
  AnswerGoneError,
  AuthError,
  ConflictError,
  KeyExpiredError,
  OnceboardError,
  OutcomeUnknownError,
  PendingActionError,
  RefusedError,
  UnavailableError,
  type ClientErrorFacts,
  type UnknownReason,
} from "./errors";
export type { Hooks, Retry, Settled } from "./hooks";
export { createIndexedDbStore, type IndexedDbStoreOptions } from "./indexeddb-store";
export {
  createMemoryStore,
  createStorageStore,
  type PendingAction,
  type PendingStore,
  type StorageStoreOptions,
} from "./pending-store";
export { retryLogCsv, type AttemptRecord, type AttemptStatus } from "./retry-log";
export { DEFAULT_SCHEDULE, type Schedule } from "./schedule";
export type { Answer } from "./send";
export { uuidv7 } from "./uuidv7";
export { verifyProof, type ProofKey } from "./verify-proof";
