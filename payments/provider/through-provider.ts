import { OutOfTimeError, timeLeftMs } from "@/db/deadline";
import type { EngineContext } from "@/engine/context";
import type { ProviderOperation } from "@/engine/execute/operation";
import { foundOutcome } from "./provider-outcome";
import type { PaymentProvider, ProviderEffect, ProviderRequest } from "./port";

/** What goes to the provider for one operation, from its own rows: the same on every attempt and every recovery. */
export interface ProviderCall {
  readonly request: ProviderRequest;
  /** When its row was made, by the database's clock: nothing was sent before. */
  readonly since: Date;
}

/** Part of the caller's time that is kept for our own work after the provider's answer, and its bound in ms. */
const OWN_SHARE = 0.4;
const OWN_SHARE_MAX_MS = 500;
/** Nothing goes out with less time for its answer: the outcome would only be unknown. */
const SHORTEST_EXCHANGE_MS = 50;

/**
 * How long the provider may take, so that the answer arrives while the caller still listens.
 *
 * @throws OutOfTimeError `not_started` when no time is left: nothing is sent
 */
function timeoutOf(ctx: EngineContext): number {
  const left = timeLeftMs();
  const timeoutMs = Math.min(
    ctx.config.providerTimeoutMs,
    Math.floor(left - Math.min(left * OWN_SHARE, OWN_SHARE_MAX_MS)),
  );
  if (timeoutMs < SHORTEST_EXCHANGE_MS) throw new OutOfTimeError("not_started");
  return timeoutMs;
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
      return provider[effect](request, { timeoutMs: timeoutOf(ctx) });
    },
    async lookUp(ctx, operationId, providerKey) {
      const { request, since } = await readCall(ctx, operationId);
      const question = { effect, request: { ...request, providerKey }, since };
      const found = await provider.lookUp(question, { timeoutMs: timeoutOf(ctx) });
      return foundOutcome(found, request);
    },
  };
}
