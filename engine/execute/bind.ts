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

/** By policy, which is of one definition and lives as long as what was read of its tenant holds. */
const bound = new WeakMap<OperationPolicy, unknown>();

/** @returns the definition with the policy that holds for this tenant now: one request is decided by this one policy. */
export function bind<C>(ctx: EngineContext, definition: ProviderOperation<C>): Soon<BoundProvider<C>>;
export function bind<C>(ctx: EngineContext, definition: LocalOperation<C>): Soon<BoundLocal<C>>;
export function bind<C>(ctx: EngineContext, definition: OperationDefinition<C>): Soon<BoundOperation<C>>;
export function bind<C>(ctx: EngineContext, definition: OperationDefinition<C>): Soon<BoundOperation<C>> {
  return whenThere(ctx.policies.of(ctx.tenantId, definition), (policy) => {
    const known = bound.get(policy) as BoundOperation<C> | undefined;
    if (known !== undefined) return known;
    const made: BoundOperation<C> = { ...definition, policy };
    bound.set(policy, made);
    return made;
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
