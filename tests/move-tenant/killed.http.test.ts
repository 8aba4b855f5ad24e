import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { OTHER_REGION, Callers, openRegions, type Regions } from "./regions";

const CALLERS = 4;
const TOLD = 5 * CALLERS;
/** What the command says when it has done a step. */
const KILLED_AFTER = ["its API keys are known", "whatever had begun has ended"];
const DONE = "it is open in";

let regions: Regions;
const children: ChildProcess[] = [];
beforeAll(async () => {
  regions = await openRegions();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await regions.close();
});

interface Run {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<unknown>;
}

/** The command as an operator starts it. */
function command(...more: string[]): Run {
  const { here, there, tenant } = regions;
  const env = {
    ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], NODE_ENV: "test", LOG_LEVEL: "silent" },
    ...{ DATABASE_URL: here.ownerUrl, TARGET_DATABASE_URL: there.ownerUrl },
    ...{ SECRET: there.secret, ENCRYPTION_KEYS: there.encryptionKeys },
  };
  const args = ["--import", "tsx", "cli/move-tenant.ts", "--tenant", tenant, "--to", OTHER_REGION, ...more];
  const child = spawn(process.execPath, args, { env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text, ended: once(child, "close") };
}

it("REGION-5 a move whose command is killed before and after the tenant is closed goes on when it is asked for again, and no payment is lost or made twice", async () => {
  const { here, there, tenant, apiKey } = regions;
  const callers = new Callers(here, apiKey, CALLERS);
  await vi.waitFor(() => expect(callers.told.length).toBeGreaterThan(TOLD), { timeout: 60_000 });
  for (const line of KILLED_AFTER) {
    const run = command();
    await vi.waitFor(() => expect(run.said()).toContain(line), { timeout: 60_000, interval: 1 });
    run.child.kill("SIGKILL");
    await run.ended;
  }
  const last = command();
  await last.ended;
  expect(last.said()).toContain(DONE);
  expect(last.said()).toMatch(/\d+ {2}payments\.payments/);
  const before = callers.told.length;
  await vi.waitFor(() => expect(callers.told.length).toBeGreaterThan(before + TOLD), { timeout: 60_000 });
  await callers.stop();
  const ids = callers.told.map(({ text }) => (JSON.parse(text) as { paymentId: string }).paymentId).sort();
  const rows = await there.rows<{ id: string }>(
    "select id::text as id from payments.payments where tenant_id = $1 order by 1",
    tenant,
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
  expect((await there.providerLedger()).length).toBe(ids.length);
}, 300_000);

it("a move is never begun by somebody who means to take one back", async () => {
  const run = command("--take-back", "now");
  await run.ended;
  expect([run.child.exitCode, run.said()]).toEqual([
    1,
    expect.stringContaining("--take-back or --forget is yes, or left out"),
  ]);
});
