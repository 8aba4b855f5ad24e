import type { Soon } from "@/domain/soon";
import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { claim } from "@/db/operations/claim";
import { recordEvents } from "@/db/operations/record-events";
import { canonicalCommand, type CanonicalCommand } from "@/domain/idempotency/canonical";
import { formatAmount } from "@/domain/money";
import type { AnswerOutcome } from "@/domain/idempotency/states";

/** What a stored body belongs to, as the body keyring wants it. */
export interface SealSubject {
  readonly tenantId: string;
  readonly operation: string;
  readonly key: string;
  readonly operationId: string;
}
type SealKind = "command" | "response" | `conflict:${string}`;

/** What the rows of a test belong to. */
export interface FactoryEnvironment {
  readonly q: Queryable;
  readonly tenantId: string;
  /** Seals as the body keyring does; without one the bytes are kept as they are. */
  readonly seal?: (plain: Buffer, subject: SealSubject, kind: SealKind) => Soon<Buffer>;
}

export interface OperationOptions {
  readonly key?: string;
  readonly operation?: string;
  readonly client?: string;
  readonly account?: string;
  readonly reference?: string;
  readonly amountMinor?: bigint;
  readonly currency?: string;
  readonly leaseMs?: number;
}

/** One claimed operation with the names its rows go by. */
export interface MadeOperation {
  readonly operationId: string;
  readonly operation: string;
  readonly key: string;
  readonly client: string;
  readonly paymentId: string;
  readonly providerKey: string;
  readonly account: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly reference: string;
  readonly command: CanonicalCommand;
  readonly fence: number;
}

const LEASE_MS = 30_000;

export async function sealFor(
  env: FactoryEnvironment,
  { operation, key, operationId }: Omit<SealSubject, "tenantId">,
  kind: SealKind,
  plain: Buffer,
): Promise<Buffer> {
  return env.seal?.(plain, { tenantId: env.tenantId, operation, key, operationId }, kind) ?? plain;
}

/** Claims a key through `claim()`, as a till's payment of 42.00 EUR unless told otherwise. */
export async function claimOperation(env: FactoryEnvironment, options: OperationOptions = {}): Promise<MadeOperation> {
  const operationId = uuidv7();
  const operation = options.operation ?? "payments.create";
  const { client = "till-web", account = "acc_1", amountMinor = 4_200n, currency = "EUR" } = options;
  const key = options.key ?? `key-${operationId}`;
  const reference = options.reference ?? `order-${operationId.slice(-6)}`;
  const command: CanonicalCommand = {
    operation,
    apiVersion: "2026-09-01",
    fields: {
      accountId: account,
      amount: formatAmount(amountMinor, currency),
      currency,
      merchantReference: reference,
      channel: "web",
    },
  };
  const canonical = canonicalCommand(command);
  const row = await claim(env.q, {
    tenantId: env.tenantId,
    operation,
    key,
    operationId,
    principal: client,
    fingerprint: createHash("sha256").update(canonical).digest(),
    fingerprintVersion: 1,
    apiVersion: command.apiVersion,
    accountId: account,
    reference,
    amountMinor,
    currency,
    owner: "api-1",
    leaseMs: options.leaseMs ?? LEASE_MS,
    ttlSeconds: 86_400,
    metadataDays: 30,
    maxAttempts: 10,
    expired: "reject",
    commandSealed: await sealFor(env, { operation, key, operationId }, "command", Buffer.from(canonical)),
    eventId: uuidv7(),
    requestId: `req-${operationId.slice(-6)}`,
  });
  if (row.outcome !== "claimed") throw new Error(`the factory's key is taken: ${row.outcome}`);
  const paymentId = uuidv7();
  return {
    operationId,
    operation,
    key,
    client,
    paymentId,
    providerKey: `provider_payment_${paymentId}`,
    account,
    amountMinor,
    currency,
    reference,
    command,
    fence: row.fence,
  };
}

/** Records what one caller was told. @param body bytes that were served */
export async function answered(
  env: FactoryEnvironment,
  made: MadeOperation,
  outcome: AnswerOutcome,
  more: {
    readonly status?: number;
    readonly code?: string;
    readonly body?: string;
    readonly at?: string;
    readonly detail?: Readonly<Record<string, unknown>>;
    readonly other?: CanonicalCommand;
  } = {},
): Promise<string> {
  const id = uuidv7();
  await recordEvents(env.q, [
    {
      tenantId: env.tenantId,
      id,
      operationId: made.operationId,
      operation: made.operation,
      at: more.at ?? new Date().toISOString(),
      type: outcome,
      outcome,
      requestId: `req-${id.slice(-6)}`,
      client: made.client,
      fence: made.fence,
      attempt: 1,
      latencyMs: 4,
      status: more.status ?? 201,
      code: more.code,
      servedHash: more.body === undefined ? undefined : createHash("sha256").update(more.body).digest(),
      commandSealed:
        more.other === undefined
          ? undefined
          : await sealFor(env, made, `conflict:${id}`, Buffer.from(canonicalCommand(more.other))),
      detail: more.detail,
    },
  ]);
  return id;
}
