import type { Queryable } from "@/db/client";
import { databaseErrorCode } from "@/db/errors";
import { callScalar } from "../named-call";
import { callMany, manyCalls } from "../together/call-many";
import { BATCH_LOCK_TIMEOUT_MS } from "../together/together";
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
    await callScalar(db, "complete", argumentsOf(input));
    return true;
  } catch (error) {
    if (databaseErrorCode(error) === FENCED) return false;
    throw error;
  }
}

/** Member by member: spreading them costs several times as much. */
function argumentsOf(input: CompleteInput): Record<keyof typeof COMPLETIONS.types, unknown> {
  const { outbox = [], executed } = input;
  return {
    tenant: input.tenantId,
    operationId: input.operationId,
    fence: input.fence,
    state: input.state,
    status: input.status,
    schemaVersion: input.schemaVersion,
    resourceType: input.resourceType,
    resourceId: input.resourceId,
    errorCode: input.errorCode,
    body: input.bodySealed,
    replay: input.replay,
    headers: JSON.stringify(input.headers),
    outbox: outbox.length === 0 ? undefined : JSON.stringify(outbox.map(messageColumns)),
    eventId: executed?.id,
    askedAt: executed?.at,
    requestId: executed?.requestId,
    client: executed?.client,
    attempt: executed?.attempt,
    latencyMs: executed?.latencyMs === undefined ? undefined : Math.round(executed.latencyMs),
    servedHash: executed?.servedHash,
  };
}

function messageColumns(message: OutboxMessage): Readonly<Record<string, unknown>> {
  return {
    id: message.id,
    aggregate_type: message.aggregateType,
    aggregate_id: message.aggregateId,
    topic: message.topic,
    type: message.type,
    payload: message.payload,
    headers: message.headers,
  };
}

const COMPLETIONS = manyCalls("complete", {
  tenant: "text",
  operationId: "uuid",
  fence: "integer",
  state: "text",
  status: "integer",
  schemaVersion: "text",
  resourceType: "text",
  resourceId: "text",
  errorCode: "text",
  headers: "jsonb",
  body: "bytea",
  replay: "text",
  outbox: "jsonb",
  eventId: "uuid",
  askedAt: "timestamptz",
  requestId: "text",
  client: "text",
  attempt: "integer",
  latencyMs: "integer",
  servedHash: "bytea",
});

/**
 * As {@link complete}, for several operations of one transaction.
 * @throws the driver's error, also where one of them is fenced: the transaction is lost for all
 */
export async function completeMany(tx: Queryable, inputs: readonly CompleteInput[]): Promise<void> {
  await callMany<object, keyof typeof COMPLETIONS.types>(
    tx,
    COMPLETIONS,
    inputs.map(argumentsOf),
    BATCH_LOCK_TIMEOUT_MS,
  );
}
