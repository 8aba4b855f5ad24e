import type { Contender, WorkKind } from "./contender";
import { graphileWorker } from "./graphile-worker";
import { measureContenders } from "./measure";
import { ourConsume, ourRelay } from "./ours";
import { pgBoss } from "./pg-boss";
import { plainSql } from "./plain";
import { newerPrograms } from "./newer/newer";
import { onBenchServer } from "../database";
import { machineAndDurability } from "./machine";
import { messageTable, type Series } from "./table";

/** As `--only` names it. */
export const MESSAGES_CASE = "messages";

export interface MessagesOptions {
  readonly jobs: number;
  readonly rounds: number;
}

/** Jobs sent and finished: our relay and inbox beside plain SQL, pg-boss and graphile-worker, all with durable commits. */
export async function benchMessages(options: MessagesOptions): Promise<{ text: string; figures: readonly Series[] }> {
  return onBenchServer(async (server) => {
    const series: Series[] = [];
    const log = (line: string): void => void process.stderr.write(`${line}\n`);
    const newer = await newerPrograms();
    for (const work of ["nothing", "one row"] as const) {
      const contenders = [...contendersOf(work), ...newer.contenders(work)];
      series.push(...(await measureContenders(contenders, { server, ...options, log })));
    }
    const settings = series.map(({ contender }) => `${contender.name} (${contender.work}): ${contender.settings}.`);
    const text = [await machineAndDurability(server), "", messageTable(series), "", ...settings, ...newer.remarks].join(
      "\n",
    );
    return { text, figures: series };
  });
}

function contendersOf(work: WorkKind): Contender[] {
  const more = work === "nothing" ? [ourRelay(), ourConsume(work, "one by one")] : [];
  return [plainSql(work), ...more, ourConsume(work), pgBoss(work), graphileWorker(work)];
}
