import type { Queryable } from "@/db/client";
import type { EventSourceRow } from "@/db/statements/ensure-event-source";

/** Most secrets of one source that overlap during a rotation. */
export const SECRETS_LIMIT = 5;

/** @returns sealed secrets that are valid now, newest first. */
export async function eventSourceSecrets(db: Queryable, tenantId: string, source: string): Promise<EventSourceRow[]> {
  const { rows } = await db.query<EventSourceRow>({
    name: "event_source_secrets",
    text: `select secret_id, secret from onceboard.event_sources
           where tenant_id = $1 and source = $2 and (expires_at is null or expires_at > clock_timestamp())
           order by created_at desc, secret_id limit $3`,
    values: [tenantId, source, SECRETS_LIMIT],
  });
  return rows;
}
