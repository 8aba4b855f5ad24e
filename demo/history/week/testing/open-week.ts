import { randomBytes } from "node:crypto";
import { createDatabase } from "@/db/client";
import { createTestDatabase } from "@/db/testing/test-database";
import { createEngineBase } from "@/engine/base";
import { engineContext, type EngineContext } from "@/engine/context";
import { newWebhookSecret } from "@/engine/inbox/event-source";
import { createLog } from "@/engine/telemetry/log";
import type { Seeded } from "../../fill";
import { seedWeek, type WeekOptions } from "../week";

const PEOPLE = {
  admin: { id: "op-ada", name: "Ada" },
  operator: { id: "op-olu", name: "Olu" },
  approver: { id: "op-max", name: "Max" },
};
const CONFIG = {
  leaseSeconds: 30,
  idempotencyTtlHours: 24,
  bodyTtlHours: 72,
  metadataTtlDays: 90,
  providerTimeoutMs: 8_000,
};

/** A database of its own in which weeks are seeded, and what reads it as the product does. */
export interface WeekUnderTest {
  readonly ctx: EngineContext;
  /** Said while a week was made. */
  readonly lines: string[];
  readonly rows: <R>(text: string, ...values: unknown[]) => Promise<R[]>;
  /** Of a tenant with a merchant's endpoint, whose bodies are kept. */
  seed(tenant: string, options?: Partial<Pick<WeekOptions, "share" | "quiet">>): Promise<Seeded>;
  close(): Promise<void>;
}

/** @param tenant whom the context is of */
export async function openWeek(tenant: string): Promise<WeekUnderTest> {
  const test = await createTestDatabase();
  const db = createDatabase({ url: test.url, max: 2, applicationName: "week test" });
  const encryptionKeys = `k1:${randomBytes(32).toString("base64")}`;
  const log = createLog("silent");
  const base = createEngineBase({ db, instance: "test", config: CONFIG, encryptionKeys, secret: "of this test", log });
  const actor = { kind: "operator", id: "op-ann", name: "Ann", role: "auditor", confirmed: false } as const;
  const ctx = engineContext(base, { tenantId: tenant, actor, requestId: "week" });
  const lines: string[] = [];
  const rows = async <R>(text: string, ...values: unknown[]): Promise<R[]> =>
    (await test.db.pool.query<R & Record<string, unknown>>({ text, values })).rows;
  return {
    ctx,
    lines,
    rows,
    async seed(name, options) {
      await rows("insert into onceboard.tenants (id, name) values ($1, $1) on conflict do nothing", name);
      const endpoint = { url: `http://127.0.0.1:9/${name}`, secret: newWebhookSecret(), description: "Order desk" };
      const bodies = { keyring: ctx.keyring, hours: CONFIG.bodyTtlHours };
      const say = (line: string): void => void lines.push(line);
      return seedWeek({ url: test.ownerUrl, tenant: name, people: PEOPLE, bodies, endpoint, say, ...options });
    },
    async close() {
      await base.answers.close();
      await db.close();
      await test.drop();
    },
  };
}
