import type { Database } from "@/db/client";
import { operationPolicyOverrides } from "@/db/policies/operation-policies";
import {
  changedFields,
  DEFAULT_POLICY,
  type Layered,
  layerPolicy,
  type OperationPolicy,
  type PolicyOverrides,
  policyOverrides,
} from "@/domain/idempotency/policy";
import { whenThere, type Soon } from "@/domain/soon";
import type { EngineConfig } from "../engine-config";
import { createReadCache } from "../read-cache";

/** A changed policy is in force everywhere after this. */
export const POLICY_CACHE_MS = 2_000;
/** Tenants that one process remembers. */
const MAX_TENANTS = 1_000;

/** What a policy may be asked for: an operation by its name, with what it decides itself. */
export interface PolicyOwner {
  readonly name: string;
  readonly policy: Partial<OperationPolicy>;
  /** What it is done to; missing: `newKey` is not to be decided. */
  readonly onceFor?: string | undefined;
}

type Overrides = ReadonlyMap<string, Partial<OperationPolicy>>;

/** Which policy holds: the product's defaults, the environment, the operation's own, and the tenant's above all. */
export type PolicySource = ReturnType<typeof createPolicySource>;

export function createPolicySource(db: Pick<Database, "pool">, config: EngineConfig) {
  const base = deploymentPolicy(config);
  const cache = createReadCache<Overrides>({ ttlMs: POLICY_CACHE_MS, maxEntries: MAX_TENANTS });
  const layered = new WeakMap<Overrides, WeakMap<PolicyOwner, OperationPolicy>>();

  function overridesOf(tenantId: string): Soon<Overrides> {
    return cache.get(tenantId, async () => {
      const rows = await operationPolicyOverrides(db.pool, tenantId);
      return new Map(rows.map((row) => [row.operation, policyOverrides(row.overrides)]));
    });
  }

  function layer(overrides: Overrides, owner: PolicyOwner): OperationPolicy {
    let known = layered.get(overrides);
    if (known === undefined) layered.set(overrides, (known = new WeakMap()));
    let policy = known.get(owner);
    if (policy === undefined) known.set(owner, (policy = { ...base, ...owner.policy, ...overrides.get(owner.name) }));
    return policy;
  }
  return {
    overridesOf,
    /** @returns the same object for as long as what was read of the tenant holds: it may be the key of what is made from it */
    of: (tenantId: string, owner: PolicyOwner): Soon<OperationPolicy> =>
      whenThere(overridesOf(tenantId), (overrides) => layer(overrides, owner)),
    /** Forgets what was read of a tenant, after a change made here. */
    forget(tenantId: string): void {
      cache.forget(tenantId);
    },
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

/** The policy of one operation with the layer that decided each value; the same policy as PolicySource gives. */
export function layersOf(config: EngineConfig, owner: PolicyOwner, tenant: PolicyOverrides): Layered {
  const deployed = deploymentPolicy(config);
  // A variable that repeats the default decided nothing.
  const changed = changedFields(DEFAULT_POLICY, deployed);
  const environment = Object.fromEntries(changed.map((field) => [field, deployed[field]])) as PolicyOverrides;
  return layerPolicy({ environment, operation: owner.policy, tenant });
}
