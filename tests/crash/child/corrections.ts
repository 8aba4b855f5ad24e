import { decidePlan } from "@/console/plans/decide-plan";
import { correctionInput, proposeCorrection } from "@/console/plans/propose-correction";
import { outboxBodyText } from "@/db/messages/corrections";
import type { Actor, EngineContext } from "@/engine/context";
import type { Order } from "./protocol";

const person = (id: string, name: string): Actor => ({
  kind: "operator",
  id,
  name,
  role: "admin",
  confirmation: { fresh: true, by: [] },
});
/** Who requeues and proposes, and who approves. */
export const MIRA = person("op-1", "Mira");
export const INES = person("op-2", "Ines");

const WHY = { reason: "the receiver wants a note", receivedAt: 0 } as const;

/** Proposes the body of a dead message with a note in its data. */
export async function correct(ctx: EngineContext, { id, key }: Extract<Order, { do: "correct" }>): Promise<object> {
  const stored = await outboxBodyText(ctx.db.pool, ctx.tenantId, id);
  const body = JSON.parse(stored ?? "{}") as { readonly data?: object };
  const text = JSON.stringify({ ...body, data: { ...body.data, note: "corrected" } });
  const subject = { type: "outbox", id };
  const input = correctionInput(text);
  const request = { ...WHY, action: "outbox.correct", idempotencyKey: key, input, subject } as const;
  const { answer } = await proposeCorrection(ctx, request, id, text);
  return answer;
}

/** Approves and sends it. */
export async function approve(ctx: EngineContext, { planId, key }: Extract<Order, { do: "approve" }>): Promise<object> {
  const subject = { type: "plan", id: planId };
  const input = { decision: "approve" };
  const request = { ...WHY, action: "plans.decide", idempotencyKey: key, input, subject } as const;
  const { answer } = await decidePlan(ctx, request, planId, { decision: "approve", start: true });
  return answer;
}
