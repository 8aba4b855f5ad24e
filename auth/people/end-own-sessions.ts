import { endSessions } from "@/db/access/sessions";
import { AppError } from "@/domain/errors";
import { changedOutcome, unchangedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { requirePerson } from "./operator-changes";

/**
 * Ends sessions of the caller: one of them, or all but the one that asks. The next request of each is nobody's.
 * @param current the session that asks; it ends by signing out
 * @throws AppError `auth.person_only` 403, `session.own` 409
 */
export async function endOwnSessions(
  ctx: EngineContext,
  origin: ActionOrigin,
  current: string,
  only: string | undefined,
): Promise<ActionResult> {
  const { id } = requirePerson(ctx);
  if (only === current) {
    throw new AppError("session.own", 409, "This is the session you are using", { detail: "Sign out instead." });
  }
  const input = { session: only ?? null };
  const request = { ...origin, action: "sessions.revoke_own", subject: { type: "operator", id }, input } as const;
  return operatorAction(ctx, request, async (tx) => {
    const ended = await endSessions(tx, { operatorId: id, only, except: current });
    return ended.length > 0
      ? changedOutcome({}, { endedSessions: ended }, ended.length)
      : unchangedOutcome(only ?? id, "There was no other session any more.", {});
  });
}
