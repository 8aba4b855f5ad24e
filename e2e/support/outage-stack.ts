import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@/cli/startup/listen";
import { createTestDatabase } from "@/db/testing/test-database";
import { expect } from "./fixtures";
import { startReceiver, type Receiver } from "./receiver";
import { PASSWORD, PEOPLE, type StackInfo } from "./stack-info";

const READY_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 20_000;

/** A product of its own, which may send to this machine, with an endpoint that this test takes away and gives back. */
export interface OutageStack extends Pick<StackInfo, "baseUrl" | "key" | "adminKey"> {
  readonly receiver: Receiver;
  rows<R>(text: string, ...values: unknown[]): Promise<R[]>;
  stop(): Promise<void>;
}

/** The stack that all tests share sends to the open internet only, as one in production does. */
export async function startOutageStack(): Promise<OutageStack> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "onceboard-outage-"));
  const [port, sandboxPort, metricsPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const baseUrl = `http://localhost:${String(port)}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    WORKER_METRICS_PORT: String(metricsPort),
    PUBLIC_URL: baseUrl,
    SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEYS: `outage:${randomBytes(32).toString("base64")}`,
    WORKER_INTERVAL_MS: "200",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "fatal",
    NODE_ENV: "production",
  };
  const stack = spawn(process.execPath, ["--import", "tsx", "cli/start.ts"], { env, stdio: "pipe" });
  let printed = "";
  for (const stream of [stack.stdout, stack.stderr]) stream.on("data", (part: Buffer) => (printed += part.toString()));
  const receiver = await startReceiver(`http://127.0.0.1:${String(port)}/api/v1/events/onceboard?tenant=acme`);
  const stop = async (): Promise<void> => {
    await stopped(stack);
    await receiver.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const ready = () => stack.exitCode !== null || printed.includes(`Onceboard is on ${baseUrl}`);
    await expect.poll(ready, { timeout: READY_LIMIT_MS }).toBe(true);
    expect(stack.exitCode, printed).toBeNull();
    const scripts = [
      ["till-web", "payments,accounts"],
      ["ops-script", "admin"],
    ] as const;
    const [key = "", adminKey = ""] = await Promise.all(
      scripts.map(([name, scopes]) =>
        command(env, "cli/api-key.ts", "--tenant", "acme", "--name", name, "--scopes", scopes),
      ),
    );
    const operator = PEOPLE.find(({ role }) => role === "operator");
    const { email = "", name = "" } = operator ?? {};
    const person = ["--email", email, "--password", PASSWORD, "--role", "operator", "--name", name];
    await command(env, "cli/operator.ts", ...person);
    const rows = async <R>(text: string, ...values: unknown[]): Promise<R[]> =>
      (await database.db.pool.query<R & Record<string, unknown>>({ text, values })).rows;
    return { baseUrl, key, adminKey, receiver, rows, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function command(env: NodeJS.ProcessEnv, entry: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", entry, ...args], { env });
  return stdout.trim();
}

async function stopped(stack: ChildProcess): Promise<void> {
  if (stack.exitCode !== null) return;
  const ended = once(stack, "exit");
  const limit = setTimeout(() => stack.kill("SIGKILL"), STOP_LIMIT_MS);
  stack.kill("SIGTERM");
  await ended;
  clearTimeout(limit);
}
