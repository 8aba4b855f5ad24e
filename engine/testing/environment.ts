import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { createDatabase, type Database } from "@/db/client";
import { insertOutboxMessage } from "@/db/outbox/insert-outbox-message";
import { TABLES_BY_DAY } from "@/db/partitions";
import { createTestDatabase } from "@/db/testing/test-database";
import type { OperationState, Role } from "@/domain/idempotency/states";
import { createEngineBase } from "../base";
import type { KeyStore } from "../bodies/key-store";
import { engineContext, type Actor, type EngineBase, type EngineContext } from "../context";
import { createLog } from "../telemetry/log";
import type { EngineConfig } from "@/engine/engine-config";

export const TENANT = "acme";

/** A tenant with a database and the engine, and nothing of the business: what a test of one verb needs. */
export interface EngineTestEnvironment {
  /** As a process has it: it writes through the functions only. */
  readonly db: Database;
  /** The test's own, as the owner of the tables. */
  readonly owner: Database;
  /** Address of its database, as a superuser. */
  readonly ownerUrl: string;
  readonly base: EngineBase;
  /** As one process would have it; another `instance` is another owner. */
  context(options?: { readonly instance?: string; readonly actor?: Actor }): EngineContext;
  /** As the owner of the tables, who may put a row into any state. */
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
  /** Writes one message as an effect would. @returns its id */
  outbox(options?: {
    readonly aggregate?: string;
    readonly type?: string;
    readonly operationId?: string;
    readonly data?: Record<string, unknown>;
    readonly topic?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }): Promise<string>;
  /** Writes one operation with its bodies in a state and of an age. @returns its id */
  operation(options?: {
    readonly state?: OperationState;
    readonly ageHours?: number;
    readonly ttlHours?: number;
    /** Its id, hence the key of its bodies, is as old as the operation; of today otherwise. */
    readonly agedId?: boolean;
  }): Promise<string>;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CONFIG: EngineConfig = {
  leaseSeconds: 30,
  idempotencyTtlHours: 24,
  bodyTtlHours: 24,
  metadataTtlDays: 30,
  providerTimeoutMs: 400,
};

export interface EngineTestOptions {
  /** Address of a server of the test's own. */
  readonly server?: string;
  readonly keyStore?: KeyStore;
  readonly encryptionKeys?: string;
}

export async function createEngineTestEnvironment(
  config: Partial<EngineConfig> = {},
  { server, keyStore, encryptionKeys = `k1:${randomBytes(32).toString("base64")}` }: EngineTestOptions = {},
): Promise<EngineTestEnvironment> {
  const test = await createTestDatabase(server === undefined ? {} : { server });
  const db = createDatabase({ url: test.url, applicationName: "engine test" });
  const owner = test.db.pool;
  const log = createLog("silent");
  const base = createEngineBase({
    db,
    instance: "test-1",
    config: { ...CONFIG, ...config },
    encryptionKeys,
    keyStore,
    secret: "a secret of this test",
    log,
    scopes: ["payments", "accounts", "events", "admin"],
  });
  await owner.query({ text: "insert into onceboard.tenants (id, name) values ($1, 'Acme')", values: [TENANT] });
  // Partitions of the past, for rows that are backdated; the days from yesterday on are there.
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  for (const table of TABLES_BY_DAY) {
    await owner.query({
      text: `create table onceboard.${table}_past partition of onceboard.${table} for values from ('2000-01-01') to ('${yesterday}')`,
    });
  }
  const system: Actor = { kind: "system", id: "test", name: "test" };
  let request = 0;
  return {
    db,
    owner: test.db,
    ownerUrl: test.ownerUrl,
    base,
    context({ instance = "test-1", actor = system } = {}) {
      request += 1;
      return engineContext({ ...base, instance }, { tenantId: TENANT, actor, requestId: `req-${String(request)}` });
    },
    async rows<R>(text: string, ...values: unknown[]) {
      return (await owner.query<R & Record<string, unknown>>({ text, values })).rows;
    },
    async outbox({
      aggregate = uuidv7(),
      type = "payment.succeeded",
      operationId = uuidv7(),
      data = {},
      topic = "payments",
      headers = {},
    } = {}) {
      const id = uuidv7();
      const payload = {
        id,
        type,
        occurredAt: new Date().toISOString(),
        tenant: TENANT,
        data: { operationId, ...data },
      };
      await insertOutboxMessage(owner, {
        tenantId: TENANT,
        id,
        operationId,
        aggregateType: "payment",
        aggregateId: aggregate,
        topic,
        type,
        payload,
        headers,
      });
      return id;
    },
    operation: (options) => insertOperation(base, owner, options),
    async close() {
      await base.answers.close();
      await db.close();
      await test.drop();
    },
  };
}

async function insertOperation(
  base: EngineBase,
  pool: Database["pool"],
  {
    state = "COMPLETED",
    ageHours = 0,
    ttlHours = 24,
    agedId = false,
  }: NonNullable<Parameters<EngineTestEnvironment["operation"]>[0]> = {},
): Promise<string> {
  const id = agedId ? uuidv7({ msecs: Date.now() - ageHours * HOUR_MS }) : uuidv7();
  await pool.query({
    text: `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version,
             api_version, state, response_status, body_day, created_at, updated_at, expires_at, purge_after)
           select $1, 'payments.create', 'key-' || $2::text, $2::uuid, 'till', 'f'::bytea, 1, '1', $3, 201, (at at time zone 'utc')::date, at, at,
             at + make_interval(hours => $5), at + make_interval(days => $6)
           from (select clock_timestamp() - make_interval(hours => $4) as at) t`,
    values: [TENANT, id, state, ageHours, ttlHours, base.config.metadataTtlDays],
  });
  const subject = { tenantId: TENANT, operation: "payments.create", key: `key-${id}`, operationId: id };
  for (const kind of ["command", "response"] as const) {
    await pool.query({
      text: `insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, body, created_at)
             select tenant_id, body_day, operation_id, $3, $4, created_at from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2`,
      values: [TENANT, id, kind, await base.keyring.seal(Buffer.from(`{"kind":"${kind}"}`), subject, kind)],
    });
  }
  if (state === "IN_PROGRESS" || state === "UNKNOWN_REQUIRES_RECOVERY") {
    await pool.query({
      text: `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, stage, opened_at, unknown_since, next_check_at)
             select tenant_id, operation_id, operation, key, null, fence, 'PROVIDER_REQUEST_SENT', created_at,
               case when state = 'UNKNOWN_REQUIRES_RECOVERY' then created_at end, 'infinity'
             from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2`,
      values: [TENANT, id],
    });
  }
  return id;
}

/** Who proved a moment ago who they are. */
const FRESH = { fresh: true, by: ["password"] } as const;

export function operator(role: Role = "admin", id = "op-1"): Actor {
  return { kind: "operator", id, name: `Mira (${id})`, role, confirmation: FRESH };
}
