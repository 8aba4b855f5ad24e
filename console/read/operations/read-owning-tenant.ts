import { readWithin } from "@/db/bounded-read";
import { selectTenantsOf, type OwnPage } from "@/db/operations/select-operation-names";
import { UUID } from "@/domain/uuid";
import type { EngineContext } from "@/engine/context";
import { requirePermission, tenantsWhere } from "@/engine/actions/require";

const ACTIONS = {
  operations: "operations.read",
  outbox: "outbox.read",
  inbox: "inbox.read",
  plans: "plans.read",
} as const;

/**
 * Which tenant a link leads into, so that it stays valid whatever tenant is chosen.
 * @param input.tenants at most one page of them; those that the reader has no grant in are left out
 * @returns undefined when none of them has it
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readOwningTenant(
  ctx: EngineContext,
  input: { readonly page: OwnPage; readonly id: string; readonly tenants: readonly string[] },
): Promise<string | undefined> {
  requirePermission(ctx, ACTIONS[input.page]);
  if (!UUID.test(input.id)) return undefined;
  const tenants = tenantsWhere(ctx, input.tenants, ACTIONS[input.page]);
  const found = await readWithin(ctx.db, "detail", (q) => selectTenantsOf(q, input.page, input.id, tenants));
  return found.find((tenant) => tenant === ctx.tenantId) ?? found[0];
}
