import { createDatabase } from "@/db/client";
import { operationFactory, type OperationFactory } from "@/db/testing/factories/operation-factory";
import { createTestDatabase } from "@/db/testing/test-database";
import type { Role } from "@/domain/states";
import { createBodyKeyring } from "@/engine/body-keyring";
import { engineContext, type EngineContext } from "@/engine/context";
import { createLog } from "@/engine/log";
import { createAnswerRecorder } from "@/engine/record-answers";

export interface Desk {
  readonly make: OperationFactory;
  context(role?: Role, tenant?: string): EngineContext;
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

/** A database of its own with a factory and somebody who looks: what a test of reads needs. */
export async function openDesk(): Promise<Desk> {
  const test = await createTestDatabase();
  const db = createDatabase({ url: test.url, max: 8 });
  const keyring = createBodyKeyring(`k1:${Buffer.alloc(32, 7).toString("base64")}`, "a secret of this test");
  const log = createLog("silent");
  const config = {
    leaseSeconds: 30,
    idempotencyTtlHours: 24,
    bodyTtlHours: 24,
    metadataTtlDays: 30,
    providerTimeoutMs: 400,
  };
  const base = { db, instance: "desk-1", config, keyring, answers: createAnswerRecorder(db, log), log };
  await db.pool.query({
    text: "insert into onceboard.tenants (id, name) values ('acme', 'Acme'), ('globex', 'Globex')",
  });
  return {
    make: operationFactory({ q: db.pool, tenantId: "acme", seal: (plain, binding) => keyring.seal(plain, binding) }),
    context: (role = "operator", tenantId = "acme") =>
      engineContext(base, {
        tenantId,
        actor: { kind: "operator", id: "op-1", name: "Mira Okafor", role },
        requestId: "req-desk",
      }),
    rows: async <R>(text: string, ...values: unknown[]) =>
      (await db.pool.query<R & Record<string, unknown>>({ text, values })).rows,
    async close() {
      await base.answers.close();
      await db.close();
      await test.drop();
    },
  };
}
