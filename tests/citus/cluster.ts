import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries } from "@/db/embedded/binaries";
import { alive, freePort, HOST, initialise, MAINTENANCE_DATABASE, serverUrl, start, stop } from "@/db/embedded/server";
import { runAs } from "@/db/embedded/system-user";
import { askServer } from "@/db/testing/ask-server";

/** A coordinator and its workers on this machine, thrown away at the end. */
export interface CitusCluster {
  /** Of the coordinator, as a superuser; its workers are known to it in this database. */
  readonly url: string;
  readonly directory: string;
  stop(): Promise<void>;
}

export const WORKERS = 2;
/** Where Debian keeps the programs of the PostgreSQL that Citus is built against (tests/citus/build.sh). */
export const POSTGRES_15 = "/usr/lib/postgresql/15/bin";

/** Fast, and worth nothing after a power cut. Commits over several nodes are prepared first. */
const SETTINGS = {
  shared_preload_libraries: "citus",
  "citus.node_conninfo": "sslmode=disable",
  max_prepared_transactions: "200",
  // Citus has one for each database that it is in.
  max_worker_processes: "64",
  max_connections: "300",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  max_wal_size: "2GB",
  checkpoint_timeout: "1h",
} as const;

/**
 * Starts a coordinator and its workers. Nodes reach each other as the user that asks, without a password: they listen on this machine alone.
 *
 * @throws Error in one sentence when the programs have no Citus
 */
export async function startCitusCluster(programs: string = POSTGRES_15): Promise<CitusCluster> {
  const user = runAs();
  const binaries = findBinaries(user, programs);
  const directory = mkdtempSync(join(tmpdir(), "onceboard-citus-"));
  const pids: number[] = [];
  const atExit = (): void => {
    for (const pid of pids) if (alive(pid)) process.kill(pid, "SIGQUIT");
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  process.once("exit", atExit);
  chmodSync(directory, 0o711);
  const password = randomBytes(12).toString("hex");
  const ports: number[] = [];
  for (let node = 0; node <= WORKERS; node += 1) {
    const name = node === 0 ? "coordinator" : `worker-${String(node)}`;
    const place = {
      binaries,
      user,
      password,
      directory: join(directory, name),
      logFile: join(directory, `${name}.log`),
    };
    initialise(place, { durable: false });
    writeFileSync(join(place.directory, "pg_hba.conf"), `host all all ${HOST}/32 trust\n`);
    const port = await freePort();
    pids.push(await start(place, port, SETTINGS));
    ports.push(port);
  }
  const url = (port: number): string => serverUrl(port, password, MAINTENANCE_DATABASE);
  const [coordinator = 0, ...workers] = ports;
  for (const port of ports) await askServer(url(port), "create extension citus");
  await askServer(url(coordinator), `select citus_set_coordinator_host('${HOST}', ${String(coordinator)})`);
  for (const port of workers) await askServer(url(coordinator), `select citus_add_node('${HOST}', ${String(port)})`);
  return {
    url: url(coordinator),
    directory,
    async stop() {
      process.removeListener("exit", atExit);
      for (const pid of pids) await stop(pid, "SIGQUIT");
      rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}
