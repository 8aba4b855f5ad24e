import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, type Database } from "@/db/client";
import { createTestDatabase } from "@/db/testing/test-database";
import { OWN_SCOPES } from "@/domain/access/permission";
import { createEngineBase } from "@/engine/base";
import { engineContext, type EngineContext } from "@/engine/context";
import { createLog } from "@/engine/telemetry/log";
import type { Modules } from "@/engine/module/load";
import type { OperationRegistry } from "@/engine/execute/operation";
import { paymentModules } from "./payments";
import { createOperations, type Operations } from "@/payments/operations";
import type { PaymentProvider } from "@/payments/provider/port";
import { createSandboxProvider } from "@/payments/provider/sandbox-adapter";
import { startSandbox } from "@/payments/sandbox/server";
import type { EngineConfig } from "@/engine/engine-config";

export interface SandboxLedgerRow {
  readonly providerKey: string;
  readonly kind: string;
  readonly amountMinor: string;
}

/** A tenant with a database, a sandbox of its own and the engine on top: what a test of the business needs. */
export interface TestEnvironment {
  /** As a process has it: it writes through the functions only. */
  readonly db: Database;
  /** The test's own, as the owner of the tables. */
  readonly owner: Database;
  readonly url: string;
  /** On the server itself, also where the run is behind a pooler. */
  readonly ownerUrl: string;
  readonly operations: Operations;
  readonly registry: OperationRegistry;
  readonly modules: Modules;
  readonly sandboxUrl: string;
  /** ENCRYPTION_KEYS of this environment, for a second process. */
  readonly encryptionKeys: string;
  /** A context as one process would have it; another `instance` is another owner. */
  context(options?: { readonly instance?: string; readonly tenant?: string; readonly client?: string }): EngineContext;
  /** Runs one statement as the owner of the tables, who may put a row into any state, and gives its rows. */
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
  faults(rates: Readonly<Record<string, number>>): Promise<void>;
  /** What the provider really did. */
  ledger(): Promise<SandboxLedgerRow[]>;
  close(): Promise<void>;
}

const CONFIG: EngineConfig = {
  leaseSeconds: 30,
  idempotencyTtlHours: 24,
  bodyTtlHours: 24,
  metadataTtlDays: 30,
  providerTimeoutMs: 400,
};

/** As the routes of the example business ask for them. */
const SCOPES = ["payments", "accounts", ...OWN_SCOPES];

/**
 * @param providerAt makes another provider than the whole sandbox, given the sandbox's address
 * @param options.server address of a database server of the test's own
 */
export async function createTestEnvironment(
  config: Partial<EngineConfig> = {},
  providerAt: (sandboxUrl: string) => PaymentProvider = (url) => createSandboxProvider({ url }),
  { server }: { readonly server?: string } = {},
): Promise<TestEnvironment> {
  const test = await createTestDatabase(server === undefined ? {} : { server });
  // Races need connections: one for each of fifty callers at once.
  const db = createDatabase({ url: test.url, max: 60, applicationName: "payments test" });
  const dataDir = await mkdtemp(join(tmpdir(), "onceboard-test-"));
  const sandbox = await startSandbox({ port: 0, dataDir });
  const provider = providerAt(sandbox.url);
  const operations = createOperations(provider);
  const modules = paymentModules(operations);
  const log = createLog("silent");
  const encryptionKeys = `k1:${randomBytes(32).toString("base64")}`;
  const base = createEngineBase({
    db,
    instance: "test-1",
    config: { ...CONFIG, ...config },
    encryptionKeys,
    secret: "a secret of this test",
    log,
    kinds: modules.kinds,
    scopes: SCOPES,
  });
  await test.db.pool.query({
    text: "insert into onceboard.tenants (id, name) values ('acme', 'Acme'), ('globex', 'Globex')",
  });
  let request = 0;
  return {
    db,
    owner: test.db,
    url: test.url,
    ownerUrl: test.ownerUrl,
    operations,
    registry: modules.registry,
    modules,
    sandboxUrl: sandbox.url,
    encryptionKeys,
    context({ instance = "test-1", tenant = "acme", client = "till-web" } = {}) {
      request += 1;
      const actor = { kind: "client", id: client, name: client, scopes: ["payments"] } as const;
      return engineContext({ ...base, instance }, { tenantId: tenant, actor, requestId: `req-${String(request)}` });
    },
    async rows<R>(text: string, ...values: unknown[]) {
      return (await test.db.pool.query<R & Record<string, unknown>>({ text, values })).rows;
    },
    async faults(rates) {
      const response = await fetch(`${sandbox.url}/_control/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(rates),
      });
      if (!response.ok) throw new Error(`the sandbox refused the faults: ${await response.text()}`);
    },
    async ledger() {
      const response = await fetch(`${sandbox.url}/_control/ledger`);
      const body = (await response.json()) as { rows?: SandboxLedgerRow[]; entries?: SandboxLedgerRow[] };
      return body.rows ?? body.entries ?? [];
    },
    async close() {
      await base.answers.close();
      provider.close();
      await sandbox.close();
      await db.close();
      await test.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
