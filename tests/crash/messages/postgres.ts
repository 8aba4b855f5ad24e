import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findBinaries } from "@/db/embedded/binaries";
import { alive, freePort, initialise, MAINTENANCE_DATABASE, serverUrl, start, stop } from "@/db/embedded/server";
import { runAs } from "@/db/embedded/system-user";

/** A PostgreSQL of its own, which may be killed: what it confirmed is with the kernel by then, so a killed server keeps it. */
export interface KillablePostgres {
  readonly url: string;
  /** `fast` ends sessions in order, `immediate` leaves the rest to the recovery of the next start, `kill` is kill -9. */
  restart(how: "fast" | "immediate" | "kill", downMs: number): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = {
  // A kill of the server is not a power cut: the kernel has what was written.
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "on",
  max_connections: "200",
  shared_buffers: "128MB",
  max_wal_size: "2GB",
  checkpoint_timeout: "1h",
  max_prepared_transactions: "0",
} as const;
const POLL_MS = 10;

/** @param parent directory that it makes its own in, e.g. a file system that may be full */
export async function startKillablePostgres(
  parent = tmpdir(),
  more: Readonly<Record<string, string>> = {},
): Promise<KillablePostgres> {
  const settings = { ...SETTINGS, ...more };
  const user = runAs();
  const directory = mkdtempSync(join(parent, "onceboard-crash-pg-"));
  chmodSync(directory, 0o711);
  const override = process.env["TEST_POSTGRES_BIN"];
  const place = {
    binaries: findBinaries(user, override === "" ? undefined : override),
    user,
    directory: join(directory, "data"),
    logFile: join(directory, "postgres.log"),
    password: randomBytes(12).toString("hex"),
  };
  initialise(place, { durable: false });
  const port = await freePort();
  let pid = await start(place, port, settings);
  const atExit = (): void => {
    signal(pid, "SIGQUIT");
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  process.once("exit", atExit);
  return {
    url: serverUrl(port, place.password, MAINTENANCE_DATABASE),
    async restart(how, downMs) {
      if (how === "kill") {
        signal(pid, "SIGKILL");
        while (alive(pid)) await delay(POLL_MS);
      } else await stop(pid, how === "fast" ? "SIGINT" : "SIGQUIT");
      await delay(downMs);
      pid = await start(place, port, settings);
    },
    async stop() {
      process.removeListener("exit", atExit);
      await stop(pid, "SIGQUIT");
      rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** @returns false when there is no such process any more */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
