import { createDatabase } from "@/db/client";
import type { PageRead } from "@/console/testing/page-read";
import { benchContext } from "../context";
import { sessionTime } from "./backend-time";
import { SAMPLES_SQL, type PageSamples } from "@/console/testing/page-samples";

/** Of one read, from the verb's call to its view. */
export interface ReadTime {
  readonly ms: number;
  /** That this process and the database worked for it; NaN where that cannot be seen. */
  readonly processorMs: number;
  /** Of that, what the database worked. */
  readonly sqlMs: number;
}

/** Somebody who looks at the pages of a seeded database. */
export interface Reader {
  time(page: PageRead): Promise<ReadTime>;
  close(): Promise<void>;
}

const TENANT = "acme";
const APPLICATION = "bench pages";

export async function openReader(url: string): Promise<Reader> {
  const db = createDatabase({ url, max: 2, applicationName: APPLICATION });
  const actor = { kind: "operator", id: "op-1", name: "Bench", role: "admin" } as const;
  const ctx = benchContext(db, { tenantId: TENANT, actor });
  const { rows } = await db.pool.query<PageSamples>({ text: SAMPLES_SQL, values: [TENANT] });
  const samples = rows[0];
  if (samples === undefined) throw new Error("the seed has no payment of the day before yesterday");
  const processor = sessionTime(db, url, APPLICATION);
  return {
    async time(page) {
      const request = { ...ctx };
      const worked = await processor.sofar();
      const since = performance.now();
      await page.read(request, samples);
      const ms = performance.now() - since;
      const { all, sql } = await processor.sofar();
      return { ms, processorMs: all - worked.all, sqlMs: sql - worked.sql };
    },
    async close() {
      await processor.close();
      await ctx.answers.close();
      await db.close();
    },
  };
}
