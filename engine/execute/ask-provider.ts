import type { EngineContext } from "../context";
import type { Claim, ProviderOperation, ProviderReply } from "./operation";
import { cleanReply } from "./clean-reply";
import { inSpan, type SpanOptions } from "../telemetry/telemetry";

type ProviderCallOperation = Pick<ProviderOperation<never>, "provider" | "send" | "lookUp">;

/**
 * @param resent how often this side effect was sent before, under the same provider key
 * @param call what was prepared; without it the operation's rows are read
 */
export function sendToProvider(
  ctx: EngineContext,
  definition: ProviderCallOperation,
  claim: Claim,
  resent: number,
  call?: unknown,
): Promise<ProviderReply> {
  return traced("provider send", spanOf(ctx, definition, claim, resent), () =>
    definition.send(ctx, claim.operationId, call),
  );
}

export function lookUpAtProvider(
  ctx: EngineContext,
  definition: ProviderCallOperation,
  claim: Pick<Claim, "operationId" | "key">,
  providerKey: string,
): Promise<ProviderReply> {
  return traced("provider look-up", spanOf(ctx, definition, claim, 0), () =>
    definition.lookUp(ctx, claim.operationId, providerKey),
  );
}

function traced(name: string, options: SpanOptions, call: () => Promise<ProviderReply>): Promise<ProviderReply> {
  return inSpan(name, options, async (span) => {
    const reply = cleanReply(await call());
    span.set({ "onceboard.provider.reply": reply.kind });
    if (reply.kind === "indefinite" || reply.kind === "unreachable" || reply.kind === "contradicting")
      span.fail(reply.kind);
    return reply;
  });
}

function spanOf(
  ctx: EngineContext,
  definition: ProviderCallOperation,
  claim: Pick<Claim, "operationId" | "key">,
  resent: number,
): SpanOptions {
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
