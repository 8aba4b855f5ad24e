/**
 * Upgrades the previous version to this one under load, and goes back: both serve at once in between. Payments go through the
 * sandbox provider; each key is sent twice at once and again, to whichever version answers.
 *
 *   npm run test:upgrade                          the commit of tests/upgrade/version.ts, 60 keys a phase
 *   npm run test:upgrade -- --keys 300 --previous COMMIT
 *   npm run test:upgrade -- --plant               with callers whose retries have another key, which has to be found
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomBytes } from "node:crypto";
import { freePort } from "@/cli/startup/listen";
import { createDatabase } from "@/db/client";
import { startTestServer } from "@/db/testing/test-server";
import { createLoad, type PhaseTally } from "./load";
import { judgeUpgrade } from "./judge";
import {
  checkOut,
  hasCommit,
  PREVIOUS,
  runVersion,
  startVersion,
  type Running,
  type VersionEnvironment,
  type Version,
} from "./version";

const { values } = parseArgs({
  options: {
    keys: { type: "string", default: "60" },
    previous: { type: "string", default: PREVIOUS },
    plant: { type: "boolean", default: false },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
if (!hasCommit(values.previous)) {
  say(`skipped: the history here does not reach back to ${values.previous}`);
  process.exit(0);
}

const PASSWORD = randomBytes(16).toString("hex");
const keys = Number(values.keys);
const scratch = mkdtempSync(join(tmpdir(), "onceboard-upgrade-"));
const server = await startTestServer();
const running = new Set<Running>();
const phases = new Map<string, PhaseTally>();
const tally = (phase: string): PhaseTally => {
  const found = phases.get(phase) ?? { answers: new Map<string, number>(), violations: [] };
  phases.set(phase, found);
  return found;
};

try {
  const owner = createDatabase({ url: server.url, max: 1, role: "owner" });
  await owner.pool.query({ text: "create database onceboard" });
  await owner.close();
  const ownerUrl = addressOf();
  const env: VersionEnvironment = {
    DATABASE_URL: ownerUrl,
    SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    SANDBOX_PORT: String(await freePort()),
    DATA_DIR: join(scratch, "data"),
    WORKER_INTERVAL_MS: "100",
    LEASE_SECONDS: "5",
    PROVIDER_TIMEOUT_MS: "2000",
  };
  const before = checkOut(values.previous, join(scratch, "old"));
  const after: Version = { name: "new", folder: process.cwd() };
  await runVersion(before, "cli/migrate.ts", env);
  await makeLogin(ownerUrl);
  const own: VersionEnvironment = { ...env, DATABASE_URL: addressOf("onceboard_process") };
  const apiKey = (
    await runVersion(before, "cli/api-key.ts", env, [
      "--tenant",
      "acme",
      "--name",
      "till",
      "--scopes",
      "payments,accounts",
    ])
  )
    .split("\n")
    .find((line) => line.startsWith("ob_"));
  if (apiKey === undefined) throw new Error("no API key was made");
  await begin(after, "payments/sandbox/main.ts", own);
  const load = createLoad({ apiKey, tally, planted: values.plant });
  const phase = async (name: string, urls: readonly string[], meanwhile?: () => Promise<unknown>): Promise<void> => {
    load.turnTo(urls);
    await load.run(name, keys, meanwhile?.());
    const { answers, violations } = tally(name);
    const said = [...answers].sort().map(([what, count]) => `${what}: ${String(count)}`);
    say(`${name}: ${said.join(", ")}; ${String(violations.length)} violations`);
  };

  const old = await stackOf(before, own);
  await createAccount(old.url, apiKey);
  await phase("old alone", [old.url]);
  await phase("old alone, while the new one migrates", [old.url], () =>
    runVersion(after, "cli/migrate.ts", { ...own, MIGRATE_DATABASE_URL: ownerUrl }).then((output) =>
      say(output.trim()),
    ),
  );
  const young = await stackOf(after, own);
  await phase("both", [old.url, young.url]);
  await load.replayAll("both, every key again");
  await phase("new, while the old one stops", [old.url, young.url], () => old.stop());
  await phase("new alone", [young.url]);
  const again = await stackOf(before, own);
  await phase("back: both", [again.url, young.url]);
  await load.replayAll("back: both, every key again");
  await phase("back: while the new one stops", [again.url, young.url], () => young.stop());
  await phase("back: old alone", [again.url]);
  await load.replayAll("back: old alone, every key again");
  const found = await judgeUpgrade({ ownerUrl, sandboxPort: own["SANDBOX_PORT"] ?? "", kept: load.kept });
  await again.stop();
  const violations = [...[...phases.values()].flatMap((each) => each.violations), ...found];
  for (const violation of violations.slice(0, 40)) process.stderr.write(`${violation}\n`);
  say(`${String(load.kept.length)} keys, ${String(violations.length)} violations`);
  if (violations.length > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const each of running) each.kill();
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}

function addressOf(user?: string): string {
  const url = new URL(server.url);
  url.pathname = "/onceboard";
  if (user !== undefined) [url.username, url.password] = [user, PASSWORD];
  return url.href;
}

/** As docs/ACCESS.md has it: the older version cannot make it. */
async function makeLogin(url: string): Promise<void> {
  const db = createDatabase({ url, max: 1, role: "owner" });
  await db.pool.query({ text: `create role onceboard_process login password '${PASSWORD}' in role onceboard_app` });
  await db.close();
}

async function begin(version: Version, entry: string, env: VersionEnvironment): Promise<Running> {
  const process = await startVersion(version, entry, env);
  running.add(process);
  return process;
}

/** API and worker of one version. */
async function stackOf(
  version: Version,
  env: VersionEnvironment,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = String(await freePort());
  const own = { ...env, PORT: port };
  const [api, worker] = [await begin(version, "cli/api.ts", own), await begin(version, "cli/worker.ts", own)];
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      for (const each of [api, worker]) {
        const code = await each.stop();
        running.delete(each);
        if (code !== 0) tally("stops").violations.push(`${each.name} ended with ${String(code)}`);
      }
    },
  };
}

async function createAccount(url: string, apiKey: string): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/accounts`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": "account" },
    body: JSON.stringify({ accountId: "acc_1", currency: "EUR" }),
  });
  if (status !== 201) throw new Error(`no account was made: ${String(status)}`);
}
