import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { createTestDatabase } from "@/db/testing/test-database";
import { startStripeSandbox, type StripeSandbox } from "@/tests/support/providers";
import { METRICS_TOKEN } from "@/http/testing/host";
import { freePort } from "./startup/listen";

const CANARY = "canary0123456789";

/** PROVIDER=stripe in the processes as they are deployed: API and worker, at the most talkative log level. */
describe("the processes of cli/ with PROVIDER=stripe", () => {
  let test: Awaited<ReturnType<typeof createTestDatabase>>;
  let stripe: StripeSandbox;
  let apiKey: string;
  let url: string;
  const running: ChildProcess[] = [];
  const outputs: (() => string)[] = [];
  const shared = {
    NODE_ENV: "production" as const,
    SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    PROVIDER: "stripe",
    STRIPE_SECRET_KEY: `sk_test_${CANARY}`,
    PROVIDER_TIMEOUT_MS: "500",
    LEASE_SECONDS: "5",
    WORKER_INTERVAL_MS: "50",
    LOG_LEVEL: "trace",
    METRICS_TOKEN,
  };
  beforeAll(async () => {
    test = await createTestDatabase();
    stripe = await startStripeSandbox({ port: 0 });
    apiKey = (await createApiKey(test.db, { tenant: "acme", name: "till", scopes: ["payments"] })).key;
    const port = String(await freePort());
    url = `http://localhost:${port}`;
    await start("cli/api.ts", { PORT: port }, /^api ready/m);
    await start("cli/worker.ts", { PORT: port }, /^worker ready/m);
  });
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await stripe.close();
    await test.drop();
  });

  function launch(entry: string, env: Readonly<Record<string, string>>) {
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(process.execPath, ["--import", "tsx", entry], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH, HOME, ...shared, DATABASE_URL: test.url, STRIPE_API_BASE: stripe.url, ...env },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    running.push(child);
    outputs.push(() => output);
    return { child, output: () => output };
  }
  async function start(entry: string, env: Readonly<Record<string, string>>, ready: RegExp): Promise<void> {
    const { output } = launch(entry, env);
    await vi.waitFor(
      () => {
        expect(output()).toMatch(ready);
      },
      { timeout: 40_000 },
    );
  }
  const faults = (body: unknown) =>
    fetch(`${stripe.url}/_control/faults`, { method: "POST", body: JSON.stringify(body) });
  const taken = async () =>
    ((await (await fetch(`${stripe.url}/_control/ledger`)).json()) as { payments: unknown[] }).payments.length;
  async function pay(key: string, amount = "42.00"): Promise<{ status: number; text: string }> {
    const response = await fetch(`${url}/api/v1/payments`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify({ accountId: "acc_1", amount, currency: "EUR", merchantReference: `ref-${key}` }),
    });
    const text = await response.text();
    return { status: response.status, text };
  }

  it("RECOVERY-2 the API pays, the worker settles a lost answer, and the key replays it: one charge each", async () => {
    const first = await pay(randomUUID());
    expect(first.status).toBe(201);
    await faults({ timeout_after_accept: 1 });
    const key = randomUUID();
    expect((await pay(key)).status).toBe(504);
    await expect.poll(async () => (await pay(key)).status, { timeout: 20_000 }).toBe(201);
    expect(await taken()).toBe(2);
    expect((await pay(randomUUID(), "42.51")).text).toContain("payment.insufficient_funds");
  });

  it("PROVIDER-9 the secret key is in no log line, error or answer, whatever goes wrong", async () => {
    const texts: string[] = [];
    for (const fault of ["rate_limit", "error_before", "garbage", "reset_after_accept", "down", "timeout_before"]) {
      await faults({ [fault]: 1 });
      texts.push((await pay(randomUUID())).text);
    }
    await faults({});
    texts.push(
      await (await fetch(`${url}/api/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text(),
    );
    const results = outputs.map((output) => output());
    expect(results.join("").length).toBeGreaterThan(1_000);
    expect([...texts, ...results].join("\n")).not.toContain(CANARY);
  });

  it("a live key or none ends the process in a sentence without it", async () => {
    for (const [key, sentence] of [
      [`sk_live_${CANARY}`, "say STRIPE_LIVE=true"],
      ["", "needs STRIPE_SECRET_KEY"],
    ] as const) {
      const { child, output } = launch("cli/api.ts", {
        PORT: String(await freePort()),
        STRIPE_SECRET_KEY: key,
        LOG_LEVEL: "info",
      });
      expect(await once(child, "close")).toEqual([1, null]);
      expect(output().trim().split("\n")).toHaveLength(1);
      expect(output()).toContain(sentence);
      expect(output()).not.toContain(CANARY);
    }
  });
});
