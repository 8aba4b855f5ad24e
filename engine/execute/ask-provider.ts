import type { EngineContext } from "../context";
import type { Claim, ProviderOperation, ProviderSaid } from "./operation";
import { inSpan, type SpanOptions } from "../telemetry/telemetry";

type Asked = Pick<ProviderOperation<never>, "provider" | "send" | "lookUp">;

/** @param resent how often this side effect was sent before, under the same provider key */
export function sendToProvider(
  ctx: EngineContext,
  definition: Asked,
  claim: Claim,
  resent: number,
): Promise<ProviderSaid> {
  return said("provider send", spanOf(ctx, definition, claim, resent), () => definition.send(ctx, claim.operationId));
}

export function lookUpAtProvider(
  ctx: EngineContext,
  definition: Asked,
  claim: Claim,
  providerKey: string,
): Promise<ProviderSaid> {
  return said("provider look-up", spanOf(ctx, definition, claim, 0), () =>
    definition.lookUp(ctx, claim.operationId, providerKey),
  );
}

function said(name: string, options: SpanOptions, ask: () => Promise<ProviderSaid>): Promise<ProviderSaid> {
  return inSpan(name, options, async (span) => {
    const answer = await ask();
    span.set({ "onceboard.provider.said": answer.kind });
    if (answer.kind === "indefinite" || answer.kind === "unreachable" || answer.kind === "contradicting")
      span.fail(answer.kind);
    return answer;
  });
}

function spanOf(ctx: EngineContext, definition: Asked, claim: Claim, resent: number): SpanOptions {
  return {
    kind: "client",
    facts: () => ({
      "onceboard.provider": definition.provider.name,
      "idempotency.key_hash": ctx.log.keyHash(ctx.tenantId, claim.key),
      "idempotency.operation_id": claim.operationId,
      // As the conventions have it: absent for a first request.
      "http.request.resend_count": resent > 0 ? resent : undefined,
    }),
  };
}
