import type { Queryable } from "@/db/client";
import type { OperationState, Stage } from "@/domain/states";

export interface ClaimInput {
  readonly tenantId: string;
  readonly operation: string;
  readonly key: string;
  /** UUIDv7 for a new operation; the existing one's id comes back otherwise. */
  readonly operationId: string;
  readonly principal: string;
  readonly fingerprint: Buffer;
  readonly fingerprintVersion: number;
  readonly apiVersion: string;
  readonly accountId: string | undefined;
  readonly reference: string | undefined;
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
  readonly owner: string;
  readonly leaseMs: number;
  readonly ttlHours: number;
  readonly metadataDays: number;
  readonly maxAttempts: number;
  readonly commandSealed: Buffer;
  /** Absent on the local path: claim and answer commit together. */
  readonly eventId: string | undefined;
  readonly requestId: string;
}

export interface ClaimRow {
  readonly outcome: "claimed" | "replay" | "conflict" | "in_progress" | "stale" | "unknown" | "expired" | "exhausted";
  readonly operation_id: string;
  readonly state: OperationState;
  readonly fence: number;
  readonly attempts: number;
  readonly stage: Stage | null;
  readonly foreign_principal: boolean;
  readonly response_status: number | null;
  readonly response_schema_version: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly error_code: string | null;
  readonly headers: Record<string, string> | null;
  readonly body: Buffer | null;
  readonly command: Buffer | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  readonly expires_at: Date;
  readonly locked_until: Date | null;
  readonly asked_at: Date;
}

/** Claims a key or says what it stands for: one round trip (S1.2). @throws the driver's error; 55P03 when another claim of the key is not committed in time. */
export async function claim(db: Queryable, input: ClaimInput): Promise<ClaimRow> {
  const { rows } = await db.query<ClaimRow>({
    name: "claim",
    text: "select * from onceboard.claim($1,$2,$3,$4,$5,$6,$7::smallint,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20)",
    values: [
      input.tenantId,
      input.operation,
      input.key,
      input.operationId,
      input.principal,
      input.fingerprint,
      input.fingerprintVersion,
      input.apiVersion,
      input.accountId,
      input.reference,
      input.amountMinor,
      input.currency,
      input.owner,
      input.leaseMs,
      input.ttlHours,
      input.metadataDays,
      input.maxAttempts,
      input.commandSealed,
      input.eventId,
      input.requestId,
    ],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("claim() returned no row");
  return row;
}
