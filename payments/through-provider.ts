import type { EngineContext } from "@/engine/context";
import type { ProviderOperation } from "@/engine/execute/operation";
import { foundOutcome } from "./provider-outcome";
import type { PaymentProvider, ProviderEffect, ProviderRequest } from "./provider/port";

/** What goes to the provider for one operation, from its own rows: the same on every attempt and every recovery. */
export interface ProviderCall {
  readonly request: ProviderRequest;
  /** When its row was made, by the database's clock: nothing was sent before. */
  readonly since: Date;
}

/**
 * The part that every operation over a provider has in common: sending it, and asking what became of it.
 *
 * @param readCall reads the operation's rows @throws Error when there are none: a bug, not a refusal
 */
export function throughProvider(
  provider: PaymentProvider,
  effect: ProviderEffect,
  readCall: (ctx: EngineContext, operationId: string) => Promise<ProviderCall>,
): Pick<ProviderOperation<never, ProviderRequest>, "path" | "provider" | "send" | "lookUp"> {
  return {
    path: "provider",
    provider,
    async send(ctx, operationId, prepared) {
      const request = prepared ?? (await readCall(ctx, operationId)).request;
      return provider[effect](request, { timeoutMs: ctx.config.providerTimeoutMs });
    },
    async lookUp(ctx, operationId, providerKey) {
      const { request, since } = await readCall(ctx, operationId);
      const question = { effect, request: { ...request, providerKey }, since };
      const found = await provider.lookUp(question, { timeoutMs: ctx.config.providerTimeoutMs });
      return foundOutcome(found, request);
    },
  };
}
