import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNats, type TestBroker } from "@/engine/testing/brokers";
import { execute } from "@/engine/execute/execute";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { startWorker, WORKER_STOP_LIMIT_MS, type Worker } from "./main";

const WITHIN_MS = 20_000;

let env: TestEnvironment;
let broker: TestBroker;
let worker: Worker;
beforeAll(async () => {
  [env, broker] = await Promise.all([createTestEnvironment(), startNats()]);
  const config = {
    // Nobody is there: whatever arrives came over the broker.
    port: 1,
    publicUrl: "http://127.0.0.1:1",
    workerIntervalMs: 50,
    natsUrl: broker.url,
    rabbitmqUrl: undefined,
    kafkaUrl: undefined,
    outboxTransport: "nats" as const,
    webhookAllowPrivate: false,
  };
  worker = startWorker({ engine: env.context(), modules: env.modules, config });
});
afterAll(async () => {
  await worker.stop();
  await broker.stop();
  await env.close();
});

const beat = async () =>
  (
    await env.rows<{ error: string | null }>(
      "select error from onceboard.worker_heartbeats where loop = 'broker-nats' and at > clock_timestamp() - interval '1 minute'",
    )
  )[0];

describe("a worker with a broker", () => {
  it("INBOX-11 sends events over it and takes them from it, and its heart beats for it", async () => {
    await execute(env.context(), env.operations.createAccount, {
      key: uuidv7(),
      command: { accountId: "acc_1", currency: "EUR", email: undefined },
      receivedAt: performance.now(),
    });
    await expect
      .poll(
        () =>
          env.rows(
            "select consumer, state from onceboard.inbox_messages where type = 'account.opened' and consumer = 'ledger'",
          ),
        { timeout: WITHIN_MS },
      )
      .toEqual([{ consumer: "ledger", state: "processed" }]);
    expect(await env.rows("select distinct transport from onceboard.outbox_history")).toEqual([{ transport: "nats" }]);
    await expect.poll(beat, { timeout: WITHIN_MS }).toEqual({ error: null });
  });

  it("INBOX-11 says that the broker is away, and stops in time all the same", async () => {
    await broker.kill();
    await expect
      .poll(async () => (await beat())?.error, { timeout: WITHIN_MS })
      .toMatch(/^The broker is not reached: /);
    const began = performance.now();
    await worker.stop();
    expect(performance.now() - began).toBeLessThan(WORKER_STOP_LIMIT_MS);
  });
});
