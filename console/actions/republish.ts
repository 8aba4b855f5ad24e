import { republishMessage } from "@/db/outbox/republish";
import { messageAmount } from "@/db/plans/operation-plan-facts";
import type { Queryable } from "@/db/client";
import { judgeRepublish, REPUBLISH_MAX, type JudgedRepublish } from "@/domain/messages/republish-verdict";
import { AppError } from "@/domain/errors";
import {
  changedOutcome,
  type ActionOutcome,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { countSingleAct } from "../second-person/single-acts";
import type { ActedBy } from "./message-actions";
import { readRepublishFacts } from "./republish-facts";

const UNCHANGED = "Nothing was changed.";
const SINCE = "Another person published it again meanwhile.";

/**
 * Judges one message now and puts it back into the outbox where it may be published again, inside the caller's transaction: the same for a
 * single act and for a row of a plan.
 * @returns without an outcome where it is left alone; undefined when there is no such message
 */
export async function republishOne(
  tx: Queryable,
  ctx: EngineContext,
  id: string,
  by: ActedBy,
): Promise<{ readonly judged: JudgedRepublish; readonly outcome?: ActionOutcome } | undefined> {
  const found = (await readRepublishFacts(tx, ctx, [id])).get(id);
  if (found === undefined) return undefined;
  const { facts, row } = found;
  const judged = judgeRepublish(facts);
  if (!judged.acts || row === undefined) return { judged };
  const { tenantId } = ctx;
  const done = await republishMessage(tx, { tenantId, id }, { actor: by.name, reason: by.reason ?? "" });
  if (done !== "republished") return { judged: { verdict: done, acts: false, why: SINCE } };
  const { publishedAt, publishedBy, transport, attempts, topic } = row;
  const times = facts.republished.length + 1;
  const outcome = changedOutcome(
    {
      state: "published",
      topic,
      publishedAt,
      publishedBy: publishedBy ?? null,
      transport: transport ?? null,
      attempts,
    },
    { state: "pending", attempts: 0, times, most: REPUBLISH_MAX, why: judged.why },
  );
  const holding = row.holding.map(({ id: inboxId, consumer, state }) => ({ inboxId, consumer, state }));
  return { judged, outcome: { ...outcome, evidence: holding } };
}

/**
 * Publishes a message again that was acknowledged and never arrived, under its id and with the same bytes. What an inbox of ours has, arrived:
 * it is refused with the reason.
 *
 * @throws AppError `outbox.not_found` 404, `outbox.arrived` 409, `outbox.not_republishable` 409, `plan.needed` 409: nothing was changed
 */
export async function republishAction(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const done = await republishOne(tx, ctx, id, { name: ctx.actor.name, reason: request.reason });
    if (done === undefined)
      throw new AppError("outbox.not_found", 404, "There is no such message", { detail: "Nothing was changed." });
    const { judged, outcome } = done;
    if (outcome === undefined) throw refused(judged);
    await countSingleAct(tx, ctx, {
      kind: "republish",
      amount: await messageAmount(tx, ctx.tenantId, { side: "outbox", id }),
    });
    return outcome;
  });
}

function refused({ verdict, why }: JudgedRepublish): AppError {
  const options = { detail: [why, UNCHANGED].join(" "), extensions: { verdict } };
  return verdict === "arrived" || verdict === "mismatch"
    ? new AppError("outbox.arrived", 409, "The message arrived", options)
    : new AppError("outbox.not_republishable", 409, "The message cannot be published again", options);
}
