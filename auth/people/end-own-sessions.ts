import { endSessions } from "@/db/access/sessions";
import { AppError } from "@/domain/errors";
import type { ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { requirePerson, type PeopleActionRequest } from "./operator-changes";

/**
 * Ends sessions of the caller: one of them, or all but the one that asks. The next request of each is nobody's.
 *
 * @param current the session that asks; it ends by signing out
 * @throws AppError `auth.person_only` 403, `session.own` 409
 */
export async function endOwnSessions(
  ctx: EngineContext,
  click: PeopleActionRequest,
  current: string,
  only: string | undefined,
): Promise<ActionResult> {
  const { id } = requirePerson(ctx);
  if (only === current) {
    throw new AppError("session.own", 409, "This is the session you are using", { detail: "Sign out instead." });
  }
  const request = {
    ...click,
    action: "sessions.revoke_own",
    subject: { type: "operator", id },
    input: { session: only ?? null },
  } as const;
  return operatorAction(ctx, request, async (tx) => {
    const ended = await endSessions(tx, { operatorId: id, only, except: current });
    const skipped = ended.length === 0 ? [{ id: only ?? id, why: "There was no other session any more." }] : [];
    return { changed: ended.length > 0, affected: ended.length, skipped, before: {}, after: { endedSessions: ended } };
  });
}
