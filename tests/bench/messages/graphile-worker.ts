import { Logger, makeWorkerUtils, runOnce, type RunnerOptions, type TaskList } from "graphile-worker";
import { INSERT_EFFECT, ONE_AT_A_TIME, payloadOf, type Contender, type WorkKind } from "./contender";

const TASK = "bench";
const CONCURRENCY = 24;
const SILENT = new Logger(() => () => undefined);
const ADD_JOBS = `select 1 from graphile_worker.add_jobs(array(
  select row('bench', j.payload, null, null, null, null, null, null)::graphile_worker.job_spec
  from json_array_elements($1::json) as j(payload)))`;

/**
 * graphile-worker with the concurrency and pool of its performance page, and add_jobs() for batches. Its local queue and its
 * batched completion came with 0.17, which needs a newer Node.js than this project runs on.
 */
export function graphileWorker(work: WorkKind): Contender {
  return {
    ...ONE_AT_A_TIME,
    name: "graphile-worker 0.16.6",
    work,
    settings: `add_jobs in batches, ${String(CONCURRENCY)} jobs at once, prepared statements`,
    async open(url) {
      const utils = await makeWorkerUtils({ connectionString: url, logger: SILENT });
      await utils.migrate();
      let done = 0;
      const taskList: TaskList = {
        async [TASK](payload, helpers) {
          if (work === "one row") await helpers.query(INSERT_EFFECT, [(payload as { id: string }).id]);
          done += 1;
        },
      };
      const options: RunnerOptions = {
        connectionString: url,
        taskList,
        concurrency: CONCURRENCY,
        maxPoolSize: CONCURRENCY + 1,
        noHandleSignals: true,
        logger: SILENT,
      };
      return {
        async send(ids) {
          await utils.withPgClient((client) => client.query(ADD_JOBS, [JSON.stringify(ids.map(payloadOf))]));
        },
        async finishSome() {
          done = 0;
          await runOnce(options);
          return done;
        },
        close: async () => utils.release(),
      };
    },
  };
}
