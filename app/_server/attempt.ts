import "server-only";

import { randomBytes } from "node:crypto";
import { AppError, toAppError } from "@/domain/errors";
import { withDeadline } from "@/db/deadline";
import { mapDatabaseError } from "@/db/errors";
import type { EngineContext } from "@/engine/context";

/** Longest that a page waits for one read: longer than any statement of it may run. */
const PAGE_READ_LIMIT_MS = 15_000;
const DIGEST_BYTES = 4;

/** @throws AppError `dependency.unavailable`, `dependency.timeout` 503/504, with a digest that components/feedback/route-error.tsx reads */
export async function pageRead<Value>(read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await withDeadline(performance.now() + PAGE_READ_LIMIT_MS, async () => read());
  } catch (cause) {
    const error: unknown = mapDatabaseError(cause);
    // Next shows a browser nothing of an error but this, and logs it too.
    if (error instanceof AppError && error.code.startsWith("dependency."))
      throw Object.assign(error, { digest: `${error.code} ${randomBytes(DIGEST_BYTES).toString("hex")}` });
    throw cause;
  }
}

export type ReadAttempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: AppError; readonly requestId: string };

/** A read of one thing. What the read replica does not have may be there all the same: then it is read again, from the primary. */
export async function readOrAgain<Value>(ctx: EngineContext, read: () => Value | Promise<Value>): Promise<Value> {
  const found = await read();
  return found === undefined && ctx.db.reads?.leave() === true ? read() : found;
}

/** Runs a read for a page: what went wrong becomes a sentence on that page, with the id under which it is logged. */
export async function attempt<Value>(
  ctx: EngineContext,
  read: () => Value | Promise<Value>,
): Promise<ReadAttempt<Value>> {
  try {
    return { ok: true, value: await pageRead(read) };
  } catch (cause) {
    const error = toAppError(mapDatabaseError(cause));
    if (error.status >= 500) ctx.log.error({ err: cause, requestId: ctx.requestId }, "a page did not load");
    return { ok: false, error, requestId: ctx.requestId };
  }
}
