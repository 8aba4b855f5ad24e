import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createClient } from "./create-client";
import { createFileStore } from "./node-file-store";
import { writePlainModules } from "./testing/plain-modules";
import { PAYMENT, silence, startRawServer, type RawServer } from "./testing/raw-server";

/** A process starts slowly on a busy machine. */
const READY_MS = 30_000;

let modules: string;
let directory: string;
let server: RawServer;
const children: ChildProcess[] = [];
beforeAll(() => {
  modules = mkdtempSync(join(tmpdir(), "client-"));
  writePlainModules(modules);
});
afterAll(() => {
  rmSync(modules, { recursive: true, force: true });
});
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "pending-"));
  server = await startRawServer();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
  await server.close();
});

/** A program that uses the library as it is shipped: plain modules, plain Node. Says a line when it wants to. */
function start(program: string): ChildProcess & { lines: () => string } {
  const script = join(modules, `program-${String(children.length)}.js`);
  writeFileSync(
    script,
    `import { createClient } from "./index.js";
     import { createFileStore } from "./node-file-store.js";
     const store = createFileStore(${JSON.stringify(directory)});
     const client = createClient({ baseUrl: ${JSON.stringify(server.url)}, store });
     ${program}`,
  );
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return Object.assign(child, { lines: () => text });
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

it("CLIENT-2 a program that is killed while it waits for its answer goes on with the same key and bytes", async () => {
  server.script = [silence];
  const program = start(`await client.payments.create(${JSON.stringify(PAYMENT)}, { action: "order-1" });`);
  await expect.poll(() => server.seen.length, { timeout: READY_MS }).toBe(1);
  await kill(program);
  const client = createClient({ baseUrl: server.url, store: createFileStore(directory) });
  expect(await client.resume()).toMatchObject([{ ok: true, action: { name: "order-1" } }]);
  const [first, second] = server.seen;
  expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
  expect([second?.path, second?.body]).toEqual([first?.path, first?.body]);
  expect(await client.pending()).toEqual([]);
});

it("a program that is killed at any moment leaves whole actions and nothing else", async () => {
  const big = "x".repeat(200_000);
  for (const turn of [1, 2, 3]) {
    const program = start(`
      const body = JSON.stringify(${JSON.stringify({ pad: big })});
      for (let n = 0; ; n += 1) {
        const action = await store.open({ key: "k" + ${String(turn)} + "-" + n, baseUrl: "https://x", path: "/payments", body, createdAt: n });
        if (n % 2 === 0) await store.remove(action);
        if (n === 10) console.log("going");
      }`);
    await expect.poll(() => program.lines(), { timeout: READY_MS }).toContain("going");
    await kill(program);
  }
  const store = createFileStore(directory);
  const left = await store.list();
  expect(left.length).toBeGreaterThan(10);
  expect(left.every(({ body }) => body === JSON.stringify({ pad: big }))).toBe(true);
  const files = readdirSync(directory);
  expect(files.filter((name) => name.endsWith(".json"))).toHaveLength(left.length);
  // What a kill left half written is taken away when it is old enough to be nobody's.
  writeFileSync(join(directory, "a.json.1.tmp"), "{ half");
  utimesSync(join(directory, "a.json.1.tmp"), new Date(0), new Date(0));
  await store.list();
  expect(readdirSync(directory).includes("a.json.1.tmp")).toBe(false);
});

it("two processes that name one action at once send one key", async () => {
  server.script = [silence, silence];
  const program = `await client.payments.create(${JSON.stringify(PAYMENT)}, { action: "order-2" });`;
  start(program);
  start(program);
  await expect.poll(() => server.seen.length, { timeout: READY_MS }).toBe(2);
  expect(new Set(server.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(await createFileStore(directory).list()).toHaveLength(1);
});

it("commands are readable by their owner only", async () => {
  const store = createFileStore(join(directory, "mine"));
  await store.open({ key: "k", baseUrl: "https://x", path: "/payments", body: "{}", createdAt: 1 });
  const [file = ""] = readdirSync(join(directory, "mine"));
  if (process.platform !== "win32") {
    expect(statSync(join(directory, "mine", file)).mode & 0o077).toBe(0);
    expect(statSync(join(directory, "mine")).mode & 0o077).toBe(0);
  }
});
