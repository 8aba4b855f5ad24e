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

/** @returns the definition with the policy that holds for this tenant now: one request is decided by this one policy. */
export async function bind<C>(ctx: EngineContext, definition: ProviderOperation<C>): Promise<BoundProvider<C>>;
export async function bind<C>(ctx: EngineContext, definition: LocalOperation<C>): Promise<BoundLocal<C>>;
export async function bind<C>(ctx: EngineContext, definition: OperationDefinition<C>): Promise<BoundOperation<C>>;
export async function bind<C>(ctx: EngineContext, definition: OperationDefinition<C>): Promise<BoundOperation<C>> {
  return { ...definition, policy: await ctx.policies.of(ctx.tenantId, definition) };
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
