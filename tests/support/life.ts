import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import type { OperationRegistry } from "@/engine/execute/operation";
import type { Operations } from "@/payments/operations";
import type { TestEnvironment } from "./environment";

/** Where an operation of a history lives, before there is one. */
export interface LifeBefore {
  readonly env: TestEnvironment;
  readonly tenant: string;
  readonly operations: Operations;
  readonly registry: OperationRegistry;
}

/** An operation that lives through a history. */
export interface Life extends LifeBefore {
  readonly operationId: string;
  readonly key: string;
  readonly client: () => EngineContext;
  /** Its request comes once more; `other`: another command under the same key. */
  readonly send: (other?: "other") => Promise<unknown>;
  /** Its own service settles what it left open, as far as it can; nothing for operations that are ours. */
  readonly recover: () => Promise<unknown>;
}

export const CALM = { error_after_accept: 0, error_before: 0, processing: 0, lookup_down: 0 };

/** What the product refuses to do now is left out. */
export async function unlessRefused(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
