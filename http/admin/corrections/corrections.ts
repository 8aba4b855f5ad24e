import type { Hono } from "hono";
import { z } from "zod";
import { revealCorrection, revealMessage } from "@/console/actions/reveal-messages";
import { correctionInput, proposeCorrection } from "@/console/plans/propose-correction";
import type { AdminEnv } from "../../env";
import { actionAnswer, idOf, requestOf } from "../action-answer";
import { reason, reasonBody } from "../action-bodies";
import { act } from "../declare";

const correctionBody = z.strictObject({
  /** The whole corrected body, as JSON text: its digits stay as they are written. */
  body: z.string().min(1),
  reason,
});

/** Edit and requeue: a dead message is sent again with another body, as a new message, once a second person approves its plan. */
export function registerCorrections(app: Hono<AdminEnv>): void {
  const body = {
    id: "revealOutboxMessage",
    summary: "Show the body of a message that has not left, once",
    body: reasonBody,
    errors: ["outbox.not_found"],
  };
  act(app, "bodies.reveal", "/outbox/:id/reveal", body, async (call) => {
    const id = idOf(call.c, "outbox.not_found");
    const result = await revealMessage(call.ctx, requestOf(call, { type: "outbox", id }), id);
    return actionAnswer(call.c, result, { body: result.body });
  });
  const correct = {
    id: "correctOutboxMessage",
    summary: "Propose another body for a dead message",
    description:
      "Makes a plan of the kind `correct_dead_letter`. Its approval by a second person sends a new message with a new id, which names the " +
      "dead one, and closes that. Offered only where every attempt was refused or never left.",
    body: correctionBody,
    errors: ["outbox.not_found", "correction.not_possible", "validation.correction"],
  };
  act(app, "outbox.correct", "/outbox/:id/correct", correct, async (call, { body: text }) => {
    const id = idOf(call.c, "outbox.not_found");
    const request = requestOf(call, { type: "outbox", id }, correctionInput(text));
    const result = await proposeCorrection(call.ctx, request, id, text);
    const href = `/plans/${String(result.answer.after["planId"])}`;
    return actionAnswer(call.c, result, { message: "Nothing is sent yet: it waits for a second person.", href });
  });
  const difference = {
    id: "revealCorrection",
    summary: "Show the values that a correction changes, once",
    body: reasonBody,
    errors: ["plan.not_found", "correction.body_purged"],
  };
  act(app, "bodies.reveal", "/plans/:id/reveal", difference, async (call) => {
    const id = idOf(call.c, "plan.not_found");
    const result = await revealCorrection(call.ctx, requestOf(call, { type: "plan", id }), id);
    return actionAnswer(call.c, result, { changes: result.changes });
  });
}
