import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { isElsewhere } from "@/db/restore/restored";
import { freePort } from "./startup/listen";

const ROOT = join(import.meta.dirname, "..");
const TSX = import.meta.resolve("tsx");

let test: TestDatabase;
let cwd: string;
beforeAll(async () => {
  test = await createTestDatabase();
  cwd = mkdtempSync(join(tmpdir(), "onceboard-closed-"));
});
afterAll(async () => {
  rmSync(cwd, { recursive: true, force: true });
  await test.drop();
});

/** Runs a command in an empty directory, with nothing in its environment but what is given. */
async function run(entry: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ["--import", TSX, join(ROOT, `cli/${entry}.ts`), ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      TSX_TSCONFIG_PATH: join(ROOT, "tsconfig.json"),
      ONCEBOARD_CONFIG: join(ROOT, "onceboard.config.ts"),
      ...env,
    },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

const API_KEY = ["--tenant", "acme", "--name", "till", "--scopes", "payments"];
const OPERATOR = ["--email", "ada@example.com", "--password", "correct-horse-battery", "--role", "admin"];

describe("RUN-1 a process of a deployment brings nothing of its own", () => {
  it.concurrent.each([
    ["serve", []],
    ["api", []],
    ["worker", []],
    ["restored", []],
    ["migrate", []],
    ["migrate", ["--dry-run"]],
    ["api-key", API_KEY],
    ["operator", OPERATOR],
    ["operator", ["reset-totp", "ada@example.com"]],
    ["seed", ["--operations", "10"]],
  ] as const)("%s %j stops without DATABASE_URL in one sentence and makes no folder", async (entry, args) => {
    const { code, stdout, stderr } = await run(entry, args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^[^\n]*DATABASE_URL is missing[^\n]*\n$/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("needs SECRET and ENCRYPTION_KEYS beside DATABASE_URL, and names both", async () => {
    const { code, stderr } = await run("worker", [], { DATABASE_URL: test.url });
    expect([code, stderr]).toEqual([
      1,
      "The environment is not usable: SECRET is missing; ENCRYPTION_KEYS is missing.\n",
    ]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("says where there is no embedded database to open", async () => {
    const { code, stderr } = await run("api-key", [...API_KEY, "--data-dir", "nothing-here"]);
    expect([code, stderr]).toEqual([1, "There is no database in nothing-here: start and demo make one in DATA_DIR.\n"]);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

/** A configuration as JavaScript, of a module that places orders. @param change what is wrong with it */
const ORDERS = (change: string): string => `
  const schema = { safeParse: (value) => ({ success: true, data: value }) };
  const place = { name: "orders.place", path: "local", apiVersion: "1", schemaVersion: "1", policy: {},
    fields: (command) => command, describe: () => ({}), run: async () => ({}) };
  const entry = { definition: place, label: "Order" };
  const route = { method: "POST", path: "/orders", id: "placeOrder", summary: "Place", scopes: ["orders"], operation: place,
    body: { schema }, command: (_ctx, body) => body, answers: { 201: { text: "The order", schema } } };
  const orders = { name: "orders", operations: [entry], routes: [route] };
  export default { modules: [{ ...orders, ${change} }] };`;

describe("a module that is registered wrongly stops the process in one sentence", () => {
  it.concurrent.each([
    ["api", "two operations of one name", "operations: [entry, entry]", 'Two operations are named "orders.place".'],
    [
      "worker",
      "a provider path without lookUp",
      `operations: [{ label: "Order", definition: { ...place, path: "provider", prepare() {}, send() {} } }]`,
      'The operation "orders.place" of the module orders is on the path "provider" and has no lookUp().',
    ],
    [
      "serve",
      "a route without a schema",
      "routes: [{ ...route, body: undefined }]",
      "The route POST /orders of the module orders runs an operation and has no schema for its body.",
    ],
    [
      "migrate",
      "a route whose answer has what is no schema",
      `routes: [{ ...route, answers: { 201: { text: "The order", schema: { type: "object" } } } }]`,
      "The module orders: routes.0.answers.201.schema must be a schema of zod.",
    ],
  ])("%s: %s", async (entry, what, change, sentence) => {
    const folder = mkdtempSync(join(tmpdir(), "onceboard-module-"));
    try {
      const file = join(folder, "onceboard.config.mjs");
      writeFileSync(file, ORDERS(change));
      const { code, stdout, stderr } = await run(entry, [], {
        DATABASE_URL: test.url,
        SECRET: randomBytes(32).toString("hex"),
        ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
        ONCEBOARD_CONFIG: file,
        PORT: String(await freePort()),
      });
      expect([what, code, stdout, stderr]).toEqual([what, 1, "", `${sentence}\n`]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("RUN-2 only migrate and start bring a database up to date", () => {
  const env = () => ({
    DATABASE_URL: test.url,
    SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  });
  // Of each of the two ways in one, since a process takes seconds to load; db/migrations/require-schema.db.test.ts has the rest.
  it.each([
    ["worker", []],
    ["api-key", API_KEY],
  ] as const)("%s stops on a database that is older, and changes nothing", async (entry, args) => {
    const older = await createTestDatabase();
    try {
      const applied = async () =>
        (await older.db.pool.query<{ hash: string }>({ text: "select hash from onceboard.migrations order by id" }))
          .rows;
      await older.db.pool.query({
        text: "delete from onceboard.migrations where id = (select max(id) from onceboard.migrations)",
      });
      const before = await applied();
      const { code, stdout, stderr } = await run(entry, args, { ...env(), DATABASE_URL: older.url });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /^The database is older than this version, which needs migration \d{4}_\w+: run migrate first, with the[^\n]+\n$/,
      );
      expect(await applied()).toEqual(before);
    } finally {
      await older.drop();
    }
  });

  it("makes keys and operators on a database that is up to date", async () => {
    const secrets = env();
    expect(await run("api-key", API_KEY, secrets)).toMatchObject({ code: 0, stderr: "" });
    expect(await run("operator", OPERATOR, secrets)).toMatchObject({
      code: 0,
      stdout: "created ada@example.com (admin)\n",
    });
  });
});

describe("npm start keeps its database in a directory", () => {
  it("which api-key opens by --data-dir, with the secrets that are kept there", { timeout: 120_000 }, async () => {
    const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
    // What npm start does before it builds and starts children.
    const made = `const { openMigrated } = await import(${JSON.stringify(join(ROOT, "cli/startup/open-environment.ts"))});
      const environment = await openMigrated({ DATA_DIR: "kept" }); await environment.close();`;
    const child = spawn(process.execPath, ["--import", TSX, "--input-type=module", "-e", made], {
      cwd,
      stdio: "inherit",
      env: {
        PATH: process.env["PATH"] ?? "",
        NODE_ENV: "production",
        TSX_TSCONFIG_PATH: join(ROOT, "tsconfig.json"),
        ONCEBOARD_CONFIG: join(ROOT, "onceboard.config.ts"),
      },
    });
    expect(await once(child, "close")).toEqual([0, null]);
    const { code, stdout, stderr } = await run("api-key", [...API_KEY, "--data-dir", "kept"], ports);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\S{20,}\n$/);
  });
});

it("RESTORE-2 nothing works on a database that was copied from another until its owner says that it was restored", async () => {
  const env = {
    DATABASE_URL: test.url,
    SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    PORT: String(await freePort()),
  };
  await test.db.pool.query("insert into onceboard.database_place (place) values ('7000000000000000001/1')");
  for (const entry of ["serve", "api", "worker"]) {
    const { code, stderr } = await run(entry, [], env);
    expect([entry, code, stderr]).toEqual([
      entry,
      1,
      "This database was copied or restored from a backup: read docs/runbooks/restore.md, then run npm run -s restored.\n",
    ]);
  }
  expect((await run("restored", ["--hold-hours", "1.5"], env)).stderr).toContain("--hold-hours is a whole number");
  expect(await isElsewhere(test.db.pool)).toBe(true);
  const { code, stdout, stderr } = await run("restored", ["--hold-hours", "2"], {
    ...env,
    DATABASE_URL: test.ownerUrl,
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^0 operations are unknown, and their provider is asked for them\n/);
  expect(await isElsewhere(test.db.pool)).toBe(false);
});
