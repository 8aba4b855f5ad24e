/**
 * What twenty pages at once do to a payment, on one process of `serve`: p50 without and with them, in one run.
 *
 *   npx tsx tests/bench/page-share.ts [pages at once]      after npm run build
 */
import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { upsertOperator } from "@/auth/operators";
import { createAuth } from "@/auth/sessions";
import { freePort } from "@/cli/startup/listen";
import { createTestDatabase, prepareTestServer } from "@/db/testing/test-database";
import { startTestServer } from "@/db/testing/test-server";
import { startSandbox } from "@/tests/support/providers";

const PAYMENTS = 60;
const WARM_UP = 15;
const ROUNDS = 3;
const PATHS = ["/", "/operations", "/outbox", "/metrics", "/attention"];
const PASSWORD = "correct horse battery";

const [wanted = "20"] = process.argv.slice(2);
const server = await startTestServer();
await prepareTestServer(server.url);
const test = await createTestDatabase({ server: server.url });
const dataDir = mkdtempSync(join(tmpdir(), "onceboard-share-"));
const sandbox = await startSandbox({ port: 0, dataDir });
const port = await freePort();
const url = `http://localhost:${String(port)}`;
const secret = randomBytes(32).toString("base64url");
const serve = spawn(process.execPath, ["--import", "tsx", "cli/serve.ts"], {
  stdio: ["ignore", "pipe", "inherit"],
  env: {
    ...process.env,
    DATABASE_URL: test.url,
    DATA_DIR: dataDir,
    SECRET: secret,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    PORT: String(port),
    SANDBOX_PORT: String(sandbox.port),
    LOG_LEVEL: "error",
  },
});
try {
  for await (const part of serve.stdout) if (String(part).includes("serve ready")) break;
  serve.stdout.resume();
  const cookie = await signIn();
  const { key } = await createApiKey(test.db, { tenant: "acme", name: "till", scopes: ["payments"] });
  await times(key, WARM_UP);
  await Promise.all(PATHS.map((path) => page(path, cookie)));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const idle = median(await times(key, PAYMENTS));
    const pages = askForPages(cookie, Number(wanted));
    await times(key, WARM_UP);
    const busy = median(await times(key, PAYMENTS));
    const answered = await pages.stop();
    process.stdout.write(
      `round ${String(round)}: p50 ${idle.toFixed(1)} ms alone, ${busy.toFixed(1)} ms beside ${wanted} pages at once ` +
        `(${(busy / idle).toFixed(2)} times); pages answered ${JSON.stringify(answered)}\n`,
    );
  }
} finally {
  serve.kill("SIGTERM");
  await once(serve, "exit");
  await sandbox.close();
  await test.drop();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function signIn(): Promise<string> {
  const auth = createAuth({ db: test.db, secret, publicUrl: url });
  await upsertOperator(test.db, auth, { email: "a@example.com", password: PASSWORD, role: "admin" });
  const entered = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ email: "a@example.com", password: PASSWORD }),
  });
  return entered.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** One payment after the other, as a caller waits for each. @returns ms of each */
async function times(key: string, count: number): Promise<number[]> {
  const results: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const started = performance.now();
    const answer = await fetch(`${url}/api/v1/payments`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      },
      body: JSON.stringify({
        accountId: "acc_1",
        amount: "10.00",
        currency: "EUR",
        merchantReference: `ref-${randomUUID()}`,
      }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 201) throw new Error(`a payment was answered ${String(answer.status)}`);
    results.push(performance.now() - started);
  }
  return results;
}

async function page(path: string, cookie: string): Promise<number> {
  const answer = await fetch(url + path, { headers: { cookie } });
  await answer.arrayBuffer();
  return answer.status;
}

/** So many people who look at one page after the other. */
function askForPages(cookie: string, atOnce: number): { stop(): Promise<Record<string, number>> } {
  const answered: Record<string, number> = {};
  const over = { now: false };
  const people = Array.from({ length: atOnce }, async (_, person) => {
    for (let n = person; !over.now; n += 1) {
      const status = await page(PATHS[n % PATHS.length] ?? "/", cookie);
      answered[status] = (answered[status] ?? 0) + 1;
    }
  });
  return {
    async stop() {
      over.now = true;
      await Promise.all(people);
      return answered;
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
