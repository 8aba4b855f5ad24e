import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/cli/startup/listen";
import { createDatabase } from "@/db/client";
import { startEmbedded } from "@/db/embedded/embedded";

const READY_LIMIT_MS = 60_000;
const OUTPUT_KEPT = 8_000;

/** A directory of somebody who installed the package, with a database and processes of their own. */
export interface PackagedDeployment {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly url: string;
  /** Runs `onceboard` to its end. */
  command(...args: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  /** Starts `onceboard serve` and the like, and waits for the line that says it is up. */
  start(...args: string[]): Promise<ChildProcess>;
  rows<Row>(text: string, ...values: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * @param installed the directory in which the package is installed
 * @param files a folder whose files the user wrote
 */
export async function openPackaged(
  installed: string,
  files: string,
  more: Readonly<Record<string, string>> = {},
): Promise<PackagedDeployment> {
  // Below it, so that Node finds the package as it does from any folder of a project.
  const folder = mkdtempSync(join(installed, "deployment-"));
  cpSync(files, folder, { recursive: true });
  const data = mkdtempSync(join(tmpdir(), "onceboard-data-"));
  const database = await startEmbedded({ dataDir: data });
  const db = createDatabase({ url: database.url, max: 2, role: "owner", applicationName: "adoption" });
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    PATH: process.env["PATH"],
    DATABASE_URL: database.url,
    SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    PORT: String(port),
    LOG_LEVEL: "warn",
    ...more,
  };
  const bin = join(installed, "node_modules/.bin/onceboard");
  const children = new Set<ChildProcess>();
  return {
    folder,
    env,
    url: `http://localhost:${String(port)}`,
    command: (...args) => spawnSync(process.execPath, [bin, ...args], { cwd: folder, env, encoding: "utf8" }),
    start: (...args) => startChild(spawn(process.execPath, [bin, ...args], { cwd: folder, env }), children, args),
    rows: async <Row>(text: string, ...values: unknown[]) => (await db.pool.query<Row>({ text, values })).rows,
    async close() {
      await Promise.all([...children].map((child) => ended(child, "SIGTERM")));
      await db.close();
      await database.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function startChild(child: ChildProcess, children: Set<ChildProcess>, args: readonly string[]): Promise<ChildProcess> {
  children.add(child);
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`onceboard ${args.join(" ")} ${why}: ${output}`));
    const late = setTimeout(() => fail("is not up in time"), READY_LIMIT_MS);
    const listen = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
      if (!/ ready\b/.test(output)) return;
      clearTimeout(late);
      resolve(child);
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => {
      clearTimeout(late);
      children.delete(child);
      fail(`ended with ${String(code)}`);
    });
  });
}

/** Sends the signal and waits for the end. */
export function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}

/** @returns SHA-256 over every file of the installed package: what a deployment must not change */
export function packageHash(installed: string): string {
  const root = join(installed, "node_modules/onceboard");
  const hash = createHash("sha256");
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}
