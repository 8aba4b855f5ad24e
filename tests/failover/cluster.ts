import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { askServer } from "@/db/testing/ask-server";
import { findBinaries } from "@/db/embedded/binaries";
import { alive, freePort, initialise, MAINTENANCE_DATABASE, serverUrl, start, stop } from "@/db/embedded/server";
import { runAs } from "@/db/embedded/system-user";
import { installedPrograms } from "@/db/testing/backups";
import { startRelay, type Relay } from "@/db/testing/relay";

/** A primary and a standby that streams from it, made with PostgreSQL's own programs. */
export interface Cluster {
  /** Of the primary, as a superuser. */
  readonly url: string;
  readonly standbyPort: number;
  /** Of the standby, as a superuser. */
  readonly standbyUrl: string;
  /** Waits until the standby has all that the primary wrote so far. */
  caughtUp(): Promise<void>;
  /** From now on nothing reaches the standby, as on a network that is parted. */
  part(): Promise<void>;
  /** What comes from the primary is kept and not shown, until {@link resume}. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops all processes of the standby where they stand, as a machine that hangs; connections stay open. Until {@link wake}. */
  hang(): Promise<void>;
  wake(): Promise<void>;
  /** kill -9 of the standby; settles when it is gone. */
  killStandby(): Promise<void>;
  /** kill -9 of the primary; settles when it is gone. It never comes back. */
  killPrimary(): Promise<void>;
  /** The standby takes writes from now on. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = {
  fsync: "off",
  max_connections: "100",
  shared_buffers: "64MB",
  max_prepared_transactions: "0",
} as const;
const LIMIT_MS = 60_000;
const POLL_MS = 50;
const PROGRAM_MS = 100_000;

/** @param synchronous a commit is confirmed when the standby has it (`synchronous_standby_names`) */
export async function startCluster({ synchronous }: { readonly synchronous: boolean }): Promise<Cluster> {
  const programs = installedPrograms();
  const user = runAs();
  const directory = mkdtempSync(join(tmpdir(), "onceboard-failover-"));
  const pids: number[] = [];
  const stopAll = (): void => {
    for (const each of pids) if (alive(each)) process.kill(each, "SIGQUIT");
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  process.once("exit", stopAll);
  chmodSync(directory, 0o711);
  const password = randomBytes(12).toString("hex");
  const place = (name: string) => ({
    ...{ binaries: findBinaries(user, programs), user, password },
    directory: join(directory, name),
    logFile: join(directory, `${name}.log`),
  });
  const [primary, standby] = [place("primary"), place("standby")];
  initialise(primary, { durable: false });
  const [port, standbyPort] = [await freePort(), await freePort()];
  const pid = await start(primary, port, { ...SETTINGS, wal_level: "replica", synchronous_commit: "on" });
  pids.push(pid);
  const url = serverUrl(port, password, MAINTENANCE_DATABASE);
  const standbyUrl = serverUrl(standbyPort, password, MAINTENANCE_DATABASE);
  const way = await startRelay("127.0.0.1", port);
  await copy(join(programs, "pg_basebackup"), standby.directory, serverUrl(way.port, password, MAINTENANCE_DATABASE));
  const standbyPid = await start(standby, standbyPort, { ...SETTINGS, hot_standby: "on" });
  pids.push(standbyPid);
  await until(url, "select from pg_stat_replication where state = 'streaming'");
  if (synchronous) {
    await askServer(url, "alter system set synchronous_standby_names = '*'");
    await askServer(url, "select pg_reload_conf()");
    await until(url, "select from pg_stat_replication where sync_state = 'sync'");
  }
  return clusterOf({ url, standbyUrl, standbyPort, pid, standbyPid, way, directory, stopAll });
}

interface Parts {
  readonly url: string;
  readonly standbyUrl: string;
  readonly standbyPort: number;
  readonly pid: number;
  readonly standbyPid: number;
  readonly way: Relay;
  readonly directory: string;
  readonly stopAll: () => void;
}

function clusterOf({ url, standbyUrl, standbyPort, pid, standbyPid, way, directory, stopAll }: Parts): Cluster {
  return {
    url,
    standbyPort,
    standbyUrl,
    caughtUp: () =>
      until(url, "select from pg_stat_replication where replay_lsn >= pg_current_wal_lsn() or replay_lsn = sent_lsn"),
    part: () => way.cut(),
    async pause() {
      await askServer(standbyUrl, "select pg_wal_replay_pause()");
      await until(standbyUrl, "select where pg_get_wal_replay_pause_state() = 'paused'");
    },
    async resume() {
      await askServer(standbyUrl, "select pg_wal_replay_resume()");
    },
    hang: () => signalAll(standbyPid, "SIGSTOP"),
    wake: () => signalAll(standbyPid, "SIGCONT"),
    killStandby: () => kill(standbyPid),
    killPrimary: () => kill(pid),
    async promote() {
      await askServer(standbyUrl, "select pg_promote(true, 60)");
      await until(standbyUrl, "select where not pg_is_in_recovery()");
    },
    async stop() {
      process.removeListener("exit", stopAll);
      await way.cut().catch(() => undefined);
      if (alive(standbyPid)) await stop(standbyPid, "SIGQUIT");
      if (alive(pid)) await stop(pid, "SIGQUIT");
      rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** The server first: stopped, it starts no other process. One that goes on reaps those that ended meanwhile, which are not there any more then. */
async function signalAll(server: number, signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
  process.kill(server, signal);
  const { stdout } = await promisify(execFile)("pgrep", ["-P", String(server)]);
  for (const pid of stdout.trim().split("\n")) {
    try {
      process.kill(Number(pid), signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

async function kill(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  while (alive(pid)) await delay(POLL_MS);
}

/** `--write-recovery-conf` says to the copy whom it follows: the way that is parted later, which this process serves meanwhile. */
async function copy(program: string, directory: string, url: string): Promise<void> {
  const user = runAs();
  mkdirSync(directory, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  const how = ["--wal-method=stream", "--checkpoint=fast", "--write-recovery-conf"];
  await promisify(execFile)(program, ["--pgdata", directory, ...how, "--dbname", url], {
    ...user,
    cwd: "/",
    timeout: PROGRAM_MS,
  });
}

async function until(url: string, text: string): Promise<void> {
  const last = performance.now() + LIMIT_MS;
  while ((await askServer(url, text)).length === 0) {
    if (performance.now() > last) throw new Error(`never so: ${text}`);
    await delay(POLL_MS);
  }
}
