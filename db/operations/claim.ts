import type { Database, Queryable } from "@/db/client";
import type { ClaimOutcome, OperationState, Stage } from "@/domain/idempotency/states";
import { callRows } from "../named-call";
import { callMany, manyCalls } from "../together/call-many";
import { BATCH_COUNTS_MS, BATCH_LOCK_TIMEOUT_MS, batchPerPool, inLockOrder } from "../together/together";

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

/** Every call has the same arguments, so that all share one prepared statement. Member by member: spreading them costs several times as much. */
function argumentsOf(input: ClaimInput): Record<keyof typeof CLAIMS.types, unknown> {
  return {
    tenant: input.tenantId,
    operation: input.operation,
    key: input.key,
    operationId: input.operationId,
    principal: input.principal,
    fingerprint: input.fingerprint,
    owner: input.owner,
    fingerprintVersion: input.fingerprintVersion,
    apiVersion: input.apiVersion,
    account: input.accountId,
    reference: input.reference,
    amount: input.amountMinor,
    currency: input.currency,
    leaseMs: input.leaseMs,
    ttlSeconds: input.ttlSeconds,
    metadataDays: input.metadataDays,
    maxAttempts: input.maxAttempts,
    expired: input.expired,
    command: input.commandSealed,
    eventId: input.eventId,
    requestId: input.requestId,
    region: input.region,
    identityHash: input.identityHash,
    scope: input.scope ?? "operation",
  };
}

/** Claims a key or says what it stands for: one round trip. @throws the driver's error; 55P03 when another claim of the key is not committed in time. */
export async function claim(db: Queryable, input: ClaimInput): Promise<ClaimRow> {
  const [row] = await callRows<ClaimRow>(db, "claim", argumentsOf(input));
  if (row === undefined) throw new Error("claim() returned no row");
  return row;
}

/** Of claim(), by the members that {@link argumentsOf} makes. */
const CLAIMS = manyCalls("claim", {
  tenant: "text",
  operation: "text",
  key: "text",
  operationId: "uuid",
  principal: "text",
  fingerprint: "bytea",
  owner: "text",
  fingerprintVersion: "integer",
  apiVersion: "text",
  account: "text",
  reference: "text",
  amount: "bigint",
  currency: "text",
  leaseMs: "integer",
  ttlSeconds: "integer",
  metadataDays: "integer",
  maxAttempts: "integer",
  expired: "text",
  command: "bytea",
  eventId: "uuid",
  requestId: "text",
  region: "text",
  identityHash: "bytea",
  scope: "text",
});

const CLAIMS_TOGETHER = { rows: 32, bytes: 262_144, atOnce: 4, countsMs: BATCH_COUNTS_MS, waiting: 1_000 };

const claims = batchPerPool<ClaimInput, ClaimRow>((pool) => ({
  limits: CLAIMS_TOGETHER,
  bytesOf: (input) => input.commandSealed.length,
  groupOf: (input) => input.tenantId,
  one: (input) => claim(pool, input),
  many: (inputs) => claimMany(pool, inputs),
}));

/** Claims several keys in one statement. @returns a verdict for each, in their order @throws as {@link claim}: none of them stands */
export function claimMany(db: Queryable, inputs: readonly ClaimInput[]): Promise<ClaimRow[]> {
  return inLockOrder(
    inputs,
    ({ tenantId, operation, key }) => JSON.stringify([tenantId, operation, key]),
    (sorted) =>
      callMany<ClaimRow, keyof typeof CLAIMS.types>(db, CLAIMS, sorted.map(argumentsOf), BATCH_LOCK_TIMEOUT_MS),
  );
}

/**
 * As {@link claim}, in one statement and one commit with the claims that are in the process in the same turn. Not for a transaction:
 * each claim stands by itself.
 */
export function claimTogether(db: Pick<Database, "pool">, input: ClaimInput): Promise<ClaimRow> {
  return claims(db.pool).submit(input);
}
