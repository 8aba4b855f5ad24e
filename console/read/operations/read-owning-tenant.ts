import { readWithin } from "@/db/bounded-read";
import { selectTenantsOf, type OwnPage } from "@/db/operations/select-operation-names";
import { UUID } from "@/domain/uuid";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";

const ACTIONS = {
  operations: "operations.read",
  outbox: "outbox.read",
  inbox: "inbox.read",
  plans: "plans.read",
} as const;

/**
 * Which tenant a link leads into, so that it stays valid whatever tenant is chosen.
 * @param input.tenants those the reader may see, at most one page of them
 * @returns undefined when none of them has it
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readOwningTenant(
  ctx: EngineContext,
  input: { readonly page: OwnPage; readonly id: string; readonly tenants: readonly string[] },
): Promise<string | undefined> {
  requirePermission(ctx, ACTIONS[input.page]);
  if (!UUID.test(input.id)) return undefined;
  const found = await readWithin(ctx.db, "detail", (q) => selectTenantsOf(q, input.page, input.id, input.tenants));
  return found.find((tenant) => tenant === ctx.tenantId) ?? found[0];
}
