import { createDatabase } from "@/db/client";
import { migrate } from "@/db/migrate";
import { seedLean } from "@/demo/history/lean/seed-lean";
import { createPace, retainShare } from "@/engine/retention/pace";
import { retain, type RetainMemory, type RetainResult } from "@/engine/retention/retain";
import type { EngineContext } from "@/engine/context";
import { PAYMENTS_TABLES } from "@/payments/tables";
import { runLoop } from "@/worker/run-loop";
import { benchContext } from "../context";
import { onBenchServer, ownDatabase } from "../database";
import { machineAndDurability } from "../messages/machine";
import { claimRate } from "../pages/claims";
import { makeDue } from "./due";
import { retentionTable, type RetentionRound } from "./table";

/** As the figures name it. */
export const RETENTION_CASE = "retention";
const TENANT = "acme";
/** As the worker's loop has it between two ticks that found more than they took. */
const INTERVAL_MS = 5;
/** Days of the seeded month whose windows end and whose keys go, in the first round; each further one takes those before and after. */
const FIRST_ENDED = 2;
const FIRST_KEPT = 29;

/** Longer than the worker bears. */
const LONG_BEHIND_MS = 24 * 3_600_000;
/** How retention runs: as the worker does, as it does when it is behind, and without rests. */
const WAYS = [
  { name: "as the worker does it", share: retainShare(0) },
  { name: "behind for an hour", share: retainShare(LONG_BEHIND_MS) },
  { name: "without rests", share: 1 },
] as const;

export interface RetentionOptions {
  /** Of the database; a day has a thirtieth of them. */
  readonly operations: number;
  readonly rounds: number;
  readonly durationMs: number;
}

/**
 * What retention of a day costs claims that run beside it: new keys that are claimed and completed, alone, beside retention and alone again, in
 * each round as the worker runs retention and without its rests.
 */
export async function benchRetention(options: RetentionOptions): Promise<{ text: string; figures: unknown }> {
  return onBenchServer(async (server, closers) => {
    const { url, drop } = await ownDatabase(server);
    closers.push(drop);
    await migrate(url, { modules: [PAYMENTS_TABLES] });
    await seedLean({ url, tenant: TENANT, operations: options.operations, force: false, say: () => undefined });
    const db = createDatabase({ url, max: 4, applicationName: "onceboard bench retention" });
    const ctx = benchContext(db, { tenantId: TENANT, actor: { kind: "system", id: "retain", name: "retain" } });
    closers.push(async () => {
      await ctx.answers.close();
      await db.close();
    });
    const rounds = await measureRounds(ctx, url, options);
    return {
      text: `${await machineAndDurability(server)}\n\n${retentionTable(rounds, options.operations)}`,
      figures: rounds,
    };
  });
}

async function measureRounds(ctx: EngineContext, url: string, options: RetentionOptions): Promise<RetentionRound[]> {
  const { durationMs } = options;
  const memory: RetainMemory = new Map();
  // The first walk of a process goes past every key once.
  while (!(await retain(ctx, memory, createPace({ share: 1 }))).done);
  await claimRate(url, durationMs / 2);
  const rounds: RetentionRound[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, way] of WAYS.entries()) {
      const days = round * WAYS.length + index;
      await makeDue(url, TENANT, [FIRST_ENDED + days, FIRST_KEPT - days]);
      const before = await claimRate(url, durationMs);
      const { beside, ...kept } = await besideRetention(ctx, memory, way.share, () => claimRate(url, durationMs));
      const after = await claimRate(url, durationMs);
      rounds.push({ way: way.name, alone: (before + after) / 2, beside, ...kept });
      process.stderr.write(
        `${way.name}: ${before.toFixed(0)}, ${beside.toFixed(0)}, ${after.toFixed(0)} a second; ${String(kept.rows)} rows\n`,
      );
    }
  }
  return rounds;
}

/** Runs retention until nothing is due or the claims end. */
async function besideRetention(
  ctx: EngineContext,
  memory: RetainMemory,
  share: number,
  claims: () => Promise<number>,
): Promise<{ readonly beside: number; readonly rows: number; readonly seconds: number; readonly whole: boolean }> {
  const ending = new AbortController();
  const { signal } = ending;
  const pace = createPace({ signal, share });
  let rows = 0;
  let whole = false;
  const began = performance.now();
  const retaining = runLoop<RetainResult>({
    tick: () => retain(ctx, memory, pace),
    intervalMs: INTERVAL_MS,
    busy: ({ done }) => !done,
    idle: () => false,
    signal,
    onTick({ result, error }) {
      if (error instanceof Error) throw error;
      rows += result === undefined ? 0 : result.expired + result.purgedBodies + result.purgedOperations;
      whole = result?.done === true;
      if (whole) ending.abort();
      return Promise.resolve();
    },
  }).then(() => (performance.now() - began) / 1_000);
  const beside = await claims();
  ending.abort();
  return { beside, seconds: await retaining, rows, whole };
}
