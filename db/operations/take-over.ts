import type { Queryable } from "@/db/client";
import { callRows } from "@/db/named-call";
import type { OperationState, Stage } from "@/domain/idempotency/states";

export interface TakeOverInput {
  readonly tenantId: string;
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  readonly operationId?: string;
  /** Ask now although the next look-up is not due; a live lease is never taken. */
  readonly now?: boolean;
}

export interface TakenOver {
  readonly operation_id: string;
  readonly operation: string;
  readonly key: string;
  readonly fence: number;
  readonly stage: Stage;
  readonly provider_key: string | null;
  readonly state: OperationState;
  readonly previous_owner: string | null;
  readonly opened_at: Date;
  readonly unknown_since: Date | null;
  readonly checks: number;
  /** Milliseconds since the claim, by the database clock. */
  readonly age_ms: bigint | string | number;
  /** Of the first request of the key. */
  readonly api_version: string;
}

/** Takes recovery ownership atomically: each row goes to one caller, with its fence raised. */
export function takeOver(db: Queryable, input: TakeOverInput): Promise<TakenOver[]> {
  const { tenantId: tenant, owner, leaseMs, limit, operationId, now: nowPlease = false } = input;
  return callRows(db, "take_over", { tenant, owner, leaseMs, limit, operationId, nowPlease });
}
