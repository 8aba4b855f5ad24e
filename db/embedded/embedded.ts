import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { findBinaries } from "./binaries";
import { enter, withLock } from "./lock";
import { checkVersion, dataDirectory, password } from "./place";
import {
  alive,
  answers,
  freePort,
  initialise,
  MAINTENANCE_DATABASE,
  runningServer,
  serverUrl,
  start,
  stop,
} from "./server";
import { runAs } from "./system-user";

const DATABASE = "onceboard";
/** How long a server that another process started may take to answer. */
const REUSE_TIMEOUT_MS = 10_000;
const POLL_MS = 50;
const SETTINGS = { max_connections: "200", cluster_name: "onceboard" } as const;

export interface EmbeddedOptions {
  /** Holds the data (`postgres`), the password, the server's log. */
  readonly dataDir: string;
  /** A free one by default. */
  readonly port?: number;
  /** One line of text at a time, for people. */
  readonly log?: (line: string) => void;
}

export interface Embedded {
  /** Of database `onceboard`, on 127.0.0.1. */
  readonly url: string;
  readonly port: number;
  /** Whether its process is there. */
  alive(): boolean;
  /** Starts it again at the same address where it is not there, or joins the one that another process started meanwhile. @throws Error in one sentence */
  revive(): Promise<void>;
  /** Gives the server back; the last process that does so stops it. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL from npm for this data directory, or joins the one that already runs on it: several processes
 * may share it, and one that was left behind by a killed process is taken over.
 *
 * @throws Error in one sentence that says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir);
  const log = options.log ?? (() => undefined);
  const user = runAs();
  const directory = dataDirectory(dataDir, user, log);
  const lock = join(dataDir, "postgres.lock");
  return withLock(lock, async () => {
    const secret = password(dataDir, directory);
    let server = await joinRunning(directory, secret);
    if (server === undefined) {
      const binaries = findBinaries(user);
      const place = { binaries, user, directory, logFile: join(dataDir, "postgres.log"), password: secret };
      if (existsSync(directory)) {
        checkVersion(directory, binaries);
      } else {
        log(`Making a PostgreSQL ${binaries.major} database in ${directory}.`);
        initialise(place, { durable: true });
      }
      const port = options.port ?? (await freePort());
      server = { pid: await start(place, port, SETTINGS), port };
    }
    const { pid, port } = server;
    await ensureDatabase(serverUrl(port, secret, MAINTENANCE_DATABASE));
    return handle({ dataDir, lock, directory, secret }, { pid, port });
  });
}

/** @returns the server that runs on this directory already, once it answers. */
async function joinRunning(directory: string, secret: string): Promise<{ pid: number; port: number } | undefined> {
  const deadline = Date.now() + REUSE_TIMEOUT_MS;
  for (;;) {
    const server = runningServer(directory);
    if (server === undefined) return undefined;
    if (server.port > 0 && (await answers(serverUrl(server.port, secret, MAINTENANCE_DATABASE)))) return server;
    if (Date.now() > deadline) {
      throw new Error(
        `A PostgreSQL (process ${server.pid}) already uses ${directory} and does not let us in: stop it, or set DATA_DIR to another directory.`,
      );
    }
    await delay(POLL_MS);
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (rows.length === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

interface Place {
  readonly dataDir: string;
  readonly lock: string;
  readonly directory: string;
  readonly secret: string;
}

function handle({ dataDir, lock, directory, secret }: Place, started: { pid: number; port: number }): Embedded {
  const { port } = started;
  let { pid } = started;
  const users = enter(join(dataDir, "postgres.users"));
  // When this process ends without having asked for it; nothing can be awaited here.
  const atExit = (): void => {
    users.leave();
    try {
      if (!users.others()) process.kill(pid, "SIGINT");
    } catch {
      // Gone already.
    }
  };
  process.once("exit", atExit);
  let stopping: Promise<void> | undefined;
  return {
    url: serverUrl(port, secret, DATABASE),
    port,
    alive: () => alive(pid),
    revive: () =>
      withLock(lock, async () => {
        if (stopping !== undefined || alive(pid)) return;
        const running = await joinRunning(directory, secret);
        if (running !== undefined && running.port !== port)
          throw new Error(`The database in ${directory} was started at another port: start the whole again.`);
        pid = running?.pid ?? (await startAt({ dataDir, directory, secret }, port));
      }),
    stop: () =>
      (stopping ??= withLock(lock, async () => {
        process.removeListener("exit", atExit);
        users.leave();
        if (!users.others()) await stop(pid);
      })),
  };
}

function startAt({ dataDir, directory, secret }: Omit<Place, "lock">, port: number): Promise<number> {
  const user = runAs();
  const place = {
    binaries: findBinaries(user),
    user,
    directory,
    logFile: join(dataDir, "postgres.log"),
    password: secret,
  };
  return start(place, port, SETTINGS);
}
