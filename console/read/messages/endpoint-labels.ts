import type { Queryable } from "@/db/client";
import { selectEndpointUrls } from "@/db/outbox/topics";
import { topicLabels } from "@/engine/outbox/topics";

/** Names of topics for people, with the newest of the tenant's endpoints by their address: one statement. */
export async function endpointLabels(q: Queryable, tenantId: string): Promise<(topic: string) => string> {
  return topicLabels(await selectEndpointUrls(q, tenantId));
}
