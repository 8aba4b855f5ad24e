import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNats, type TestBroker } from "@/engine/testing/brokers";
import { execute } from "@/engine/execute/execute";
import { openHouse, type House } from "@/payments/testing/house";
import { startWorker, WORKER_STOP_LIMIT_MS, type Worker } from "./main";

const WITHIN_MS = 20_000;

let house: House;
let broker: TestBroker;
let worker: Worker;
beforeAll(async () => {
  [house, broker] = await Promise.all([openHouse(), startNats()]);
  const config = {
    // Nobody is there: whatever arrives came over the broker.
    port: 1,
    publicUrl: "http://127.0.0.1:1",
    workerIntervalMs: 50,
    natsUrl: broker.url,
    rabbitmqUrl: undefined,
    outboxTransport: "nats" as const,
    smtpUrl: undefined,
    mailFrom: "shop@example.com",
    dataDir: "",
    webhookAllowPrivate: false,
  };
  worker = startWorker({ engine: house.context(), registry: house.registry, config });
});
afterAll(async () => {
  await worker.stop();
  await broker.stop();
  await house.close();
});

const beat = async () =>
  (
    await house.rows<{ error: string | null }>(
      "select error from onceboard.worker_heartbeats where loop = 'broker-nats' and at > clock_timestamp() - interval '1 minute'",
    )
  )[0];

describe("a worker with a broker", () => {
  it("INBOX-11 sends events over it and takes them from it, and its heart beats for it", async () => {
    await execute(house.context(), house.operations.createAccount, {
      key: uuidv7(),
      command: { accountId: "acc_1", currency: "EUR", email: undefined },
      receivedAt: performance.now(),
    });
    await expect
      .poll(
        () =>
          house.rows(
            "select consumer, state from onceboard.inbox_messages where type = 'account.opened' and consumer = 'ledger'",
          ),
        { timeout: WITHIN_MS },
      )
      .toEqual([{ consumer: "ledger", state: "processed" }]);
    expect(await house.rows("select distinct transport from onceboard.outbox_history")).toEqual([
      { transport: "nats" },
    ]);
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
