import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "@/domain/idempotency/states";
import { readTopic } from "@/console/read/messages/read-topic";
import { relay } from "@/engine/outbox/relay";
import { RELAY_BATCH } from "@/engine/outbox/relay-topic";
import { pauseTopic, resumeTopic, routeTopic } from "./set-topic";
import { createEngineTestEnvironment, operator, type EngineTestEnvironment } from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import type { Deployment } from "@/engine/outbox/topics";
import type { Transports } from "@/engine/outbox/transport";

const HERE: Deployment = { fallback: "http", offered: ["http", "nats"] };
let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const ctx = (role: Role = "operator", id = "op-1") => env.context({ actor: operator(role, id) });
const request = (expectedVersion: number, topic = "payments") => ({
  topic,
  expectedVersion,
  reason: "its receiver is being moved",
  idempotencyKey: uuidv7(),
  receivedAt: performance.now(),
});
const seen = async () => (await readTopic(ctx("viewer"), HERE, { topic: "payments" }))?.route.version ?? 0;
const sent: string[] = [];
const transports = through(({ id }) => {
  sent.push(id);
  return { kind: "acknowledged" };
});

describe("topics (OUTBOX-6)", () => {
  it("a paused topic waits without an attempt, others go on, and resumed it goes in order", async () => {
    const aggregate = uuidv7();
    const ids = [await env.outbox({ aggregate }), await env.outbox({ aggregate })];
    await pauseTopic(ctx(), request(0));
    const [other] = await env.rows<{ id: string }>(
      `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at)
       values ('acme', gen_random_uuid(), 'account', 'a', 'accounts', 'account.created', '{}', now(), now()) returning id`,
    );
    await relay(env.context(), transports);
    expect(sent).toEqual([other?.id]);
    const view = await readTopic(ctx("viewer"), HERE, { topic: "payments" });
    expect(view?.verdict.text).toMatch(/^Topic payments paused \d seconds? ago: two wait, none is lost\./);
    expect(view?.waiting.map(({ id, attempts, paused }) => ({ id, attempts, paused }))).toEqual(
      ids.map((id) => ({ id, attempts: 0, paused: true })),
    );
    expect(view?.row.paused).toMatchObject({ by: "Mira (op-1)", reason: "its receiver is being moved" });
    await resumeTopic(ctx(), request(1));
    await expect
      .poll(async () => {
        await relay(env.context(), transports);
        return sent;
      })
      .toEqual([other?.id, ...ids]);
  });

  it("what a relay has taken is still sent; a message of another topic waits for one before it that is paused", async () => {
    const aggregate = uuidv7();
    const taken = await env.outbox();
    const pausing = through(async ({ id }) => {
      await pauseTopic(ctx(), request(await seen()));
      sent.push(id);
      return { kind: "acknowledged" };
    });
    sent.length = 0;
    await relay(env.context(), pausing);
    expect(sent).toEqual([taken]);
    const ids = [await env.outbox({ aggregate }), await env.outbox({ aggregate, topic: "shipping" })];
    await relay(env.context(), transports);
    expect(sent).toEqual([taken]);
    await resumeTopic(ctx(), request(await seen()));
    await expect
      .poll(async () => {
        await relay(env.context(), transports);
        return sent;
      })
      .toEqual([taken, ...ids]);
  });

  it("a dead message stays dead when its topic is resumed, and what is behind it still waits", async () => {
    sent.length = 0;
    const topic = "refunds";
    const aggregate = uuidv7();
    const dead = await env.outbox({ aggregate, topic });
    const refusing = through(() => ({ kind: "rejected", code: "http.410", reason: "gone for good" }));
    await relay(env.context(), refusing);
    const behind = await env.outbox({ aggregate, topic });
    const other = await env.outbox({ topic });
    await pauseTopic(ctx(), request(0, topic));
    await relay(env.context(), transports);
    expect(sent).toEqual([]);
    await resumeTopic(ctx(), request(1, topic));
    await relay(env.context(), transports);
    expect(sent).toEqual([other]);
    expect(
      await env.rows("select id, state from onceboard.outbox_messages where topic = $1 order by position", topic),
    ).toEqual([
      { id: dead, state: "dead" },
      { id: behind, state: "pending" },
    ]);
  });

  it("a turn that is under way takes the old route to its end, the next one the new; nothing goes twice", async () => {
    const topic = "shipping";
    const many = RELAY_BATCH * 2 + 1;
    await env.rows(
      `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at)
       select 'acme', gen_random_uuid(), 'payment', n::text, $1, 't', '{}', now(), now() from generate_series(1, $2::int) n`,
      topic,
      many,
    );
    const went: { id: string; by: string; to: string | undefined }[] = [];
    const route = { transport: "nats", destination: "events.shipping" } as const;
    const noting: Transports = {
      of: (_topic, chosen) => ({
        name: "http",
        concurrency: 1,
        deliver: async (_ctx, { id }, { destination }) => {
          went.push({ id, by: chosen ?? "default", to: destination });
          // The last of them is in no batch yet.
          if (went.length === 1) await routeTopic(ctx("admin"), HERE, request(0, topic), route);
          return { kind: "acknowledged" };
        },
        close: () => Promise.resolve(),
      }),
      close: () => Promise.resolve(),
    };
    expect(await relay(env.context(), noting)).toMatchObject({ published: many });
    expect(new Set(went.map(({ by }) => by))).toEqual(new Set(["default"]));
    const last = await env.outbox({ topic });
    await relay(env.context(), noting);
    expect(went.slice(many)).toEqual([{ id: last, by: "nats", to: "events.shipping" }]);
    expect(new Set(went.map(({ id }) => id)).size).toBe(many + 1);
  });

  it("who may requeue may pause; how a topic travels is for admins", async () => {
    const version = await seen();
    await expect(pauseTopic(ctx("viewer"), request(version))).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(
      routeTopic(ctx("operator"), HERE, request(version), { transport: "nats", destination: undefined }),
    ).rejects.toMatchObject({ code: "auth.forbidden" });
    const { answer } = await routeTopic(ctx("admin"), HERE, request(version), {
      transport: "nats",
      destination: "events.payments",
    });
    expect(answer).toMatchObject({ changed: true, after: { transport: "nats", destination: "events.payments" } });
    expect(await readTopic(ctx("viewer"), HERE, { topic: "payments" })).toMatchObject({
      route: { transport: "nats", chosen: "nats", destination: "events.payments", version: version + 1 },
      actions: { pause: { allowed: false }, route: { allowed: false } },
    });
    await expect(
      routeTopic(ctx("admin"), HERE, request(version + 1), { transport: "nats", destination: "events.*" }),
    ).rejects.toMatchObject({ code: "validation.topic" });
  });

  it("another route holds from the next turn on: what a relay has taken still goes the old way", async () => {
    await env.rows("delete from onceboard.outbox_messages");
    await env.rows("delete from onceboard.topics");
    const [first, second] = [await env.outbox(), await env.outbox()];
    const went: unknown[] = [];
    const byRoute: Transports = {
      of: (_topic, chosen) => ({
        name: "http",
        concurrency: 1,
        deliver: async (_ctx, { id }) => {
          if (went.length === 0)
            await routeTopic(ctx("admin"), HERE, request(0), { transport: "nats", destination: undefined });
          went.push([id, chosen ?? "http"]);
          return { kind: "acknowledged" };
        },
        close: () => Promise.resolve(),
      }),
      close: () => Promise.resolve(),
    };
    await relay(env.context(), byRoute);
    expect(went).toEqual([
      [first, "http"],
      [second, "http"],
    ]);
    const third = await env.outbox();
    await relay(env.context(), byRoute);
    expect(went.slice(2)).toEqual([[third, "nats"]]);
    await env.rows("delete from onceboard.topics");
  });

  it("says what cannot be reached, and that it costs no attempt", async () => {
    await env.outbox();
    const down = through(() => ({
      kind: "unavailable",
      code: "delivery.broker_unavailable",
      reason: "connection refused",
    }));
    await relay(env.context(), down);
    const view = await readTopic(ctx("viewer"), HERE, { topic: "payments" });
    expect(view?.verdict.text).toMatch(
      /^Topic payments: at the last try its destination was not reachable\. One waits, none is lost/,
    );
    expect(view?.waiting[0]).toMatchObject({ attempts: 0, errorCode: "delivery.broker_unavailable" });
    expect(view?.errors).toMatchObject([{ code: "delivery.broker_unavailable", waiting: 1, dead: 0 }]);
  });
});
