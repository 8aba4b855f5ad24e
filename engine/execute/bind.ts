import type { EngineContext } from "../context";
import type {
  BoundLocal,
  BoundOperation,
  BoundProvider,
  LocalOperation,
  OperationDefinition,
  ProviderOperation,
} from "./operation";

/** @returns the definition with the policy that holds for this tenant now. */
export async function bind<C>(ctx: EngineContext, definition: ProviderOperation<C>): Promise<BoundProvider<C>>;
export async function bind<C>(ctx: EngineContext, definition: LocalOperation<C>): Promise<BoundLocal<C>>;
export async function bind<C>(ctx: EngineContext, definition: OperationDefinition<C>): Promise<BoundOperation<C>>;
export async function bind<C>(ctx: EngineContext, definition: OperationDefinition<C>): Promise<BoundOperation<C>> {
  return { ...definition, policy: await ctx.policies.of(ctx.tenantId, definition) };
}
