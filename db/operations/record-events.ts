import type { Database, Queryable } from "@/db/client";
import { callScalar, toColumns } from "@/db/named-call";
import { BATCH_COUNTS_MS, batchPerPool } from "@/db/together/together";
import type { AnswerOutcome } from "@/domain/idempotency/states";

/** One row of idempotency_events. `at` is RFC 3339; `commandSealed` is ciphertext. */
export interface EventInsert {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly operation: string;
  readonly at: string;
  readonly type: string;
  readonly outcome?: AnswerOutcome | undefined;
  readonly requestId?: string | undefined;
  readonly client?: string | undefined;
  readonly actor?: string | undefined;
  readonly fence?: number | undefined;
  readonly attempt?: number | undefined;
  readonly latencyMs?: number | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly servedHash?: Buffer | undefined;
  readonly commandSealed?: Buffer | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** Appends events in one statement; an event that is there already (same id and day) stays as it is. */
export async function recordEvents(db: Queryable, events: readonly EventInsert[]): Promise<void> {
  if (events.length === 0) return;
  await callScalar(db, "record_events", { events: JSON.stringify(events.map(columnsOf)) });
}

/** Member by member: copying them by their names costs several times as much. */
function columnsOf(event: EventInsert): Readonly<Record<string, unknown>> {
  const { latencyMs } = event;
  return {
    tenant_id: event.tenantId,
    id: event.id,
    operation_id: event.operationId,
    operation: event.operation,
    at: event.at,
    type: event.type,
    outcome: event.outcome,
    request_id: event.requestId,
    client: event.client,
    actor: event.actor,
    fence: event.fence,
    attempt: event.attempt,
    latency_ms: latencyMs === undefined ? undefined : Math.round(latencyMs),
    status: event.status,
    code: event.code,
    served_hash: event.servedHash?.toString("hex"),
    command: event.commandSealed?.toString("base64"),
    detail: event.detail,
  };
}

const EVENTS_TOGETHER = { rows: 32, bytes: 262_144, atOnce: 4, countsMs: BATCH_COUNTS_MS, waiting: 1_000 };

const eventBatches = batchPerPool<EventInsert, undefined>((pool) => ({
  limits: EVENTS_TOGETHER,
  bytesOf: ({ commandSealed }) => commandSealed?.length ?? 0,
  groupOf: ({ tenantId }) => tenantId,
  async one(event) {
    await recordEvents(pool, [event]);
    return undefined;
  },
  async many(events) {
    await recordEvents(pool, events);
    return events.map(() => undefined);
  },
}));

/** Appends an event that its caller waits for, in one statement and one commit with those of the same turn. */
export async function recordEventTogether(db: Pick<Database, "pool">, event: EventInsert): Promise<void> {
  await eventBatches(db.pool).submit(event);
}

export interface RefusalCount {
  readonly tenantId: string;
  readonly client: string;
  /** The stable code of the refusal. */
  readonly code: string;
  readonly count: number;
}

/** Adds refusals to the hour that runs, by the database's clock. */
export async function recordRefusals(db: Queryable, refusals: readonly RefusalCount[]): Promise<void> {
  await callScalar(db, "record_refusals", { refusals: JSON.stringify(refusals.map(toColumns)) });
}
