import { loadavg } from "node:os";
import { v7 as uuidv7 } from "uuid";
import { withConcurrency } from "@/domain/with-concurrency";
import { ownDatabase, runAsOwner, settleDatabase } from "../database";
import { processorTimeOf, type ProcessorTime } from "../processor-time";
import { EFFECTS_TABLE, type Contender, type OpenContender } from "./contender";
import type { Round, Series } from "./table";
import { wholeFigure } from "../../shared/markdown";

export interface MeasureOptions {
  readonly server: string;
  readonly jobs: number;
  readonly rounds: number;
  /** Called after each round. */
  readonly log: (line: string) => void;
}

interface Runner {
  readonly contender: Contender;
  readonly url: string;
  readonly opened: OpenContender;
  readonly rounds: Round[];
  close(): Promise<void>;
}

/** A share of the jobs goes before the first round: connections, statements and compiled code are there by then. */
const WARM_UP_SHARE = 10;

/** Measures the contenders in turns, so that a busy machine is busy for all of them. */
export async function measureContenders(contenders: readonly Contender[], options: MeasureOptions): Promise<Series[]> {
  const runners: Runner[] = [];
  const used = await processorTimeOf(options.server);
  try {
    for (const contender of contenders) runners.push(await openRunner(contender, options.server));
    for (const runner of runners) await oneRound(runner, Math.ceil(options.jobs / WARM_UP_SHARE), used);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const runner of runners) {
        const measured = await oneRound(runner, options.jobs, used);
        runner.rounds.push(measured);
        const { name, work } = runner.contender;
        const [load = 0] = loadavg();
        options.log(
          `${name}, ${work}: sent ${wholeFigure(measured.sent)}/s, finished ${wholeFigure(measured.finished)}/s, CPU ${wholeFigure(measured.client)} + ${wholeFigure(measured.server)} µs (load ${load.toFixed(1)})`,
        );
      }
    }
    return runners.map(({ contender, rounds }) => ({ contender, rounds }));
  } finally {
    for (const runner of runners) await runner.close();
  }
}

async function openRunner(contender: Contender, server: string): Promise<Runner> {
  const { url, drop } = await ownDatabase(server);
  try {
    await runAsOwner(url, [EFFECTS_TABLE]);
    const opened = await contender.open(url);
    const close = async (): Promise<void> => {
      try {
        await opened.close();
      } finally {
        await drop();
      }
    };
    return { contender, url, opened, rounds: [], close };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Each part starts after a checkpoint and with fresh statistics, whoever it is. */
async function oneRound(
  { contender, url, opened }: Runner,
  jobs: number,
  used: ProcessorTime | undefined,
): Promise<Round> {
  await runAsOwner(url, ["checkpoint"]);
  const sendMs = await timed(() => sendAll(contender, opened, jobs));
  await settleDatabase(url);
  let done = 0;
  const before = await timesOf(opened, used);
  const finishMs = await timed(async () => {
    done = await finishAll(contender, opened, jobs);
  });
  const after = await timesOf(opened, used);
  if (done !== jobs) throw new Error(`${contender.name} finished ${String(done)} of ${String(jobs)} jobs`);
  const perSecond = (ms: number): number => (jobs / ms) * 1_000;
  const perJob = (of: "client" | "server"): number =>
    before === undefined || after === undefined ? NaN : (after[of] - before[of]) / jobs;
  return {
    sent: perSecond(sendMs),
    finished: perSecond(finishMs),
    total: perSecond(sendMs + finishMs),
    client: perJob("client"),
    server: perJob("server"),
  };
}

/** Of the process that works: ours, or the contender's own. */
async function timesOf(
  { processorTime }: OpenContender,
  used: ProcessorTime | undefined,
): Promise<ReturnType<ProcessorTime> | undefined> {
  const times = used?.();
  if (times === undefined || processorTime === undefined) return times;
  return { ...times, client: await processorTime() };
}

async function sendAll({ sendBatch, sendsAtOnce }: Contender, opened: OpenContender, jobs: number): Promise<void> {
  const ids = Array.from({ length: jobs }, () => uuidv7());
  const batches = Array.from({ length: Math.ceil(jobs / sendBatch) }, (_, at) =>
    ids.slice(at * sendBatch, (at + 1) * sendBatch),
  );
  const ended = await withConcurrency(sendsAtOnce, batches, (batch) => opened.send(batch));
  const broken = ended.find((end) => end.status === "rejected");
  if (broken !== undefined) throw broken.reason;
}

/** @returns how many were done */
async function finishAll({ lanes }: Contender, opened: OpenContender, jobs: number): Promise<number> {
  let done = 0;
  const work = async (lane: number): Promise<void> => {
    while (done < jobs) {
      const some = await opened.finishSome(lane);
      if (some === 0) return;
      done += some;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
  return done;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
