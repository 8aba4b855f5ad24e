import type { Queryable } from "@/db/client";
import { databaseErrorCode } from "@/db/errors";
import type { EventRow } from "./record-events";

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
  readonly executed?: EventRow | undefined;
}

/** Raised by complete(); the transaction is undone already. */
const FENCED = "OB001";

/** Settles an operation with its answer. @returns false when the fence is not ours any more: the transaction is lost. */
export async function complete(db: Queryable, input: CompleteInput): Promise<boolean> {
  try {
    await call(db, input);
    return true;
  } catch (error) {
    if (databaseErrorCode(error) === FENCED) return false;
    throw error;
  }
}

async function call(db: Queryable, input: CompleteInput): Promise<void> {
  const { executed, outbox = [] } = input;
  await db.query({
    name: "complete",
    text: "select onceboard.complete($1,$2,$3,$4,$5::smallint,$6,$7,$8,$9,$10::jsonb,$11,$12,$13::jsonb,$14,$15,$16,$17,$18,$19,$20)",
    values: [
      input.tenantId,
      input.operationId,
      input.fence,
      input.state,
      input.status,
      input.schemaVersion,
      input.resourceType,
      input.resourceId,
      input.errorCode,
      JSON.stringify(input.headers),
      input.bodySealed,
      input.replay,
      outbox.length === 0 ? undefined : JSON.stringify(outbox.map(outboxRow)),
      executed?.id,
      executed?.at,
      executed?.requestId,
      executed?.client,
      executed?.attempt,
      executed?.latencyMs === undefined ? undefined : Math.round(executed.latencyMs),
      executed?.servedHash,
    ],
  });
}

function outboxRow(message: OutboxMessage): Readonly<Record<string, unknown>> {
  const { id, aggregateType, aggregateId, topic, type, payload, headers } = message;
  return { id, aggregate_type: aggregateType, aggregate_id: aggregateId, topic, type, payload, headers };
}
