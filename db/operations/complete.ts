import type { Queryable } from "@/db/client";
import { databaseErrorCode } from "@/db/errors";
import { namedCall } from "../named-call";
import type { EventInsert } from "./record-events";

/** What is made known when the operation settles; a row of outbox_messages. */
export interface OutboxMessage {
  readonly id: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly topic: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

export interface CompleteInput {
  readonly tenantId: string;
  readonly operationId: string;
  readonly fence: number;
  readonly state: "COMPLETED" | "FAILED_REPLAYABLE";
  readonly status: number;
  readonly schemaVersion: string;
  readonly resourceType: string | undefined;
  readonly resourceId: string | undefined;
  readonly errorCode: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when the replay is by reference, or the answer was too large to keep. */
  readonly bodySealed: Buffer | undefined;
  readonly replay: "stored" | "reference" | "none";
  readonly outbox?: readonly OutboxMessage[] | undefined;
  /** The answer that the first caller gets; absent when nobody is answered by this, e.g. in recovery. */
  readonly executed?: EventInsert | undefined;
}

/** Raised by complete(); the transaction is undone already. */
const FENCED = "OB001";

/** Settles an operation with its answer. @returns false when the fence is not ours any more: the transaction is lost. */
export async function complete(db: Queryable, input: CompleteInput): Promise<boolean> {
  try {
    await run(db, input);
    return true;
  } catch (error) {
    if (databaseErrorCode(error) === FENCED) return false;
    throw error;
  }
}

async function run(db: Queryable, input: CompleteInput): Promise<void> {
  const { executed, outbox = [] } = input;
  const { call, values } = namedCall("complete", {
    tenant: input.tenantId,
    operation_id: input.operationId,
    fence: input.fence,
    state: input.state,
    status: input.status,
    schema_version: input.schemaVersion,
    resource_type: input.resourceType,
    resource_id: input.resourceId,
    error_code: input.errorCode,
    headers: JSON.stringify(input.headers),
    body: input.bodySealed,
    replay: input.replay,
    outbox: outbox.length === 0 ? undefined : JSON.stringify(outbox.map(outboxRow)),
    event_id: executed?.id,
    asked_at: executed?.at,
    request_id: executed?.requestId,
    client: executed?.client,
    attempt: executed?.attempt,
    latency_ms: executed?.latencyMs === undefined ? undefined : Math.round(executed.latencyMs),
    served_hash: executed?.servedHash,
  });
  await db.query({
    name: "complete",
    text: `select ${call}`,
    values,
  });
}

function outboxRow(message: OutboxMessage): Readonly<Record<string, unknown>> {
  const { id, aggregateType, aggregateId, topic, type, payload, headers } = message;
  return { id, aggregate_type: aggregateType, aggregate_id: aggregateId, topic, type, payload, headers };
}
