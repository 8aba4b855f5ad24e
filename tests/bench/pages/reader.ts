import { createDatabase } from "@/db/client";
import type { PageRead } from "@/console/testing/page-read";
import { benchContext } from "../context";
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
  const actor = { kind: "operator", id: "op-1", name: "Bench", role: "admin" } as const;
  const ctx = benchContext(db, { tenantId: TENANT, actor });
  const { rows } = await db.pool.query<PageSamples>({ text: SAMPLES_SQL, values: [TENANT] });
  const samples = rows[0];
  if (samples === undefined) throw new Error("the seed has no payment of the day before yesterday");
  return {
    async time(page) {
      const request = { ...ctx };
      const since = performance.now();
      await page.read(request, samples);
      return performance.now() - since;
    },
    async close() {
      await ctx.answers.close();
      await db.close();
    },
  };
}
