import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@/cli/startup/listen";
import type { FullConfig } from "@playwright/test";
import { startTestServer } from "@/db/testing/test-server";
import { prepareTestServer, createTestDatabase } from "@/db/testing/test-database";
import { PASSWORD, PEOPLE, stackFile, type StackInfo } from "./stack-info";

const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 20_000;

/**
 * The whole product as `npm start` runs it, once for each worker: console and API, worker, sandbox, over a real PostgreSQL;
 * nothing stubbed.
 * @returns the teardown
 */
export default async function globalSetup({ workers }: FullConfig): Promise<() => Promise<void>> {
  const server = await startTestServer();
  process.env["DATABASE_URL_TEST"] = server.url;
  await prepareTestServer(server.url);
  const started = await Promise.allSettled(Array.from({ length: workers }, (_, index) => startStack(index)));
  const end = async (): Promise<void> => {
    for (const one of started) if (one.status === "fulfilled") await one.value();
    await server.stop();
  };
  const failed = started.find((one) => one.status === "rejected");
  if (failed === undefined) return end;
  // No teardown runs after a set-up that failed.
  await end();
  throw failed.reason;
}

/** @returns what stops it and removes what it leaves */
async function startStack(index: number): Promise<() => Promise<void>> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "onceboard-e2e-"));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const env = stackEnvironment(database.url, dataDir, port, sandboxPort);
  const stack = spawn(process.execPath, ["--import", "tsx", "cli/start.ts"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = async (): Promise<void> => {
    await stopped(stack);
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(stackFile(index), { force: true });
  };
  try {
    await said(stack, /Onceboard is on /);
    const { key, otherKey, adminKey } = await makePeople(env);
    const info: StackInfo = {
      baseUrl: `http://localhost:${String(port)}`,
      sandboxUrl: `http://127.0.0.1:${String(sandboxPort)}`,
      databaseUrl: database.ownerUrl,
      encryptionKeys: env["ENCRYPTION_KEYS"] ?? "",
      key,
      otherKey,
      adminKey,
    };
    mkdirSync(dirname(stackFile(index)), { recursive: true });
    writeFileSync(stackFile(index), JSON.stringify(info), { mode: 0o600 });
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

function stackEnvironment(url: string, dataDir: string, port: number, sandboxPort: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    PUBLIC_URL: `http://localhost:${String(port)}`,
    SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEYS: `e2e:${randomBytes(32).toString("base64")}`,
    LEASE_SECONDS: "5",
    PROVIDER_TIMEOUT_MS: "1000",
    WORKER_INTERVAL_MS: "200",
    // The shortest that is allowed, so that a body of yesterday is past its time and its day still has a partition.
    BODY_TTL_HOURS: "24",
    LOG_LEVEL: "warn",
    NODE_ENV: "production",
  };
}

/** The keys of two clients and of a script, and a person of each role. */
async function makePeople(env: NodeJS.ProcessEnv): Promise<Pick<StackInfo, "key" | "otherKey" | "adminKey">> {
  const apiKey = (name: string, scopes: string) =>
    command(env, "cli/api-key.ts", "--tenant", "acme", "--name", name, "--scopes", scopes);
  const [key, otherKey] = await Promise.all(
    ["till-web", "partner-lumen"].map((name) => apiKey(name, "payments,accounts,events")),
  );
  const adminKey = await apiKey("ops-script", "admin");
  for (const { email, role, name } of PEOPLE)
    await command(env, "cli/operator.ts", "--email", email, "--password", PASSWORD, "--role", role, "--name", name);
  return { key: key ?? "", otherKey: otherKey ?? "", adminKey };
}

async function command(env: NodeJS.ProcessEnv, entry: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", entry, ...args], { env });
  return stdout.trim();
}

/** Waits for a line of the stack; its end before that is an error. */
function said(stack: ChildProcess, line: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    const limit = setTimeout(() => {
      reject(new Error(`the stack was not ready in time; it said:\n${text}`));
    }, READY_LIMIT_MS);
    stack.once("exit", (code) => {
      reject(new Error(`the stack ended with ${String(code)}; it said:\n${text}`));
    });
    stack.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (!line.test(text)) return;
      clearTimeout(limit);
      resolve();
    });
  });
}

function stopped(stack: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => stack.kill("SIGKILL"), STOP_LIMIT_MS);
    stack.removeAllListeners("exit");
    stack.once("exit", () => {
      clearTimeout(limit);
      resolve();
    });
    stack.kill("SIGTERM");
  });
}
