import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "@/cli/startup/listen";

/** It makes a database and starts five processes, on a machine that runs the other tests' stack too. */
const START_LIMIT_MS = 120_000;

test("the demo starts from nothing, takes payments and stops", async () => {
  test.setTimeout(START_LIMIT_MS);
  const directory = await mkdtemp(join(tmpdir(), "onceboard-demo-"));
  const { PATH, HOME } = process.env;
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const [PORT, SANDBOX_PORT, WORKER_METRICS_PORT] = ports.map(String);
  const env = { PATH, HOME, NODE_ENV: "test", DATA_DIR: directory, PORT, SANDBOX_PORT, WORKER_METRICS_PORT } as const;
  const demo = spawn(process.execPath, ["--import", "tsx", "cli/demo.ts"], { env, stdio: "pipe" });
  const ended = once(demo, "exit");
  let printed = "";
  for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (part: Buffer) => (printed += part.toString()));
  try {
    const address = `Onceboard is on http://localhost:${PORT ?? ""}`;
    const takesPayments = () => printed.includes(address) && /traffic: .* executed/.test(printed);
    await expect.poll(() => demo.exitCode !== null || takesPayments(), { timeout: START_LIMIT_MS }).toBe(true);
    expect(demo.exitCode, printed).toBeNull();
    expect((await fetch(`http://localhost:${PORT ?? ""}/sign-in`)).status).toBe(200);
  } finally {
    demo.kill("SIGINT");
    await ended;
    await rm(directory, { recursive: true, force: true });
  }
});
