import { selectEventSources } from "@/db/access/select-settings";
import { readWithin } from "@/db/bounded-read";
import { whyNot } from "@/domain/access/permission";
import type { EventSourcesView } from "@/presentation/views/event-sources";
import { SECRET_OVERLAP_HOURS } from "@/console/actions/event-secrets";
import type { EngineContext } from "@/engine/context";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { requirePermission, roleOf } from "@/engine/actions/require";

/** Sources of signed events with the ids of their secrets, the valid ones first, then the newest. @throws AppError `auth.forbidden` 403 */
export async function readEventSources(ctx: EngineContext): Promise<EventSourcesView> {
  requirePermission(ctx, "settings.read");
  const rows = await readWithin(ctx.db, "list", (q) => selectEventSources(q, ctx.tenantId));
  const at = new Date().toISOString();
  const ended = ({ expiresAt }: (typeof rows)[number]): boolean => expiresAt !== undefined && expiresAt <= at;
  const secrets = rows.map((row) => {
    const last = !ended(row) && rows.filter((each) => each.source === row.source && !ended(each)).length === 1;
    return {
      ...row,
      ended: ended(row),
      last,
      whyNotExpire:
        last && row.source === OWN_SOURCE ? "Our own messages are signed with it: add another one first." : undefined,
    };
  });
  const role = roleOf(ctx);
  return { at, secrets, overlapHours: SECRET_OVERLAP_HOURS, whyNot: whyNot(role, "event_sources.add_secret") };
}
