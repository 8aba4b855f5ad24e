import { createDatabase } from "@/db/client";
import { operationFactory, type OperationFactory } from "@/db/testing/factories/operation-factory";
import { createTestDatabase } from "@/db/testing/test-database";
import type { Role } from "@/domain/idempotency/states";
import { createEngineBase } from "@/engine/base";
import { engineContext, type EngineContext } from "@/engine/context";
import { createLog } from "@/engine/telemetry/log";

export interface Desk {
  readonly make: OperationFactory;
  context(role?: Role, tenant?: string): EngineContext;
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
  /** Whoever reads the table waits. @returns what ends that */
  lock(table: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** A database of its own with a factory and somebody who looks: what a test of reads needs. */
export async function openDesk(): Promise<Desk> {
  const test = await createTestDatabase();
  const db = createDatabase({ url: test.url, max: 8 });
  const log = createLog("silent");
  const config = {
    leaseSeconds: 30,
    idempotencyTtlHours: 24,
    bodyTtlHours: 24,
    metadataTtlDays: 30,
    providerTimeoutMs: 400,
  };
  const base = createEngineBase({
    db,
    instance: "desk-1",
    config,
    encryptionKeys: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    secret: "a secret of this test",
    log,
    scopes: ["payments", "accounts", "events", "admin"],
  });
  const { keyring } = base;
  const owner = test.db.pool;
  await owner.query({
    text: "insert into onceboard.tenants (id, name) values ('acme', 'Acme'), ('globex', 'Globex')",
  });
  return {
    make: operationFactory({
      q: owner,
      tenantId: "acme",
      seal: (plain, subject, kind) => keyring.seal(plain, subject, kind),
    }),
    context: (role = "operator", tenantId = "acme") =>
      engineContext(base, {
        tenantId,
        actor: {
          kind: "operator",
          id: "op-1",
          name: "Mira Okafor",
          role,
          confirmation: { fresh: true, by: ["password"] },
        },
        requestId: "req-desk",
      }),
    rows: async <R>(text: string, ...values: unknown[]) =>
      (await owner.query<R & Record<string, unknown>>({ text, values })).rows,
    async lock(table) {
      const holder = await owner.connect();
      await holder.query(`begin; lock table onceboard.${table} in access exclusive mode`);
      return async () => {
        await holder.query("rollback");
        holder.release();
      };
    },
    async close() {
      await base.answers.close();
      await db.close();
      await test.drop();
    },
  };
}
