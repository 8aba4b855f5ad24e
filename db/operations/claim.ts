import type { Queryable } from "@/db/client";
import type { ClaimOutcome, OperationState, Stage } from "@/domain/idempotency/states";
import { callRows } from "../named-call";

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
  /** `principal`: two clients may use one key for different commands. */
  readonly scope?: "operation" | "principal" | undefined;
  /** Of key, function and version, where a function of the mesh runs the operation. */
  readonly identityHash?: Buffer | undefined;
  readonly accountId: string | undefined;
  readonly reference: string | undefined;
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
  readonly owner: string;
  readonly leaseMs: number;
  readonly ttlSeconds: number;
  readonly metadataDays: number;
  readonly maxAttempts: number;
  /** What a retry after the window gets. */
  readonly expired: "reject" | "execute";
  readonly commandSealed: Buffer;
  /** Absent on the local path: claim and answer commit together. */
  readonly eventId: string | undefined;
  readonly requestId: string;
  /** Where this process stands; a tenant of another home is refused. */
  readonly region?: string | undefined;
}

export interface ClaimRow {
  /** `other_fingerprint_version`: made under other rules or another API version; compute by those and claim again. */
  readonly outcome: ClaimOutcome;
  readonly operation_id: string;
  readonly state: OperationState;
  readonly fence: number;
  readonly attempts: number;
  readonly stage: Stage | null;
  readonly foreign_principal: boolean;
  /** Null when nothing is stored about the key any more; so are the times below. */
  readonly fingerprint: Buffer | null;
  readonly fingerprint_version: number | null;
  readonly api_version: string | null;
  readonly response_status: number | null;
  readonly response_schema_version: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly error_code: string | null;
  readonly replay: "stored" | "reference" | "none" | null;
  readonly body_purged: boolean;
  readonly headers: Record<string, string> | null;
  readonly body: Buffer | null;
  readonly command: Buffer | null;
  readonly created_at: Date | null;
  readonly completed_at: Date | null;
  readonly expires_at: Date | null;
  readonly locked_until: Date | null;
  readonly asked_at: Date;
}

/** Claims a key or says what it stands for: one round trip. @throws the driver's error; 55P03 when another claim of the key is not committed in time. */
export async function claim(db: Queryable, input: ClaimInput): Promise<ClaimRow> {
  const { tenantId: tenant, accountId: account, amountMinor: amount, commandSealed: command, ...rest } = input;
  // Every call has the same arguments, so that all share one prepared statement.
  const { region, identityHash, scope = "operation" } = input;
  const args = { ...rest, tenant, account, amount, command, region, identityHash, scope };
  const [row] = await callRows<ClaimRow>(db, "claim", args);
  if (row === undefined) throw new Error("claim() returned no row");
  return row;
}
