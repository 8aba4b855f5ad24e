import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { INSERT_EFFECT, payloadOf, type OpenContender, type WorkKind } from "../contender";

type Program = (url: string, work: WorkKind) => Promise<Omit<OpenContender, "processorTime">>;

async function installed<Module>(path: string): Promise<Module> {
  const file = join(process.env["PACKAGES"] ?? "", "node_modules", path);
  return (await import(pathToFileURL(file).href)) as Module;
}

interface Boss {
  on(event: "error", listener: (error: Error) => void): void;
  start(): Promise<unknown>;
  stop(options: { readonly graceful: boolean }): Promise<void>;
  createQueue(name: string): Promise<void>;
  insert(name: string, jobs: readonly { readonly id: string; readonly data: object }[]): Promise<unknown>;
  fetch(name: string, options: { readonly batchSize: number; readonly priority: boolean }): Promise<{ id: string }[]>;
  complete(name: string, ids: readonly string[]): Promise<unknown>;
}

const QUEUE = "bench";
const BOSS_POOL = 10;
const BOSS_BATCH = 1_000;
const BOSS_LANES = 2;

/** As pg-boss.ts sets the pinned one. */
const pgBossOf: Program = async (url, work) => {
  const { PgBoss } = await installed<{ readonly PgBoss: new (options: object) => Boss }>("pg-boss/dist/index.js");
  const boss = new PgBoss({ connectionString: url, max: BOSS_POOL, supervise: false, schedule: false });
  boss.on("error", (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  await boss.createQueue(QUEUE);
  const pool = new pg.Pool({ connectionString: url, max: BOSS_LANES });
  return {
    async send(ids) {
      await boss.insert(
        QUEUE,
        ids.map((id) => ({ id, data: payloadOf(id) })),
      );
    },
    async finishSome() {
      const jobs = await boss.fetch(QUEUE, { batchSize: BOSS_BATCH, priority: false });
      if (jobs.length === 0) return 0;
      const ids = jobs.map(({ id }) => id);
      if (work === "one row") await insertEffects(pool, ids);
      await boss.complete(QUEUE, ids);
      return ids.length;
    },
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
};

async function insertEffects(pool: pg.Pool, ids: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const id of ids) await client.query({ name: "effect", text: INSERT_EFFECT, values: [id] });
    await client.query("commit");
  } finally {
    client.release();
  }
}

interface Graphile {
  readonly Logger: new (factory: () => () => undefined) => object;
  readonly makeWorkerUtils: (options: object) => Promise<{
    migrate(): Promise<void>;
    withPgClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
    release(): Promise<void>;
  }>;
  readonly runOnce: (options: object) => Promise<void>;
}

interface Helpers {
  query(text: string, values: readonly unknown[]): Promise<unknown>;
}

const CONCURRENCY = 24;
const LOCAL_QUEUE = 500;
const ADD_JOBS = `select 1 from graphile_worker.add_jobs(array(
  select row('bench', j.payload, null, null, null, null, null, null)::graphile_worker.job_spec
  from json_array_elements($1::json) as j(payload)))`;

/** As graphile-worker.ts sets the pinned one, with the local queue and the batched completion that it has gained since. */
const graphileWorkerOf: Program = async (url, work) => {
  const { Logger, makeWorkerUtils, runOnce } = await installed<Graphile>("graphile-worker/dist/index.js");
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  let done = 0;
  const bench = async ({ id }: { readonly id: string }, helpers: Helpers): Promise<void> => {
    if (work === "one row") await helpers.query(INSERT_EFFECT, [id]);
    done += 1;
  };
  const options = {
    ...{ connectionString: url, logger, taskList: { bench }, noHandleSignals: true },
    ...{ concurrency: CONCURRENCY, maxPoolSize: CONCURRENCY + 1 },
    preset: { worker: { localQueue: { size: LOCAL_QUEUE }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
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
    close: () => utils.release(),
  };
};

export const NEWER_PROGRAMS: Readonly<Record<string, Program>> = {
  "pg-boss": pgBossOf,
  "graphile-worker": graphileWorkerOf,
};
