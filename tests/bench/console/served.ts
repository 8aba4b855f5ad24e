import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { upsertOperator } from "@/auth/operators";
import { createAuth } from "@/auth/sessions";
import { freePort } from "@/cli/startup/listen";
import { createTestDatabase, prepareTestServer, type TestDatabase } from "@/db/testing/test-database";
import { startTestServer } from "@/db/testing/test-server";
import { startSandbox } from "@/tests/support/providers";

const EMAIL = "a@example.com";
const PASSWORD = "correct horse battery";

/** One process of `serve` with a database of its own and somebody who is signed in. */
export interface Served {
  readonly url: string;
  readonly port: number;
  /** Process of `serve`. */
  readonly pid: number;
  readonly database: TestDatabase;
  /** Key of tenant acme for payments and accounts. */
  readonly key: string;
  /** Session of an administrator, as a `Cookie` header. */
  readonly cookie: string;
  /** Status of a page, read to its end. */
  page(path: string): Promise<number>;
  close(): Promise<void>;
}

export interface ServedOptions {
  /** A worker runs beside it, as in an installation: without one every message stays open, and pages count them all. */
  readonly worker?: boolean;
}

/** Needs the build of the console (`npm run build`). */
export async function startServed({ worker = false }: ServedOptions = {}): Promise<Served> {
  const server = await startTestServer();
  await prepareTestServer(server.url);
  const database = await createTestDatabase({ server: server.url });
  const dataDir = mkdtempSync(join(tmpdir(), "onceboard-served-"));
  const sandbox = await startSandbox({ port: 0, dataDir });
  const port = await freePort();
  const url = `http://localhost:${String(port)}`;
  const secret = randomBytes(32).toString("base64url");
  const encryptionKeys = `k1:${randomBytes(32).toString("base64")}`;
  const start = (command: "serve" | "worker", flags: readonly string[] = []): ChildProcess =>
    spawn(process.execPath, [...flags, "--import", "tsx", `cli/${command}.ts`], {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        SECRET: secret,
        ENCRYPTION_KEYS: encryptionKeys,
        PORT: String(port),
        SANDBOX_PORT: String(sandbox.port),
        LOG_LEVEL: "error",
      },
    });
  const serve = start("serve", profiled());
  const children = [serve, ...(worker ? [start("worker")] : [])];
  const close = async (): Promise<void> => {
    await Promise.all(children.map(ended));
    await sandbox.close();
    await database.drop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await ready(serve, "serve ready");
    for (const { stdout } of children) stdout?.resume();
    const { key } = await createApiKey(database.db, { tenant: "acme", name: "till", scopes: ["payments", "accounts"] });
    const cookie = await signIn({ url, secret, database });
    const page = async (path: string): Promise<number> => {
      const answer = await fetch(url + path, { headers: { cookie } });
      await answer.arrayBuffer();
      return answer.status;
    };
    return { url, port, pid: serve.pid ?? 0, database, key, cookie, page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ready({ stdout }: ChildProcess, line: string): Promise<void> {
  for await (const part of stdout ?? []) if (String(part).includes(line)) break;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

async function signIn(at: {
  readonly url: string;
  readonly secret: string;
  readonly database: TestDatabase;
}): Promise<string> {
  const auth = createAuth({ db: at.database.db, secret: at.secret, publicUrl: at.url });
  await upsertOperator(at.database.db, auth, { email: EMAIL, password: PASSWORD, role: "admin" });
  const entered = await fetch(`${at.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: at.url },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  return entered.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** The session, for a browser. */
export function sessionCookies({ url, cookie }: Pick<Served, "url" | "cookie">) {
  return cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
}

/** With BENCH_CPU_PROF=FOLDER the process leaves a profile there when it ends. */
function profiled(): string[] {
  const folder = process.env["BENCH_CPU_PROF"];
  return folder ? ["--cpu-prof", `--cpu-prof-dir=${folder}`] : [];
}
