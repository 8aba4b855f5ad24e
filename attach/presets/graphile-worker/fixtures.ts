import { Logger, makeWorkerUtils, runOnce, type TaskList, type WorkerUtils } from "graphile-worker";
import type { ForeignDatabase } from "../../testing/foreign-database";

const SILENT = new Logger(() => () => undefined);

/** graphile-worker itself, which makes its schema in the database of its owner. */
export async function startGraphileWorker(database: ForeignDatabase): Promise<WorkerUtils> {
  const utils = await makeWorkerUtils({ connectionString: database.ownerUrl, logger: SILENT });
  await utils.migrate();
  return utils;
}

/** Its own worker, until nothing is due. */
export async function workGraphileJobs(database: ForeignDatabase, taskList: TaskList): Promise<void> {
  await runOnce({ connectionString: database.ownerUrl, taskList, noHandleSignals: true, logger: SILENT });
}

/** A job in every state. @returns the id of the one in each */
export async function graphileJobsInEachState(
  utils: WorkerUtils,
  database: ForeignDatabase,
): Promise<Readonly<Record<string, string>>> {
  const add = async (maxAttempts: number): Promise<string> =>
    (await utils.addJob("pay", { secret: 1 }, { maxAttempts })).id;
  const [retrying, dead] = [await add(5), await add(1)];
  await workGraphileJobs(database, {
    pay: () => {
      throw new Error("The gateway was gone.");
    },
  });
  const lock = async (id: string, hours: number): Promise<void> => {
    await database.run(
      "update graphile_worker._private_jobs set locked_at = now() - $2 * interval '1 hour', locked_by = 'worker-7', attempts = max_attempts where id = $1",
      [id, hours],
    );
  };
  const [in_progress, abandoned, waiting] = [await add(1), await add(1), await add(5)];
  await lock(in_progress, 1);
  await lock(abandoned, 5);
  const { id: scheduled } = await utils.addJob(
    "pay",
    {},
    { runAt: new Date(Date.now() + 3_600_000), queueName: "slow", jobKey: "k-1" },
  );
  return { retrying, dead, in_progress, abandoned, waiting, scheduled };
}
