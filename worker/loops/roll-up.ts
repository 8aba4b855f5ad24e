import { recordCountSnapshots, measure, rollUp } from "@/console/metrics/roll-up";
import { sampleAttached } from "@/console/sources/sample-attached";
import { callScalar } from "@/db/named-call";
import type { Loop } from "../deps";
import { tenantLoop } from "../each-tenant";

/** The counts of the huge states are renewed this often, */
export const SNAPSHOT_EVERY_MS = 30_000;
/** and never for more than this part of the time: where counting takes longer, the counts grow older and say so. */
export const SNAPSHOT_SHARE = 1 / 50;

/** Charts, gauges and counts. @param clock monotonic milliseconds */
export function rollUpLoop(intervalMs: number, clock: () => number = () => performance.now()): Loop {
  const due = new Map<string, number>();
  return tenantLoop(
    "roll-up",
    intervalMs,
    async (ctx) => {
      const { minutes, behind } = await rollUp(ctx);
      const gauges = await measure(ctx);
      const since = clock();
      const count = since >= (due.get(ctx.tenantId) ?? -Infinity);
      if (count) {
        await recordCountSnapshots(ctx);
        due.set(ctx.tenantId, since + Math.max(SNAPSHOT_EVERY_MS, (clock() - since) / SNAPSHOT_SHARE));
      }
      return { minutes, behind, gauges, counted: count ? 1 : 0 };
    },
    { busy: (result) => (result["behind"] ?? 0) > 0 },
  );
}

/** Tenants whose attached databases are asked at once: one that is away takes some seconds. */
const ATTACHED_CONCURRENCY = 2;

/**
 * Counts what is in attached databases. It goes on at once only while old samples are left over. Looking counts too: a loop that finds
 * nothing pauses longer and longer, and what is attached meanwhile would wait for its first count.
 */
export function attachmentsLoop(intervalMs: number): Loop {
  const asked = new Map<string, number>();
  return tenantLoop("attachments", intervalMs, async (ctx) => ({ ...(await sampleAttached(ctx, asked)), looked: 1 }), {
    concurrency: ATTACHED_CONCURRENCY,
    busy: ({ deleted = 0 }) => deleted > 0,
  });
}

/** Most tables of one tick, and so the longest that it takes. */
const ANALYZED_LIMIT = 8;

/**
 * Gives the planner new statistics of tables that grow fast: in the first minute of an installation, or after a day's partition was made.
 * Looking counts, as above.
 */
export function statisticsLoop(intervalMs: number): Loop {
  return {
    name: "statistics",
    intervalMs,
    async tick({ engine }) {
      const analyzed = (await callScalar<number>(engine.db.pool, "analyze_grown", [ANALYZED_LIMIT])) ?? 0;
      return { analyzed, looked: 1 };
    },
    busy: () => false,
  };
}
