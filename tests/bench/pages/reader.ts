import { randomBytes } from "node:crypto";
import { createDatabase } from "@/db/client";
import { createEngineBase } from "@/engine/base";
import { engineContext } from "@/engine/context";
import { createLog } from "@/engine/telemetry/log";
import type { PageRead } from "@/console/testing/page-read";
import { SAMPLES_SQL, type PageSamples } from "@/console/testing/page-samples";

/** Somebody who looks at the pages of a seeded database. */
export interface Reader {
  /** @returns ms that the read took, from the verb's call to its view */
  time(page: PageRead): Promise<number>;
  close(): Promise<void>;
}

const TENANT = "acme";

export async function openReader(url: string): Promise<Reader> {
  const db = createDatabase({ url, max: 2, applicationName: "bench pages" });
  const base = createEngineBase({
    db,
    instance: "bench-pages",
    config: {
      leaseSeconds: 30,
      idempotencyTtlHours: 24,
      bodyTtlHours: 24,
      metadataTtlDays: 90,
      providerTimeoutMs: 1_000,
    },
    encryptionKeys: `k1:${randomBytes(32).toString("base64")}`,
    secret: "a secret of this run",
    log: createLog("silent"),
  });
  const { rows } = await db.pool.query<PageSamples>({ text: SAMPLES_SQL, values: [TENANT] });
  const samples = rows[0];
  if (samples === undefined) throw new Error("the seed has no payment of the day before yesterday");
  const actor = { kind: "operator", id: "op-1", name: "Bench", role: "admin" } as const;
  return {
    async time(page) {
      const ctx = engineContext(base, { tenantId: TENANT, actor, requestId: "bench" });
      const since = performance.now();
      await page.read(ctx, samples);
      return performance.now() - since;
    },
    async close() {
      await base.answers.close();
      await db.close();
    },
  };
}
