export {
  createClient,
  type AmountInput,
  type ClientOptions,
  type OnceboardClient,
  type Payment,
  type PaymentInput,
  type PostOptions,
  type Refund,
  type Resumed,
  type TypedAnswer,
} from "./create-client";
export {
  AuthError,
  ConflictError,
  InProgressError,
  KeyExpiredError,
  OnceboardError,
  OutcomeUnknownError,
  PendingActionError,
  RefusedError,
  UnavailableError,
} from "./errors";
export { createMemoryStore, createStorageStore, type PendingAction, type PendingStore } from "./pending-store";
export { retryLogCsv, type AttemptRecord } from "./retry-log";
export { DEFAULT_SCHEDULE, type Schedule } from "./schedule";
export type { Answer } from "./send";
export { uuidv7 } from "./uuidv7";
