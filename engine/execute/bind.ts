import type { OperationPolicy } from "@/domain/idempotency/policy";
import { whenThere, type Soon } from "@/domain/soon";
import type { EngineContext } from "../context";
import type {
  BoundLocal,
  BoundOperation,
  BoundProvider,
  LocalOperation,
  OperationDefinition,
  OperationRegistry,
  ProviderOperation,
} from "./operation";

interface Kept {
  readonly of: unknown;
  readonly bound: unknown;
}

/**
 * Bound definitions by their policy: a policy source makes one policy object for a tenant and a definition, and a new one when it reads the
 * tenant's policies again.
 */
const kept = new WeakMap<OperationPolicy, Kept>();

/** @returns the definition with the policy that holds for this tenant now: one request is decided by this one policy. */
export function bind<C>(ctx: EngineContext, definition: ProviderOperation<C>): Soon<BoundProvider<C>>;
export function bind<C>(ctx: EngineContext, definition: LocalOperation<C>): Soon<BoundLocal<C>>;
export function bind<C>(ctx: EngineContext, definition: OperationDefinition<C>): Soon<BoundOperation<C>>;
export function bind<C>(ctx: EngineContext, definition: OperationDefinition<C>): Soon<BoundOperation<C>> {
  return whenThere(ctx.policies.of(ctx.tenantId, definition), (policy) => {
    const known = kept.get(policy);
    if (known?.of === definition) return known.bound as BoundOperation<C>;
    const bound: BoundOperation<C> = { ...definition, policy };
    kept.set(policy, { of: definition, bound });
    return bound;
  });
}

/** @returns undefined for an operation that this process has no code of */
export async function bindRegistered(
  ctx: EngineContext,
  registry: OperationRegistry,
  name: string,
): Promise<BoundProvider<never> | undefined> {
  const definition = registry.provider(name);
  return definition && bind(ctx, definition);
}
