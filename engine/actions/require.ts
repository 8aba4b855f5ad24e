import { AppError } from "@/domain/errors";
import {
  can,
  CONFIRM_MINUTES,
  needsAllTenants,
  needsConfirmation,
  roleOfScopes,
  whyNot,
  type Action,
} from "@/domain/access/permission";
import { roleInTenant } from "@/domain/access/grants";
import type { Role } from "@/domain/idempotency/states";
import type { EngineContext } from "@/engine/context";

/** Who asks, and about which tenant: there is no role without both. */
export type Asking = Pick<EngineContext, "actor" | "tenantId">;

/** @returns the role that somebody reads and acts with in the context's tenant; a loop of ours has none, nor has a person without a grant there */
export function roleOf({ actor, tenantId }: Asking): Role | undefined {
  switch (actor.kind) {
    case "operator":
      return roleInTenant(actor, tenantId);
    case "client":
      return (actor.tenantId ?? tenantId) === tenantId ? roleOfScopes(actor.scopes) : undefined;
    case "system":
      return undefined;
  }
}

/** @returns the role that counts for an action: of what is of no one tenant, a person's role on all tenants */
export function roleFor(asking: Asking, action: Action): Role | undefined {
  return asking.actor.kind === "operator" && needsAllTenants(action) ? asking.actor.role : roleOf(asking);
}

/** @returns whether somebody is shown what is of all tenants together: a size on disk, an error of a loop that works for all of them */
export function seesAllTenants({ actor }: Pick<Asking, "actor">): boolean {
  return actor.kind === "operator" && actor.role !== undefined;
}

/** @returns why somebody may not do it, or undefined when they may */
export function whyNotFor(asking: Asking, action: Action): string | undefined {
  return whyNot(roleFor(asking, action), action);
}

/**
 * First line of every read verb. A person without a grant in the context's tenant, and a key of
 * another one, are told what one is told of a tenant that nobody has.
 * @throws AppError `tenant.not_found` 404, `auth.forbidden` 403 with the sentence that says which role it needs
 */
export function requirePermission(asking: Asking, action: Action): void {
  const { actor, tenantId } = asking;
  const here = roleOf(asking);
  if (actor.kind === "operator" && here === undefined) throw noSuchTenant();
  if (actor.kind === "client" && (actor.tenantId ?? tenantId) !== tenantId) throw noSuchTenant();
  const role = needsAllTenants(action) ? roleFor(asking, action) : here;
  if (can(role, action)) return;
  throw new AppError("auth.forbidden", 403, "Your role may not do this", {
    detail: whyNot(role, action) ?? "Not allowed.",
  });
}

/** What is said of a tenant that there is not and of one that is not granted: the same, so that nobody learns which it is. */
export function noSuchTenant(): AppError {
  return new AppError("tenant.not_found", 404, "There is no such tenant");
}

/** @returns those of the tenants in which somebody may do it */
export function tenantsWhere(asking: Asking, tenants: readonly string[], action: Action): readonly string[] {
  return tenants.filter((tenantId) => can(roleFor({ ...asking, tenantId }, action), action));
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
