import { setGrant } from "@/db/access/grants";
import type { OperatorFacts } from "@/db/access/operators";
import type { Queryable } from "@/db/client";
import { tenantExists } from "@/db/tenants";
import { AppError } from "@/domain/errors";
import type { Role } from "@/domain/idempotency/states";
import type { ActionOrigin, ActionResult } from "@/engine/actions/action-answer";
import { noSuchTenant } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import { change, changedTo, requireAnAdmin, tie, unchanged } from "./people-actions";

/** Tenants in which one person has a role of their own, at the most; every request reads them. */
export const GRANTS_MAX = 200;

export interface GivenRole {
  /** `none` takes the grant away. */
  readonly role: Role | "none";
  /** Undefined: on all tenants. */
  readonly tenant?: string | undefined;
}

/**
 * Gives another operator a role in one tenant or on all of them, or takes it away, from their next request on.
 * @throws AppError `auth.forbidden`, `auth.step_up_required`, `auth.person_only` 403, `operator.not_found`, `tenant.not_found` 404,
 * `operator.self`, `operator.last_admin`, `operator.grant_limit` 409
 */
export function changeOperatorRole(
  ctx: EngineContext,
  origin: ActionOrigin,
  id: string,
  { role, tenant }: GivenRole,
): Promise<ActionResult> {
  const input = tenant === undefined ? { role } : { role, tenant };
  const request = { ...origin, action: "operators.change_role", input } as const;
  const kept = role === "none" ? undefined : role;
  return change(ctx, request, id, async (tx, operator, others) => {
    const was = tenant === undefined ? (operator.role ?? undefined) : roleKept(operator, tenant);
    if (was === kept) return unchanged(operator, `Their role there is ${role} already.`);
    if (tenant === undefined) requireAnAdmin(operator, others);
    else await requireGrantable(tx, operator, tenant);
    await setGrant(tx, { operatorId: id, tenantId: tenant, role: kept });
    await tie(tx, ctx, id, "role");
    if (tenant === undefined) return changedTo(operator, { role: kept ?? null });
    const { [tenant]: _, ...tenants } = operator.tenants;
    return changedTo(operator, { tenants: kept === undefined ? tenants : { ...tenants, [tenant]: kept } });
  });
}

function roleKept({ tenants }: OperatorFacts, tenant: string): string | undefined {
  return Object.hasOwn(tenants, tenant) ? tenants[tenant] : undefined;
}

async function requireGrantable(tx: Queryable, operator: OperatorFacts, tenant: string): Promise<void> {
  const { tenants } = operator;
  if (roleKept(operator, tenant) !== undefined) return;
  if (!(await tenantExists(tx, tenant))) throw noSuchTenant();
  if (Object.keys(tenants).length < GRANTS_MAX) return;
  throw new AppError("operator.grant_limit", 409, "They have a role in too many single tenants", {
    detail: `At most ${String(GRANTS_MAX)}. A role on all tenants counts once. Nothing was changed.`,
  });
}
