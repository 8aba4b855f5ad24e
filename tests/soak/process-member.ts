import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { keepTrack } from "../crash/children";
import { startProcess } from "../shared/start-process";

/** A process of the soak; another one takes its place whenever it is gone. */
export interface ProcessMember {
  readonly name: string;
  /** kill -9; settles when another one answers. */
  kill(): Promise<void>;
  /** SIGSTOP for so long, ms. */
  pause(ms: number): Promise<void>;
  /** Times that it ended by itself. */
  ended(): number;
  /** Ends it for good. */
  close(): Promise<void>;
}

export interface MemberPlan {
  readonly name: string;
  readonly entry: string;
  readonly ready: RegExp;
  /** Of its next start. */
  readonly env: () => NodeJS.ProcessEnv;
}

const READY_MS = 120_000;
const LOOK_MS = 50;
/** One that ends while it starts, because the database is away, is started again after a moment. */
const AGAIN_MS = 500;

export async function startMember({ name, entry, ready, env }: MemberPlan): Promise<ProcessMember> {
  const now = { closing: false, killed: false };
  let ended = 0;
  const start = (): Promise<ChildProcess> =>
    startProcess(["--import", "tsx", entry], { env: env(), ready, readyMs: READY_MS }, keepTrack);
  const gone = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
  let child = await start();
  const watching = (async () => {
    while (!now.closing) {
      if (gone(child)) {
        if (!now.killed) ended += 1;
        now.killed = false;
        const next = await start().catch(() => undefined);
        if (next === undefined) await delay(AGAIN_MS);
        else child = next;
      }
      await delay(LOOK_MS);
    }
  })();
  return {
    name,
    ended: () => ended,
    async kill() {
      const old = child;
      now.killed = true;
      old.kill("SIGKILL");
      while (child === old && !now.closing) await delay(LOOK_MS);
    },
    async pause(ms) {
      const paused = child;
      paused.kill("SIGSTOP");
      await delay(ms);
      paused.kill("SIGCONT");
    },
    async close() {
      now.closing = true;
      await watching;
      if (gone(child)) return;
      const end = once(child, "exit");
      child.kill("SIGKILL");
      await end;
    },
  };
}
