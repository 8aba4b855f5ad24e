import { AppError } from "@/domain/errors";
import type { ActionAnswer, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import { jsonAnswer, type JsonResponse } from "../profiles/plain";
import { UUID } from "@/domain/uuid";
import type { ActionCall, AdminCall } from "./declare";

export function requestOf(
  { origin, action }: ActionCall,
  subject: ActionRequest["subject"],
  input: ActionRequest["input"] = {},
): ActionRequest {
  return { action, subject, input, ...origin };
}

/** @throws AppError `code` 404 for what is no id at all */
export function idOf(c: AdminCall, code: string): string {
  const id = c.req.param("id") ?? "";
  if (UUID.test(id)) return id.toLowerCase();
  throw new AppError(code, 404, "There is nothing of this id", { detail: "Nothing was changed." });
}

/**
 * What changed, what was skipped and why, and its audit entry; the same request again gets the first answer and
 * `Idempotent-Replayed: true`.
 * @param more members that are read for this answer only and kept nowhere
 */
export function actionAnswer(c: AdminCall, result: ActionResult): JsonResponse<ActionAnswer>;
export function actionAnswer<More extends object>(
  c: AdminCall,
  result: ActionResult,
  more: More,
): JsonResponse<ActionAnswer & More>;
export function actionAnswer(c: AdminCall, result: ActionResult, more: object = {}): JsonResponse<ActionAnswer> {
  const headers = {
    "idempotency-status": result.replayed ? "replayed" : "stored",
    "operation-id": result.operationId,
    ...(result.replayed && { "idempotent-replayed": "true" }),
  };
  // Recorded for somebody else to do: accepted, and not done.
  const { request } = result.answer;
  if (request !== undefined) {
    const message = `${request.service} is asked. Nothing is settled yet.`;
    return jsonAnswer(c, { ...result.answer, message, ...more }, { status: 202, headers });
  }
  return jsonAnswer(c, { ...result.answer, ...more }, { headers });
}

/** @returns what was done, or why nothing was, in a sentence. */
export function outcomeMessage({ changed, skipped }: ActionAnswer, done: string): string {
  return changed ? done : `Nothing changed. ${skipped[0]?.why ?? ""}`;
}

/** The answer with that sentence. */
export function withMessage(c: AdminCall, result: ActionResult, done: string) {
  return actionAnswer(c, result, { message: outcomeMessage(result.answer, done) });
}
