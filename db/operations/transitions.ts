import type { Queryable } from "@/db/client";
import { callRows, callScalar } from "@/db/named-call";
import { EVERY_KEY, type KeyStretch } from "@/db/retention/stretch";

export interface MarkUnknownInput {
  readonly tenantId: string;
  readonly operationId: string;
  readonly fence: number;
  readonly errorCode: string | undefined;
  /** What the last look-up said, for the attention queue. */
  readonly finding: string | undefined;
  /** Whether a look-up was made (it counts). */
  readonly checked: boolean;
  /** Undefined: no more look-ups by itself. */
  readonly nextCheckMs: number | undefined;
}

/** The outcome is not known: gives the lease up and plans the next look-up. @returns false when fenced. */
export async function markUnknown(db: Queryable, input: MarkUnknownInput): Promise<boolean> {
  const { tenantId: tenant, nextCheckMs, ...rest } = input;
  const rounded = nextCheckMs === undefined ? undefined : Math.round(nextCheckMs);
  return (await callScalar<boolean>(db, "mark_unknown", { tenant, ...rest, nextCheckMs: rounded })) === true;
}

/** Definitely no effect: the same key may run again. @returns false when fenced. */
export async function failRetryable(
  db: Queryable,
  tenant: string,
  operationId: string,
  fence: number,
  errorCode: string,
): Promise<boolean> {
  return (await callScalar<boolean>(db, "fail_retryable", { tenant, operationId, fence, errorCode })) === true;
}

/** Says who looks after an open operation. @param to `kind:id`; undefined: nobody @returns who did before; undefined when it is not open */
export async function assignOperationRow(
  db: Queryable,
  tenant: string,
  operationId: string,
  to: string | undefined,
): Promise<{ readonly was: string | null } | undefined> {
  return (await callRows<{ was: string | null }>(db, "assign_operation", { tenant, operationId, to }))[0];
}

/** Settled → EXPIRED where the window is over, in one batch. @param stretch of the ends of windows that it looks at */
export async function expireRequests(
  db: Queryable,
  tenant: string,
  limit: number,
  { from, to }: KeyStretch = EVERY_KEY,
): Promise<number> {
  return (await callScalar<number>(db, "expire_requests", { tenant, limit, from, to })) ?? 0;
}
