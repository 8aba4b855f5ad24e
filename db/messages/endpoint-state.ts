import { sql, type SQL } from "drizzle-orm";
import type { EndpointState } from "@/domain/messages/requeue-verdict";

/**
 * Whether the endpoint that a topic leads to takes messages; null where it leads to none.
 *
 * @param topic a column
 * @param endpoint name of the row of webhook_endpoints that is joined, if there is one
 */
export function endpointState(topic: SQL, endpoint: SQL): SQL<EndpointState | null> {
  return sql`case when ${topic} not like 'webhook:%' then null when ${endpoint}.id is null then 'deleted'
    when ${endpoint}.disabled_at is null then 'enabled' else 'disabled' end`;
}
