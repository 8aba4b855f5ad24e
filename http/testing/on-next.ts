/**
 * The HTTP suite against a served build of the console as well: Next mounts the same handlers, and may not change a byte.
 *
 *   npx tsx http/testing/on-next.ts [port] [--through-next] [vitest arguments …]     after npm run build
 *
 * With --through-next Next itself brings each request to the handlers, otherwise its server does.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, prepareTestServer } from "@/db/testing/test-database";
import { startTestServer } from "@/db/testing/test-server";
import { METRICS_TOKEN } from "./host";
import { startSandbox } from "@/tests/support/providers";

const DEFAULT_PORT = "4600";
const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 250;

const [port = DEFAULT_PORT, ...given] = process.argv.slice(2);
const THROUGH_NEXT = "--through-next";
const args = given.filter((argument) => argument !== THROUGH_NEXT);
const url = `http://127.0.0.1:${port}`;
const dataDir = mkdtempSync(join(tmpdir(), "onceboard-next-"));
const givenUrl = process.env["DATABASE_URL_TEST"];
const server = givenUrl ? undefined : await startTestServer();
process.env["DATABASE_URL_TEST"] = server?.url ?? givenUrl;
await prepareTestServer(process.env["DATABASE_URL_TEST"] ?? "");
const database = await createTestDatabase();
const sandbox = await startSandbox({ port: 0, dataDir });
const secret = randomBytes(32).toString("base64url");
const next = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "-p", port, "-H", "127.0.0.1"], {
  stdio: ["ignore", "ignore", "inherit"],
  env: {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: database.url,
    PUBLIC_URL: "http://localhost:3000",
    DATA_DIR: dataDir,
    SECRET: secret,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    SANDBOX_PORT: String(sandbox.port),
    PROVIDER_TIMEOUT_MS: "1500",
    LOG_LEVEL: "error",
    METRICS_TOKEN,
    API_THROUGH_NEXT: String(given.includes(THROUGH_NEXT)),
  },
});
try {
  await answering(next);
  process.exitCode = await vitest();
} finally {
  next.kill("SIGTERM");
  await sandbox.close();
  await database.drop();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function answering(child: ChildProcess): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(`${url}/api/health/live`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  throw new Error("The served build did not answer: run npm run build first.");
}

function vitest(): Promise<number> {
  // One file at a time: all of them steer the faults of one sandbox here.
  const command = ["node_modules/vitest/vitest.mjs", "run", "--project", "http*", "--no-file-parallelism", ...args];
  const tests = spawn(process.execPath, command, {
    stdio: "inherit",
    env: {
      ...process.env,
      NEXT_TEST_BASE_URL: url,
      NEXT_TEST_DATABASE_URL: database.ownerUrl,
      NEXT_TEST_SANDBOX_URL: sandbox.url,
      NEXT_TEST_SECRET: secret,
    },
  });
  return new Promise((resolve) => tests.once("exit", (code) => resolve(code ?? 1)));
}
