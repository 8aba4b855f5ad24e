import type { AttachedAct } from "@/domain/attachments/acts";
import type { ActionOrigin, ActionResult } from "@/engine/actions/action-answer";
import { operatorCall } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { actOperation } from "./act-operations";

/** A row by its id in the view, or rows from before a time. */
export type ActOn =
  | { readonly act: "requeue" | "discard"; readonly row: string }
  | { readonly act: "purge"; readonly before: Date; readonly most: number };

/**
 * Calls a function that the owner of an attached database installed, once per key.
 *
 * @param attachmentId uuid
 * @param on.most rows, 1 to MAX_PURGED_ROWS
 * @returns the action's answer; `affected` 0 when the row is not as it was, because somebody else was first
 * @throws AppError `auth.forbidden` 403, `auth.step_up_required` 403, `attachment.not_found` 404, `dependency.refused` 502 and
 * `dependency.unavailable` 503 where nothing was changed, `dependency.timeout` 504 where it may have been: the same key gets the outcome
 */
export function actOnAttached(
  ctx: EngineContext,
  origin: ActionOrigin,
  attachmentId: string,
  on: ActOn,
): Promise<ActionResult> {
  const bounds =
    on.act === "purge"
      ? { target: undefined, before: on.before, most: on.most }
      : { target: on.row, before: undefined, most: undefined };
  const command = { attachmentId, act: on.act, ...bounds, reason: origin.reason };
  return operatorCall(ctx, { ...origin, action: permissionOf(on.act) }, actOperation(on.act), command);
}

export const permissionOf = (act: AttachedAct): `attached.${AttachedAct}` => `attached.${act}`;
