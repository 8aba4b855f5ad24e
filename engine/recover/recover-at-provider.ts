import { sentEvidence } from "@/db/operations/settling-evidence";
import { answerProvider, journalProviderRequest, markSent } from "@/db/provider/provider-calls";
import type { TakenOver } from "@/db/operations/take-over";
import { mayRepeat, mayStillArrive } from "@/domain/idempotency/recovery-schedule";
import { newId } from "@/domain/new-id";
import { lookUpAtProvider, sendToProvider } from "../execute/ask-provider";
import {
  concludeProvider,
  findingOf,
  stayUnknown,
  type ConcludeOptions,
  type Conclusion,
} from "../execute/conclude-provider";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import { FencedError } from "../execute/fenced";
import type { BoundProvider, Claim, ProviderReply } from "../execute/operation";

/** How a recovery was asked for. */
export interface RecoverOptions {
  /** Runs in the settling transaction, e.g. the audit entry of an operator's action. */
  readonly alongside?: ConcludeOptions["alongside"];
  /** Ask and settle, but send nothing: a person who asks expects that nothing is charged. */
  readonly onlyAsk?: boolean | undefined;
  /** Only what was never sent is given free; what was sent stays as it is. */
  readonly onlyRelease?: boolean | undefined;
}

/** One recovery of one operation that was sent. */
interface Recovery {
  readonly ctx: EngineContext;
  readonly definition: BoundProvider<never>;
  readonly claim: Claim;
  readonly taken: TakenOver;
  readonly providerKey: string;
  readonly ageMs: number;
  readonly onlyAsk: boolean;
  readonly options: Pick<ConcludeOptions, "checked" | "checks" | "ageMs" | "alongside">;
}

/**
 * Settles what was sent and got no answer, by what its provider can do (docs/PROVIDERS.md has the table): ask it; or send the
 * same command under the same key, where that can only repeat the first effect; or leave it to a person.
 * @throws FencedError when somebody else owns it now
 */
export async function recoverAtProvider(
  ctx: EngineContext,
  definition: BoundProvider<never>,
  claim: Claim,
  taken: TakenOver & { readonly provider_key: string },
  { alongside, onlyAsk = false }: RecoverOptions,
): Promise<Conclusion> {
  const ageMs = Number(taken.age_ms);
  const options = { checked: true, checks: taken.checks + 1, ageMs, alongside };
  const recovery = { ctx, definition, claim, taken, providerKey: taken.provider_key, ageMs, onlyAsk, options };
  const { provider } = definition;
  if (provider.queryable) return lookUp(recovery);
  if (mayRepeat(provider, ageMs) && !onlyAsk) return repeat(recovery);
  const reason =
    provider.dedupesForHours === 0
      ? "this provider can neither be asked nor sent the same key again"
      : onlyAsk
        ? "this provider cannot be asked"
        : "this provider cannot be asked, and a repeated key could be a second effect by now";
  return stayUnknown(ctx, provider, claim, { kind: "unreachable", reason }, options);
}

async function lookUp(recovery: Recovery): Promise<Conclusion> {
  const { ctx, definition, claim, taken, providerKey, ageMs, onlyAsk, options } = recovery;
  const journalId = await journal(recovery, "lookup");
  const reply = await lookUpAtProvider(ctx, definition, claim, providerKey);
  crashPoint(reply.kind === "absent" ? "R5" : "R4");
  const conclude = (what: ProviderReply, mayRelease: boolean) =>
    concludeProvider(ctx, definition, claim, what, { ...options, journalId, mayRelease });
  if (reply.kind !== "absent") return conclude(reply, false);
  const absence = await judgeAbsence(ctx, claim.operationId, taken.stage, ageMs);
  if (absence === "contradicted") return conclude(KNEW_IT_BEFORE, false);
  if (absence === "certain") return conclude(reply, true);
  if (onlyAsk || !mayRepeat(definition.provider, ageMs)) return conclude(reply, false);
  await answerProvider(ctx.db.pool, {
    tenantId: ctx.tenantId,
    requestId: journalId,
    outcome: reply.kind,
    reference: undefined,
    detail: findingOf(reply),
  });
  return repeat(recovery);
}

export const KNEW_IT_BEFORE = {
  kind: "indefinite",
  reason: "the provider knew of it before and does not now",
} as const satisfies ProviderReply;

/**
 * What an "absent" of the provider is worth.
 * @returns `certain`: nothing can arrive any more, the key may be freed; `early`: what was sent may still arrive; `contradicted`: the
 * provider had it once, so a lagging replica or a restored backup speaks, and freeing the key would pay twice
 */
export async function judgeAbsence(
  ctx: EngineContext,
  operationId: string,
  stage: string,
  ageMs: number,
): Promise<"certain" | "early" | "contradicted"> {
  const { seen, since_sent_ms: sinceSentMs } = await sentEvidence(ctx.db.pool, ctx.tenantId, operationId);
  if (seen || stage === "PROVIDER_CONFIRMED") return "contradicted";
  // Since the last send, not since the claim: one that recovery repeated just now may still arrive.
  return mayStillArrive(Number(sinceSentMs ?? ageMs)) ? "early" : "certain";
}

/** The same command under the same provider key, so at most one of the two takes effect. */
async function repeat(recovery: Recovery): Promise<Conclusion> {
  const { ctx, definition, claim, taken, options } = recovery;
  const journalId = await journal(recovery, "resend");
  // The look-up may have outlived our lease: then whoever took over decides, perhaps that the key is free. A stage beyond
  // "sent" stays what it is: the journal asked for fence and lease already.
  const confirmed = taken.stage === "PROVIDER_CONFIRMED";
  if (!confirmed && !(await markSent(ctx.db.pool, ctx.tenantId, claim.operationId, claim.fence, journalId)))
    throw new FencedError(claim);
  const reply = await sendToProvider(ctx, definition, claim, 1);
  crashPoint("R6");
  // "No effect" of this call says nothing about the first one, which may still be on its way.
  return concludeProvider(ctx, definition, claim, reply, { ...options, journalId, mayRelease: false });
}

async function journal({ ctx, definition, claim, providerKey }: Recovery, kind: string): Promise<string> {
  const id = newId();
  const ours = await journalProviderRequest(ctx.db.pool, {
    tenantId: ctx.tenantId,
    id,
    operationId: claim.operationId,
    providerKey,
    provider: definition.provider.name,
    kind,
    fence: claim.fence,
  });
  if (!ours) throw new FencedError(claim);
  return id;
}
