import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort, HOST } from "../embedded/server";
import { runAs } from "../embedded/system-user";
import { ensureProcessLogin, PROCESS_LOGIN } from "../embedded/process-login";

export interface TestPooler {
  readonly port: number;
  /** The address of a database through the pooler, as the login of the processes. @param url of it on the server itself */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Of the processes at a test server. */
export const TEST_LOGIN_PASSWORD = "password-of-a-test";
const READY_TRIES = 200;
const READY_PAUSE_MS = 25;
const FIND = fileURLToPath(new URL("../../scripts/find-pgbouncer.mjs", import.meta.url));

/**
 * Starts PgBouncer in transaction mode before a test server. It takes only the startup parameters that it takes by itself.
 *
 * @param server URL of a superuser
 * @param serverConnections of each database at the most: fewer than callers, so that transactions change sessions
 * @throws Error in one sentence when there is no pgbouncer
 */
export async function startPooler(server: string, serverConnections = 20): Promise<TestPooler> {
  const program = (await promisify(execFile)(process.execPath, [FIND])).stdout.trim();
  await ensureProcessLogin(server, TEST_LOGIN_PASSWORD);
  const { hostname, port: serverPort } = new URL(server);
  const directory = mkdtempSync(join(tmpdir(), "onceboard-pooler-"));
  const user = runAs();
  const port = await freePort();
  const file = join(directory, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${PROCESS_LOGIN} password=${TEST_LOGIN_PASSWORD}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${String(port)}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = ${String(serverConnections)}
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
`,
    { mode: 0o600 },
  );
  chmodSync(directory, 0o711);
  if (user.uid !== undefined && user.gid !== undefined) chownSync(file, user.uid, user.gid);
  const child = spawn(program, ["-q", file], { ...user, cwd: "/", stdio: "ignore" });
  const ended = once(child, "exit");
  const atExit = (): void => void child.kill("SIGKILL");
  process.once("exit", atExit);
  await reached(port);
  return {
    port,
    through: (url) => pooledUrl(url, port),
    async stop() {
      process.removeListener("exit", atExit);
      child.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The address of a database by the pooler on this port. @param url of it on the server itself */
export function pooledUrl(url: string, port: number): string {
  const pooled = new URL(url);
  pooled.host = `${HOST}:${String(port)}`;
  pooled.username = PROCESS_LOGIN;
  pooled.password = "";
  return pooled.href;
}

async function reached(port: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const socket = connect(port, HOST);
    try {
      await once(socket, "connect");
      return;
    } catch (error) {
      if (tries === READY_TRIES) throw error;
      await delay(READY_PAUSE_MS);
    } finally {
      socket.destroy();
    }
  }
}
