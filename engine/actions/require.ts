import { AppError } from "@/domain/errors";
import { can, CONFIRM_MINUTES, needsConfirmation, roleOfScopes, whyNot, type Action } from "@/domain/access/permission";
import type { Role } from "@/domain/idempotency/states";
import type { Actor, EngineContext } from "@/engine/context";

/** @returns the role that somebody reads and acts with; a loop of ours has none. */
export function roleOf(actor: Actor): Role | undefined {
  switch (actor.kind) {
    case "operator":
      return actor.role;
    case "client":
      return roleOfScopes(actor.scopes);
    case "system":
      return undefined;
  }
}

/** First line of every read verb. @throws AppError `auth.forbidden` 403 with the sentence that says which role it needs */
export function requirePermission(ctx: Pick<EngineContext, "actor">, action: Action): void {
  const role = roleOf(ctx.actor);
  if (can(role, action)) return;
  throw new AppError("auth.forbidden", 403, "Your role may not do this", {
    detail: whyNot(role, action) ?? "Not allowed.",
  });
}

/**
 * Some actions ask a person to prove again who they are: an open console is not enough to delete for good, to decide about money,
 * or to hand out access. A program with a key of scope admin is not asked: it has nobody to ask.
 * @throws AppError `auth.step_up_required` 403; its `confirmBy` says how they can: `password`, `code`, `oidc`
 */
export function requireConfirmation(ctx: Pick<EngineContext, "actor">, action: Action): void {
  const { actor } = ctx;
  if (actor.kind !== "operator" || !needsConfirmation(action) || actor.confirmation?.fresh === true) return;
  throw new AppError("auth.step_up_required", 403, "Confirm your identity", {
    detail: `This asks for your password or code again when the last time is over ${String(CONFIRM_MINUTES)} minutes ago. Nothing was changed.`,
    extensions: { confirmBy: actor.confirmation?.by ?? [] },
  });
}
