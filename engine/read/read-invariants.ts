import { boundedRead } from "@/db/queries/sql-text";
import { checkInvariant, INVARIANT_HOURS, INVARIANTS } from "@/db/queries/console/check-invariants";
import type { InvariantRow, InvariantsView } from "@/domain/views/overview";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "./require";

const SAMPLES = 3;
/** Several people watch one overview: within this time they share one check per tenant. */
const SHARED_MS = 15_000;
const TENANTS_KEPT = 200;
const shared = new WeakMap<object, Map<string, { readonly until: number; readonly view: Promise<InvariantsView> }>>();

/** Checks what must hold over the last day. Each check is cancelled alone when it takes too long. */
export async function readInvariants(
  ctx: EngineContext,
  _input: Readonly<Record<string, never>> = {},
): Promise<InvariantsView> {
  requirePermission(ctx, "invariants.read");
  const tenants = shared.get(ctx.db) ?? new Map<string, { until: number; view: Promise<InvariantsView> }>();
  shared.set(ctx.db, tenants);
  const known = tenants.get(ctx.tenantId);
  if (known !== undefined && known.until > Date.now()) return known.view;
  if (tenants.size >= TENANTS_KEPT) tenants.clear();
  const view = check(ctx);
  tenants.set(ctx.tenantId, { until: Date.now() + SHARED_MS, view });
  view.catch(() => tenants.delete(ctx.tenantId));
  return view;
}

async function check(ctx: EngineContext): Promise<InvariantsView> {
  return { checkedAt: new Date().toISOString(), windowHours: INVARIANT_HOURS, rows: await checkInvariants(ctx) };
}

/** Checks now, for whoever asked for permission already. */
export async function checkInvariants(ctx: EngineContext): Promise<InvariantRow[]> {
  const rows: InvariantRow[] = [];
  for (const invariant of INVARIANTS) {
    const read = await boundedRead(ctx.db, "list", (q) => checkInvariant(q, ctx.tenantId, invariant));
    const ids = read.kind === "done" ? read.value : [];
    const { name, label, page } = invariant;
    rows.push({
      name,
      label,
      checked: read.kind === "done",
      holds: read.kind === "done" && ids.length === 0,
      violations: ids.length,
      samples: ids.slice(0, SAMPLES).map((id) => ({ id, href: `/${page}/${id}` })),
    });
  }
  return rows;
}
