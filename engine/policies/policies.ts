import type { Database } from "@/db/client";
import { beforeDeadline, OutOfTimeError, withoutDeadline } from "@/db/deadline";
import { operationPolicyOverrides } from "@/db/policies/operation-policies";
import { DEFAULT_POLICY, policyOverrides, type OperationPolicy } from "@/domain/idempotency/policy";
import type { EngineConfig } from "@/engine/engine-config";

/** A changed policy is in force everywhere after this. */
export const POLICY_CACHE_MS = 2_000;
/** Tenants that one process remembers; the one read longest ago goes first. */
const MAX_TENANTS = 1_000;

/** What a policy may be asked for: an operation by its name, with what it decides itself. */
export interface PolicyOwner {
  readonly name: string;
  readonly policy: Partial<OperationPolicy>;
}

/** Which policy holds: the product's defaults, the environment, the operation's own, and the tenant's above all. */
export interface PolicySource {
  of(tenantId: string, owner: PolicyOwner): Promise<OperationPolicy>;
  /** What this tenant decided otherwise, by operation. */
  overridesOf(tenantId: string): Promise<ReadonlyMap<string, Partial<OperationPolicy>>>;
  /** Forgets what was read of a tenant, after a change made here. */
  forget(tenantId: string): void;
}

type Overrides = ReadonlyMap<string, Partial<OperationPolicy>>;

export function createPolicySource(db: Pick<Database, "pool">, config: EngineConfig): PolicySource {
  const base = deploymentPolicy(config);
  const cache = new Map<string, { readonly until: number; readonly read: Promise<Overrides> }>();

  async function read(tenantId: string): Promise<Overrides> {
    const rows = await operationPolicyOverrides(db.pool, tenantId);
    return new Map(rows.map((row) => [row.operation, policyOverrides(row.overrides)]));
  }

  function overridesOf(tenantId: string): Promise<Overrides> {
    const known = cache.get(tenantId);
    if (known !== undefined && known.until > performance.now()) return inTime(tenantId, known.read);
    cache.delete(tenantId);
    if (cache.size >= MAX_TENANTS) {
      const oldest = cache.keys().next();
      if (oldest.done !== true) cache.delete(oldest.value);
    }
    const reading = withoutDeadline(() => read(tenantId));
    cache.set(tenantId, { until: performance.now() + POLICY_CACHE_MS, read: reading });
    reading.catch(() => cache.delete(tenantId));
    return inTime(tenantId, reading);
  }

  /** The read is everybody's, the wait each caller's own; whoever comes next does not wait for one that stands still. */
  function inTime(tenantId: string, reading: Promise<Overrides>): Promise<Overrides> {
    return beforeDeadline(reading, () => {
      if (cache.get(tenantId)?.read === reading) cache.delete(tenantId);
      return new OutOfTimeError("not_started");
    });
  }
  return {
    overridesOf,
    async of(tenantId, owner) {
      const overrides = (await overridesOf(tenantId)).get(owner.name);
      return overrides === undefined ? { ...base, ...owner.policy } : { ...base, ...owner.policy, ...overrides };
    },
    forget: (tenantId) => void cache.delete(tenantId),
  };
}

/** The defaults with what the environment says. */
export function deploymentPolicy(config: EngineConfig): OperationPolicy {
  return {
    ...DEFAULT_POLICY,
    ttlHours: config.idempotencyTtlHours,
    bodyTtlHours: config.bodyTtlHours,
    metadataTtlDays: config.metadataTtlDays,
    leaseSeconds: config.leaseSeconds,
  };
}
