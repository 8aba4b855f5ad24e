import { primaryOf, readWithin } from "@/db/bounded-read";
import { guardActive } from "@/db/guard";
import { selectClients, selectEventSources, selectOperators, selectTenant } from "@/db/access/select-settings";
import { ACTIONS, can, requiredRole } from "@/domain/access/permission";
import { replicaSetting } from "@/presentation/metrics/page-reads";
import type { SettingsView } from "@/presentation/views/settings";
import type { EngineContext } from "@/engine/context";
import { guardNote } from "@/engine/guard-note";
import { requirePermission, roleFor } from "@/engine/actions/require";

/** Who may call and who may look, without any secret. @throws AppError `auth.forbidden` 403 */
export async function readSettings(
  ctx: EngineContext,
  _input: Readonly<Record<string, never>> = {},
): Promise<SettingsView> {
  requirePermission(ctx, "settings.read");
  const read = await readWithin(primaryOf(ctx.db), "list", async (q) => ({
    tenant: await selectTenant(q, ctx.tenantId),
    clients: await selectClients(q, ctx.tenantId),
    operators: await selectOperators(q, ctx.tenantId),
    sources: await selectEventSources(q, ctx.tenantId),
    guard: await guardActive(q),
  }));
  await ctx.db.reads?.begin();
  const reads = ctx.db.reads?.facts();
  const { config } = ctx;
  return {
    at: new Date().toISOString(),
    tenant: { name: ctx.tenantId, homeRegion: "local", ...read.tenant, id: ctx.tenantId },
    clients: read.clients,
    operators: read.operators,
    eventSources: read.sources,
    windows: [
      { label: "Lease", value: `${String(config.leaseSeconds)} s` },
      { label: "A key answers for", value: `${String(config.idempotencyTtlHours)} h` },
      { label: "Bodies are kept for", value: `${String(config.bodyTtlHours)} h` },
      { label: "Metadata is kept for", value: `${String(config.metadataTtlDays)} d` },
      { label: "Provider timeout", value: `${String(config.providerTimeoutMs / 1_000)} s` },
    ],
    guard: { active: read.guard, note: guardNote(read.guard) },
    replica: reads && replicaSetting(reads),
    permissions: ACTIONS.map((action) => ({
      action,
      role: requiredRole(action),
      allowed: can(roleFor(ctx, action), action),
    })),
  };
}
