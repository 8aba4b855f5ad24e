/**
 * Pastes the production block of the README into a shell, with the address of an empty database, and uses what it started.
 *
 *   npm run test:production              in a copy of the sources, with npm ci and the build
 *   npm run test:production -- --here    in this directory, with the packages and the build that are here
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createDatabase } from "@/db/client";
import { freePort } from "@/cli/startup/listen";
import { startTestServer } from "@/db/testing/test-server";
import { endGroup } from "../shared/process-group";
import { readBlock } from "./read-block";

const READY_MS = 900_000;
const POLL_MS = 200;
/** The block sets them itself. */
const OWN_VARIABLES = ["MIGRATE_DATABASE_URL", "DATABASE_URL", "DATABASE_URL_TEST", "SECRET", "ENCRYPTION_KEYS"];
const here = process.argv.includes("--here");

const server = await startTestServer();
const scratch = mkdtempSync(join(tmpdir(), "onceboard-production-"));
let shell: ChildProcess | undefined;
try {
  const cwd = here ? process.cwd() : copySources(join(scratch, "onceboard"));
  const block = readBlock(readFileSync("README.md", "utf8"), await makeOwner(server.url), !here);
  const port = await freePort();
  shell = start(block, cwd, port);
  await check(`http://localhost:${String(port)}`, await keyOf(shell));
  process.stdout.write("The production block of the README works.\n");
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  if (shell !== undefined) await endGroup(shell);
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** A user that owns one empty database and may make roles. @returns its address */
async function makeOwner(url: string): Promise<string> {
  const admin = createDatabase({ url, max: 1, role: "owner" });
  await admin.pool.query({ text: "create role onceboard login createrole password 'password'" });
  await admin.pool.query({ text: "create database onceboard owner onceboard" });
  await admin.close();
  const address = new URL(url);
  [address.username, address.password, address.pathname] = ["onceboard", "password", "/onceboard"];
  return address.href;
}

/** What git knows, as a fresh clone has it. */
function copySources(to: string): string {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(name)))
    cpSync(file, join(to, file), { recursive: true });
  return to;
}

function start(block: string, cwd: string, port: number): ChildProcess {
  const none = Object.fromEntries(OWN_VARIABLES.map((name) => [name, undefined]));
  // The block ends with two processes in the background; the shell waits for them, so that all are one group.
  return spawn("sh", ["-eu", "-c", `${block}\nwait`], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...none, PORT: String(port), DATA_DIR: join(scratch, "data"), LOG_LEVEL: "warn" },
  });
}

/** @returns the API key that the block printed, once both processes say that they are ready */
function keyOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const limit = setTimeout(() => {
      reject(new Error(`not ready in time: ${output}`));
    }, READY_MS);
    child.once("exit", (code) => {
      clearTimeout(limit);
      reject(new Error(`the block ended with ${String(code)}: ${output}`));
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      process.stdout.write(chunk);
      output += chunk.toString();
      const key = /^(ob_\S+)$/m.exec(output)?.[1];
      if (key === undefined || !/^serve ready on /m.test(output) || !/^worker ready$/m.test(output)) return;
      clearTimeout(limit);
      resolve(key);
    });
  });
}

/** An account, made once by two requests of one key; the console; a worker that beats. */
async function check(baseUrl: string, key: string): Promise<void> {
  const create = () =>
    fetch(`${baseUrl}/api/v1/accounts`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "first" },
      body: JSON.stringify({ accountId: "acc_1", currency: "EUR" }),
    });
  const [first, second] = [await create(), await create()];
  expectEqual("the first answer", first.status, 201);
  expectEqual("the answer to its repeat", second.headers.get("idempotent-replayed"), "true");
  expectEqual("its bytes", await second.text(), await first.text());
  const page = await fetch(`${baseUrl}/sign-in`);
  expectEqual("the sign-in page", [page.status, /Onceboard/.test(await page.text())].join(), "200,true");
  const ready = await fetch(`${baseUrl}/api/health/ready`);
  expectEqual("readiness", ready.status, 200);
  // What a login that owns the tables, or a missing guard, would be said by.
  const { notes = [] } = (await ready.json()) as { readonly notes?: readonly string[] };
  expectEqual("what readiness notes", notes.filter((text) => /login|direct writes/.test(text)).join(), "");
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    if ((await fetch(`${baseUrl}/api/health/worker`)).status === 200) return;
    await delay(POLL_MS);
  }
  throw new Error("no worker beat within a minute");
}

function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what} is ${String(found)} instead of ${String(wanted)}`);
}
