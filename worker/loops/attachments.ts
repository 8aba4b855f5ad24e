import { sampleSources } from "@/console/sources/sample-sources";
import type { Loop } from "../deps";
import { tenantLoop } from "../each-tenant";

/** Tenants whose attached databases are asked at once: one that is away takes some seconds. */
const CONCURRENCY = 2;

/** Counts what is in attached databases. It goes on at once only while old samples are left over. */
export function attachmentsLoop(intervalMs: number): Loop {
  const asked = new Map<string, number>();
  return tenantLoop("attachments", intervalMs, async (ctx) => ({ ...(await sampleSources(ctx, asked)) }), {
    concurrency: CONCURRENCY,
    busy: ({ deleted = 0 }) => deleted > 0,
  });
}
