import { v7 as uuidv7 } from "uuid";
import type { EventInsert } from "@/db/operations/record-events";
import { TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";

const MINUTE_MS = 60_000;
/** What roll-ups read and write of requests. */
const TABLES = [
  ...[
    "idempotency_events",
    "idempotency_requests",
    "idempotency_open",
    "metric_minutes",
    "metric_hours",
    "metric_buckets",
  ],
  ...["metric_clients", "metric_client_days", "metric_refusals", "metric_suppressed", "metric_bins", "metric_gauges"],
].map((table) => `onceboard.${table}`);

/**
 * Leaves no event and no roll-up.
 * @param from the minute before it counts as rolled up, so that a roll-up begins there, ms; undefined: none was
 */
export async function emptyRollUps({ rows }: Pick<EngineTestEnvironment, "rows">, from?: number): Promise<void> {
  await rows(`truncate ${TABLES.join(", ")}`);
  if (from !== undefined)
    await rows(
      "insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) values ($1, $2, now())",
      TENANT,
      new Date(from - MINUTE_MS),
    );
}

/** An answer of a key that nobody else uses, to the client `till`. @param at ms */
export function rolledEvent(at: number, over: Partial<EventInsert> = {}): EventInsert {
  return {
    tenantId: TENANT,
    id: uuidv7(),
    operationId: uuidv7(),
    operation: "payments.create",
    at: new Date(at).toISOString(),
    type: over.outcome ?? "executed",
    outcome: "executed",
    client: "till",
    attempt: 1,
    latencyMs: 10,
    ...over,
  };
}
