import "server-only";

import type { ListFacts } from "@/components/views/list-tools";
import { whyNot } from "@/domain/access/permission";
import { operationChoices } from "@/presentation/list/operation-choices";
import type { ViewPage } from "@/presentation/list/saved-view";
import type { EngineContext } from "@/engine/context";
import { roleOf } from "@/engine/actions/require";
import { listViews } from "@/console/saved-views/list-views";
import { attempt } from "./attempt";

/** Saved views of a list, and what this person may do with them. Views that do not load leave their place empty. */
export async function listFacts(ctx: EngineContext, page: ViewPage): Promise<ListFacts> {
  const views = await attempt(ctx, () => listViews(ctx, { page }));
  const role = roleOf(ctx);
  return {
    page,
    tenant: ctx.tenantId,
    views: views.ok ? views.value.rows : [],
    operations: operationChoices(await ctx.kinds.all()),
    whyNotSave: whyNot(role, "views.write"),
    whyNotExport: page === "audit" ? whyNot(role, "audit.export") : undefined,
  };
}
