/**
 * Upgrades the previous version to this one under load, and goes back: both serve at once in between. Payments go through the
 * sandbox provider; each key is sent twice at once and again, to whichever version answers. A person reads the pages of both consoles
 * meanwhile, and acts at each.
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
import { readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { createLoad, type PhaseTally } from "./load";
import { judgeUpgrade } from "./judge";
import { createPerson } from "./person";
import { createStacks, type VersionStack } from "./stacks";
import {
  buildConsole,
  checkOut,
  hasCommit,
  PREVIOUS,
  runVersion,
  type Version,
  type VersionEnvironment,
} from "./version";

const USAGE = `npm run test:upgrade [-- options]
  --keys N            of each phase (60)
  --previous COMMIT   the version to upgrade from (${PREVIOUS})
  --plant             with callers whose retries have another key, which has to be found`;
const { keys, previous, plant } = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      keys: { type: "string", default: "60" },
      previous: { type: "string", default: PREVIOUS },
      plant: { type: "boolean", default: false },
    },
  });
  return { ...values, keys: wholeNumber("keys", values.keys) };
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
if (!hasCommit(previous)) {
  say(`skipped: the history here does not reach back to ${previous}`);
  process.exit(0);
}

const PASSWORD = randomBytes(16).toString("hex");
const scratch = mkdtempSync(join(tmpdir(), "onceboard-upgrade-"));
const server = await startTestServer();
const phases = new Map<string, PhaseTally>();
const tally = (phase: string): PhaseTally => {
  const found = phases.get(phase) ?? { answers: new Map<string, number>(), violations: [] };
  phases.set(phase, found);
  return found;
};
const stacks = createStacks((violation) => tally("stops").violations.push(violation));
// Nothing of it is left where somebody ends it.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    stacks.kill();
    process.exit(1);
  });
interface Meanwhile {
  run(): Promise<unknown>;
  /** Whose console may leave a reader without an answer. */
  readonly stops?: VersionStack;
}

try {
  const owner = createDatabase({ url: server.url, max: 1, role: "owner" });
  await owner.pool.query({ text: "create database onceboard" });
  await owner.close();
  const ownerUrl = addressOf();
  const publicUrl = "http://console.example.com";
  const env: VersionEnvironment = {
    PUBLIC_URL: publicUrl,
    DATABASE_URL: ownerUrl,
    SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    SANDBOX_PORT: String(await freePort()),
    DATA_DIR: join(scratch, "data"),
    WORKER_INTERVAL_MS: "100",
    LEASE_SECONDS: "5",
    PROVIDER_TIMEOUT_MS: "2000",
  };
  const before = checkOut(previous, join(scratch, "old"));
  const after: Version = { name: "new", folder: process.cwd() };
  buildConsole(after);
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
  const operator = { email: "ada@example.com", password: randomBytes(16).toString("hex") };
  await runVersion(before, "cli/operator.ts", env, [
    ...["--email", operator.email, "--password", operator.password],
    ...["--role", "admin"],
  ]);
  await stacks.begin(after, "payments/sandbox/main.ts", own);
  const load = createLoad({ apiKey, tally, planted: plant });
  const person = createPerson({ ...operator, publicUrl, tally });
  const phase = async (name: string, up: readonly VersionStack[], meanwhile?: Meanwhile): Promise<void> => {
    load.turnTo(up.map(({ url }) => url));
    const loaded = load.run(name, keys, meanwhile?.run());
    const consoles = up.map((stack) => stack.console);
    await Promise.all([loaded, person.browse(name, consoles, loaded, meanwhile?.stops?.console)]);
    const { answers, violations } = tally(name);
    const said = [...answers].sort().map(([what, count]) => `${what}: ${String(count)}`);
    say(`${name}: ${said.join(", ")}; ${String(violations.length)} violations`);
  };

  const stopping = (stack: VersionStack): Meanwhile => ({ run: () => stack.stop(), stops: stack });
  const old = await stacks.start(before, own);
  await createAccount(old.url, apiKey);
  await person.signIn(old.console);
  await phase("old alone", [old]);
  await phase("old alone, while the new one migrates", [old], {
    run: () =>
      runVersion(after, "cli/migrate.ts", { ...own, MIGRATE_DATABASE_URL: ownerUrl }).then((output) =>
        say(output.trim()),
      ),
  });
  const young = await stacks.start(after, own);
  await phase("both", [old, young], { run: () => person.actAtBoth("both", old.console, young.console) });
  await load.replayAll("both, every key again");
  await phase("new, while the old one stops", [old, young], stopping(old));
  await person.signIn(young.console);
  await phase("new alone", [young]);
  const again = await stacks.start(before, own);
  await phase("back: both", [again, young], {
    run: () => person.actAtBoth("back: both", young.console, again.console),
  });
  await load.replayAll("back: both, every key again");
  await phase("back: while the new one stops", [again, young], stopping(young));
  await phase("back: old alone", [again]);
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
  stacks.kill();
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

async function createAccount(url: string, apiKey: string): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/accounts`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": "account" },
    body: JSON.stringify({ accountId: "acc_1", currency: "EUR" }),
  });
  if (status !== 201) throw new Error(`no account was made: ${String(status)}`);
}
