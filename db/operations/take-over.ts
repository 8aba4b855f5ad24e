import type { Queryable } from "@/db/client";
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
}

/** Takes recovery ownership atomically: each row goes to one caller, with its fence raised. */
export async function takeOver(db: Queryable, input: TakeOverInput): Promise<TakenOver[]> {
  const { rows } = await db.query<TakenOver>({
    name: "take_over",
    text: "select * from onceboard.take_over($1,$2,$3,$4,$5,$6)",
    values: [input.tenantId, input.owner, input.leaseMs, input.limit, input.operationId, input.now ?? false],
  });
  return rows;
}
