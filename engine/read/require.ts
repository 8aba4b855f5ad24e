import { AppError } from "@/domain/errors";
import { can, roleOfScopes, whyNot, type Action } from "@/domain/permission";
import type { Role } from "@/domain/states";
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
