import { spawnSync } from "node:child_process";
import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { freePort } from "@/db/embedded/server";
import { keepTrack } from "../crash/children";
import { startProcess } from "../shared/start-process";

/** API and worker on one database. */
export interface FailoverProcesses {
  readonly port: number;
  /** kill -9 of both. */
  stop(): Promise<void>;
}

const READY_MS = 180_000;
const COMMAND_MS = 120_000;

export async function startProcesses(env: NodeJS.ProcessEnv): Promise<FailoverProcesses> {
  const port = await freePort();
  const own = { ...env, PORT: String(port), PUBLIC_URL: `http://localhost:${String(port)}` };
  const begin = (entry: string, ready: RegExp): Promise<ChildProcess> =>
    startProcess(["--import", "tsx", entry], { env: own, ready, readyMs: READY_MS }, keepTrack);
  const children = await Promise.all([begin("cli/api.ts", / ready on /), begin("cli/worker.ts", /worker ready/)]);
  return {
    port,
    async stop() {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
      }
    },
  };
}

/** Step 4 of docs/runbooks/restore.md. @returns what it printed */
export function sayRestored(env: NodeJS.ProcessEnv): string {
  const args = ["--import", "tsx", "cli/restored.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8", timeout: COMMAND_MS });
  if (status !== 0) throw new Error(`onceboard restored: ${stderr}`);
  return stdout;
}
