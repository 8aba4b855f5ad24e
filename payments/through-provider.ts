import type { EngineContext } from "@/engine/context";
import type { ProviderOperation } from "@/engine/execute/operation";
import type { PaymentProvider, ProviderEffect, ProviderRequest } from "./provider/port";
import { saidByCall, saidByLookUp } from "./said";

/** What goes to the provider for one operation, from its own rows: the same on every attempt and every recovery. */
export interface ProviderErrand {
  readonly request: ProviderRequest;
  /** When its row was made, by the database's clock: nothing was sent before. */
  readonly since: Date;
}

/**
 * The part that every operation over a provider has in common: sending it, and asking what became of it.
 *
 * @param errandOf reads the operation's rows @throws Error when there are none: a bug, not a refusal
 */
export function throughProvider(
  provider: PaymentProvider,
  effect: ProviderEffect,
  errandOf: (ctx: EngineContext, operationId: string) => Promise<ProviderErrand>,
): Pick<ProviderOperation<never>, "path" | "provider" | "send" | "lookUp"> {
  return {
    path: "provider",
    provider,
    async send(ctx, operationId) {
      const { request } = await errandOf(ctx, operationId);
      return saidByCall(await provider[effect](request, { timeoutMs: ctx.config.providerTimeoutMs }));
    },
    async lookUp(ctx, operationId, providerKey) {
      const { request, since } = await errandOf(ctx, operationId);
      const question = { effect, request: { ...request, providerKey }, since };
      const found = await provider.lookUp(question, { timeoutMs: ctx.config.providerTimeoutMs });
      return saidByLookUp(found, request);
    },
  };
}
