import type { Stage } from "@/domain/idempotency/states";
import type { LookUpAnswer } from "@/domain/plans/look-ups";
import type { EngineContext } from "../context";
import { lookUpAtProvider } from "../execute/ask-provider";
import { bindRegistered } from "../execute/bind";
import { findingOf } from "../execute/conclude-provider";
import type { OperationRegistry, ProviderReply } from "../execute/operation";
import { judgeAbsence, KNEW_IT_BEFORE } from "./recover-at-provider";

/** An open operation that was sent, as it is read without taking it. */
export interface SentOperation {
  readonly operationId: string;
  readonly operation: string;
  readonly key: string;
  readonly providerKey: string;
  readonly stage: Stage;
  /** Milliseconds since its claim, by the database's clock. */
  readonly ageMs: number;
}

export interface Foresight {
  readonly answer: Exclude<LookUpAnswer, "waiting">;
  /** The provider's own answer in a few words, or why there is none. */
  readonly detail: string;
  /** What was asked and answered; missing: nobody was asked. */
  readonly asked?: { readonly provider: string; readonly reply: ProviderReply; readonly tookMs: number } | undefined;
}

/**
 * Asks the provider what became of an operation, and says what a reconcile that only asks would make of the answer. Nothing is taken, kept,
 * sent or settled. A provider that cannot be reached is no answer: that is said, not guessed from.
 */
export async function foreseeReconcile(
  ctx: EngineContext,
  registry: OperationRegistry,
  sent: SentOperation,
): Promise<Foresight> {
  const definition = await bindRegistered(ctx, registry, sent.operation);
  if (definition === undefined) return notAsked("no such operation here");
  const { provider, policy } = definition;
  if (!provider.queryable) return notAsked("this provider cannot be asked");
  const { operationId, key } = sent;
  const began = performance.now();
  let reply: ProviderReply;
  try {
    reply = await lookUpAtProvider(ctx, definition, { operationId, key }, sent.providerKey);
  } catch (error) {
    ctx.log.warn({ err: error, operationId }, "a look-up of a dry run failed");
    return notAsked("the look-up failed");
  }
  const asked = { provider: provider.name, reply, tookMs: Math.round(performance.now() - began) };
  const detail = findingOf(reply);
  switch (reply.kind) {
    case "succeeded":
      return { answer: "completes", detail, asked };
    case "declined":
      return { answer: policy.refusals === "not_binding" ? "frees" : "fails", detail, asked };
    case "absent":
      return { ...(await ofAbsence(ctx, sent, detail)), asked };
    case "unreachable":
      return { answer: SPOKE.test(detail) ? "unknown" : "not_asked", detail, asked };
    default:
      return { answer: "unknown", detail, asked };
  }
}

/** It was reached, and said nothing that settles: "the provider answered 503". */
const SPOKE = /^the (?:provider answered|answer is)/;

const notAsked = (detail: string): Foresight => ({ answer: "not_asked", detail });

async function ofAbsence(ctx: EngineContext, sent: SentOperation, detail: string): Promise<Foresight> {
  switch (await judgeAbsence(ctx, sent.operationId, sent.stage, sent.ageMs)) {
    case "certain":
      return { answer: "frees", detail };
    case "early":
      return { answer: "unknown", detail: `${detail}, and it may still arrive` };
    case "contradicted":
      return { answer: "unknown", detail: KNEW_IT_BEFORE.reason };
  }
}
