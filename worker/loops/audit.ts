import { openSinks } from "@/engine/audit/sinks/open-sinks";
import { createWitness, type Witness } from "@/engine/audit/witness";
import type { Loop, WorkerDeps } from "../deps";

const CHECK_INTERVAL_MS = 30_000;
/** Work of one turn of the check: a tenth of the time. */
const CHECK_BUDGET_MS = 3_000;
const MS_PER_SECOND = 1_000;
const DEFAULT_SECONDS = 300;

/** Checkpoints of the audit's chains, and the check against them. None without a key and a place where they go. */
export function auditLoops({ engine, config }: Pick<WorkerDeps, "engine" | "config">): readonly Loop[] {
  const { key, known: keys } = engine.auditKeys;
  const { auditSinks = [], auditSinkToken, auditCheckpointSeconds = DEFAULT_SECONDS } = config;
  if (key === undefined || auditSinks.length === 0) return [];
  const { db, log } = engine;
  const sinks = openSinks(auditSinks, auditSinkToken);
  const witness = createWitness({
    ...{ db: db.pool, key, keys, sinks, log },
    everyMs: auditCheckpointSeconds * MS_PER_SECOND,
  });
  return [checkpointsLoop(witness, config.workerIntervalMs), auditCheckLoop(witness)];
}

/** Numbers of chains are counted all the same where nothing is new: a loop that finds nothing pauses longer and longer. */
export function checkpointsLoop(witness: Witness, intervalMs: number): Loop {
  return {
    name: "checkpoints",
    intervalMs,
    tick: async ({ signal }) => ({ ...(await witness.turn({ signal })) }),
    busy: () => false,
    end: () => witness.close(),
  };
}

export function auditCheckLoop(witness: Witness): Loop {
  return {
    name: "audit check",
    intervalMs: CHECK_INTERVAL_MS,
    tick: async ({ signal }) => ({ ...(await witness.check(CHECK_BUDGET_MS, signal)) }),
    busy: () => false,
  };
}
