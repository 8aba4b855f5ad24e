/** Child processes of the scripts: each in a group of its own, so that a stop reaches what it started too. */
import { spawn } from "node:child_process";

const KILL_AFTER_MS = 10_000;
const running = new Set();

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, copied?: boolean, env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options] `quiet` keeps the output for the answer, `copied` shows it as well
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>} never rejects; a command that cannot start has code 127
 */
export function run(command, args, { quiet = false, copied = false, env = process.env, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["ignore", quiet || copied ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
      env,
      detached: true,
    });
    running.add(child);
    let output = "";
    let timedOut = false;
    const keep = (chunk) => {
      output += chunk;
      if (copied) process.stdout.write(chunk);
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    const timer = timeoutMs && setTimeout(() => ((timedOut = true), stopGroup(child)), timeoutMs);
    const done = (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output, timedOut });
    };
    child.on("error", (error) => ((output += error.message), done(127)));
    child.on("close", (code, signal) => done(code ?? (signal ? 130 : 1)));
  });
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

function stopGroup(child) {
  signalGroup(child, "SIGTERM");
  setTimeout(() => signalGroup(child, "SIGKILL"), KILL_AFTER_MS).unref();
}

/** Stops everything that runs, politely and then not. */
export function stopAll() {
  for (const child of running) stopGroup(child);
}

/** An interrupt stops the children, waits for them and ends with the code a shell expects. */
export function stopChildrenOnSignals() {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ]) {
    process.once(signal, () => {
      process.exitCode = code;
      if (running.size === 0) process.exit(code);
      const children = [...running];
      stopAll();
      Promise.all(children.map((child) => new Promise((resolve) => child.once("close", resolve)))).then(() =>
        process.exit(code),
      );
    });
  }
}
