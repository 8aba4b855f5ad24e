import { actionLabel, ACTIONS, can, needsConfirmation, rolesOf } from "@/domain/access/permission";
import { ROLES } from "@/domain/idempotency/states";
import type { PermissionsView } from "@/presentation/views/access";
import { requirePermission, roleFor, roleOf, type Asking } from "@/engine/actions/require";

/** What every role may do, and what the caller may: the policy source as a table. @throws AppError `auth.forbidden` 403 */
export function readPermissions(ctx: Asking): PermissionsView {
  requirePermission(ctx, "permissions.read");
  const role = roleOf(ctx);
  return {
    role: role ?? "viewer",
    roles: ROLES,
    actions: ACTIONS.map((action) => ({
      action,
      label: actionLabel(action),
      roles: rolesOf(action),
      allowed: can(roleFor(ctx, action), action),
      confirmed: needsConfirmation(action),
    })),
  };
}
