import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { rollUp } from "@/console/metrics/roll-up";
import { consume } from "@/engine/inbox/consume";
import { createConsumerRegistry } from "@/engine/inbox/consumer";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { listConsumers } from "./read-consumer";
import { listTopics } from "./read-topic";

const HERE = { fallback: "http", offered: ["http"] } as const;
let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(() =>
  env.rows("truncate onceboard.topics, onceboard.metric_messages, onceboard.metric_buckets, onceboard.outbox_history"),
);

const ctx = () => env.context({ actor: operator("viewer") });
const topics = async () => (await listTopics(ctx(), HERE)).rows.map(({ place }) => place);
const consumers = async () => (await listConsumers(ctx())).rows.map(({ place }) => place);
/** As though all of it had happened so long ago. */
const later = async (minutes: number): Promise<void> => {
  const by = `- make_interval(mins => ${String(minutes)})`;
  await env.rows(`update onceboard.outbox_history set published_at = published_at ${by}`);
  await env.rows(`update onceboard.inbox_batches set processed_at = processed_at ${by}`);
  await env.rows(`update onceboard.metric_messages set bucket = bucket ${by}`);
};
const counted = async (): Promise<void> => {
  await env.rows(
    "insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) values ($1, date_trunc('minute', now()) - interval '10 minutes', now())",
    TENANT,
  );
  await rollUp(env.context());
};

it("lists a topic while a message of it is open, then while it is in the roll-ups of the last hour", async () => {
  expect(await topics()).toEqual([]);
  await env.outbox({ topic: "payments" });
  expect(await topics()).toEqual(["payments"]);
  await relay(
    env.context(),
    through(() => ({ kind: "acknowledged" })),
  );
  expect(await topics(), "sent, and not rolled up yet").toEqual([]);
  await later(5);
  await counted();
  expect(await topics()).toEqual(["payments"]);
  await later(60);
  expect(await topics()).toEqual([]);
});

it("lists a topic that somebody changed, whatever happened in it", async () => {
  await env.rows(
    "insert into onceboard.topics (tenant_id, topic, updated_by, updated_at) values ($1, 'quiet', 'ada', now() - interval '9 days')",
    TENANT,
  );
  expect(await topics()).toEqual(["quiet"]);
});

it("lists a consumer while a message of it is open, then while it is in the roll-ups of the last hour", async () => {
  const registry = createConsumerRegistry([
    { name: "ledger", path: "transaction", subscribes: () => true, handle: () => Promise.resolve("ok") },
  ]);
  expect(await consumers()).toEqual([]);
  const arrival = { source: "s", messageId: "m-1", type: "t", payload: {}, headers: {} };
  await receive(env.context(), registry, { ...arrival, payloadBytes: Buffer.from("{}") });
  expect(await consumers()).toEqual(["ledger"]);
  await consume(env.context(), registry);
  expect(await consumers(), "handled, and not rolled up yet").toEqual([]);
  await later(5);
  await counted();
  expect(await consumers()).toEqual(["ledger"]);
  await later(60);
  expect(await consumers()).toEqual([]);
});
