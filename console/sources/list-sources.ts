import { selectAttachments } from "@/db/attachments/attachments";
import { MAX_ATTACHMENTS } from "@/console/attachments/limits";
import { whyNotFor } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import type { SourceName } from "@/presentation/views/sources";

/** The attachments of this tenant for the switch of sources, by name; none for who may not look into them. Opens no database. */
export async function listSources(ctx: EngineContext): Promise<readonly SourceName[]> {
  if (whyNotFor(ctx, "attachments.read") !== undefined) return [];
  const rows = await selectAttachments(ctx.db.pool, ctx.tenantId, MAX_ATTACHMENTS);
  return rows.map(({ id, name }) => ({ id, name }));
}
