import type { Queryable } from "@/db/client";
import { callScalar, namedCall } from "@/db/named-call";

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
  const { call, values } = namedCall("mark_unknown", {
    tenant: input.tenantId,
    operation_id: input.operationId,
    fence: input.fence,
    error_code: input.errorCode,
    finding: input.finding,
    checked: input.checked,
    next_check_ms: input.nextCheckMs === undefined ? undefined : Math.round(input.nextCheckMs),
  });
  const { rows } = await db.query<{ done: boolean }>({
    name: "mark_unknown",
    text: `select ${call} as done`,
    values,
  });
  return rows[0]?.done === true;
}

/** Definitely no effect: the same key may run again. @returns false when fenced. */
export async function failRetryable(
  db: Queryable,
  tenantId: string,
  operationId: string,
  fence: number,
  errorCode: string,
): Promise<boolean> {
  return (await callScalar<boolean>(db, "fail_retryable", [tenantId, operationId, fence, errorCode])) === true;
}

/** Says who looks after an open operation. @param to `kind:id`; undefined: nobody @returns who did before; undefined when it is not open */
export async function assignOperationRow(
  db: Queryable,
  tenantId: string,
  operationId: string,
  to: string | undefined,
): Promise<{ readonly was: string | null } | undefined> {
  const { rows } = await db.query<{ was: string | null }>({
    name: "assign_operation",
    text: "select was from onceboard.assign_operation($1,$2,$3)",
    values: [tenantId, operationId, to ?? null],
  });
  return rows[0];
}

/** Settled → EXPIRED where the window is over, in one batch. @param from where the caller's last walk ended. */
export async function expireRequests(
  db: Queryable,
  tenantId: string,
  limit: number,
  from: Date | undefined,
): Promise<number> {
  const { rows } = await db.query<{ expired: number }>({
    name: "expire_requests",
    text: "select onceboard.expire_requests($1,$2,coalesce($3::timestamptz,'-infinity')) as expired",
    values: [tenantId, limit, from],
  });
  return rows[0]?.expired ?? 0;
}
