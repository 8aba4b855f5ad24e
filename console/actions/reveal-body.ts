import { operationBodies } from "@/db/bodies/bodies";
import { recordEvent } from "@/engine/execute/answer-event";
import { keptElsewhere } from "@/engine/bodies/body-keyring";
import type { ActionOutcome, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { readActionFacts } from "./reconcile-action";

export interface RevealedBodies {
  /** Texts as they were stored; undefined: purged, none was kept, or a service keeps it to itself. */
  readonly command: string | undefined;
  readonly response: string | undefined;
}

/**
 * Opens what one operation stored, for a person with a reason. What is kept of it is that somebody looked, never what was seen:
 * the answer of the action holds no body, so a purge leaves none behind in it.
 * @throws AppError `operation.not_found` 404
 */
export async function revealBody(
  ctx: EngineContext,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult & { readonly bodies: RevealedBodies }> {
  const result = await operatorAction(ctx, request, async (tx): Promise<ActionOutcome> => {
    const { operation, state, bodyPurgedAt } = await readActionFacts(ctx, tx, operationId);
    const kinds = (await operationBodies(tx, ctx.tenantId, operationId)).map((body) => body.kind).sort();
    const { requestId, actor } = ctx;
    const event = { operationId, operation, type: "body_revealed", requestId, actor: actor.name, detail: { kinds } };
    await recordEvent(ctx, tx, event);
    const why = bodyPurgedAt === undefined ? "There is no stored body." : "Its body was purged.";
    const skipped = kinds.length === 0 ? [{ id: operationId, why }] : [];
    return { changed: false, affected: kinds.length, skipped, before: { state }, after: { state, revealed: kinds } };
  });
  return { ...result, bodies: await openBodies(ctx, operationId) };
}

async function openBodies(ctx: EngineContext, operationId: string): Promise<RevealedBodies> {
  const bodies = await operationBodies(ctx.db.pool, ctx.tenantId, operationId);
  const open = async (kind: "command" | "response"): Promise<string | undefined> => {
    const sealed = bodies.find((body) => body.kind === kind);
    if (sealed === undefined || keptElsewhere(sealed.body)) return undefined;
    const { operation, key } = sealed;
    const subject = { tenantId: ctx.tenantId, operation, key, operationId };
    return (await ctx.keyring.open(sealed.body, subject, kind)).toString("utf8");
  };
  return { command: await open("command"), response: await open("response") };
}
