import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { findBinaries } from "../embedded/binaries";
import {
  alive,
  freePort,
  initialise,
  MAINTENANCE_DATABASE,
  runningServer,
  serverUrl,
  start,
  stop,
} from "../embedded/server";
import { runAs } from "../embedded/system-user";
import { throwAwayParent } from "./throw-away-parent";

export interface TestServer {
  /** Of the maintenance database, as a superuser. */
  readonly url: string;
  readonly port: number;
  readonly directory: string;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly port?: number;
  /** Parent of the server's directory; see `throwAwayParent` for the default. */
  readonly parent?: string;
  /** Programs of another PostgreSQL, such as /usr/lib/postgresql/15/bin; also TEST_POSTGRES_BIN. */
  readonly binaries?: string;
}

const PREFIX = "onceboard-test-";
const OWNER_FILE = "owner";

/** Fast, and worth nothing after a power cut. */
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "256MB",
  max_wal_size: "4GB",
  checkpoint_timeout: "1h",
  autovacuum_naptime: "5s",
  max_prepared_transactions: "0",
} as const;

/**
 * Starts a throw-away PostgreSQL. It ends with this process at the latest, and one that a killed process left behind is
 * removed by the next start.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const user = runAs();
  const override = options.binaries ?? process.env["TEST_POSTGRES_BIN"];
  const binaries = findBinaries(user, override === "" ? undefined : override);
  const parent = options.parent ?? throwAwayParent();
  await removeLeftovers(parent);
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, PREFIX));
  chmodSync(directory, 0o711);
  writeFileSync(join(directory, OWNER_FILE), String(process.pid));
  const place = {
    binaries,
    user,
    directory: join(directory, "data"),
    logFile: join(directory, "postgres.log"),
    password: randomBytes(12).toString("hex"),
  };
  initialise(place, { durable: false });
  const port = options.port ?? (await freePort());
  const pid = await start(place, port, SETTINGS);
  const atExit = (): void => {
    try {
      process.kill(pid, "SIGQUIT");
    } catch {
      // Gone already.
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  process.once("exit", atExit);
  return {
    url: serverUrl(port, place.password, MAINTENANCE_DATABASE),
    port,
    directory,
    async stop() {
      process.removeListener("exit", atExit);
      // Nothing is kept, so nothing needs to be written first.
      await stop(pid, "SIGQUIT");
      rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

async function removeLeftovers(parent: string): Promise<void> {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const directory = join(parent, name);
    try {
      const owner = Number(readFileSync(join(directory, OWNER_FILE), "utf8"));
      if (!(owner > 0) || alive(owner)) continue;
      const server = runningServer(join(directory, "data"));
      if (server !== undefined) await stop(server.pid, "SIGQUIT");
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // Another start removes it at the same moment, or it is not ours.
    }
  }
}
