import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { publishedScope } from "@/presentation/filters/plan-scope";
import { parseOutboxFilters } from "@/presentation/filters/parsers";
import { AppError } from "@/domain/errors";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { createConsumerRegistry } from "@/engine/inbox/consumer";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import { createEngineTestEnvironment, operator, type EngineTestEnvironment } from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { createPlan } from "./create-plan";
import { decidePlan, startPlan } from "./decide-plan";
import type { PlanKind } from "./plan-kind";
import { readPlan } from "./read-plan";
import { republishMessages } from "./republish-plan";
import { runPlan } from "./run-plan";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.rows("update onceboard.plans set state = 'aborted', started_at = null");
  await env.rows("truncate onceboard.outbox_messages, onceboard.outbox_history, onceboard.inbox_messages");
  bodies.clear();
});

const bodies = new Map<string, string[]>();
const losing = through(({ id, body }) => {
  bodies.set(id, [...(bodies.get(id) ?? []), body]);
  return { kind: "acknowledged" };
});
const consumers = createConsumerRegistry([
  { name: "ledger", path: "transaction", subscribes: () => true, handle: () => Promise.resolve("ok") },
]);
const mira = () => env.context({ actor: operator("operator", "op-mira") });
const ines = () => env.context({ actor: operator("admin", "op-ines") });
const worker = (instance = "worker-1") =>
  env.context({ instance, actor: { kind: "system", id: "plans", name: "plans" } });
const asked = (action: "plans.create" | "plans.start" | "plans.decide", id = "new") =>
  ({
    ...{ action, idempotencyKey: uuidv7(), input: {}, subject: { type: "plan", id }, receivedAt: performance.now() },
    reason: "NATS lost its disk at ten",
  }) as const;

/** Published one after the other, a minute apart, the last one `ago` minutes ago. */
async function published(count: number, topic = "payments", ago = 10): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await env.outbox({ topic }));
  while ((await relay(env.context(), losing)).published > 0);
  for (const [n, id] of ids.entries())
    await env.rows(
      "update onceboard.outbox_history set published_at = now() - make_interval(mins => $2) where id = $1",
      id,
      ago + count - 1 - n,
    );
  return ids;
}
const timeAgo = async (minutes: number): Promise<string> => {
  const [row] = await env.rows<{ at: Date }>("select now() - make_interval(secs => $1) as at", minutes * 60);
  return row?.at.toISOString() ?? "";
};
async function plan(search: Record<string, string>): Promise<string> {
  const { filters } = parseOutboxFilters({ state: "published", ...search });
  const scope = { by: "published", filter: publishedScope(filters, await timeAgo(0), undefined) } as const;
  const { answer } = await createPlan(mira(), asked("plans.create"), { kind: "republish_messages", scope });
  return String(answer.after["planId"]);
}
const read = async (id: string) => {
  const view = await readPlan(mira(), { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
};
async function run(id: string): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    await env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
    if ((await runPlan(worker())).plans === 0) return;
  }
}
const start = (id: string) => startPlan(mira(), asked("plans.start", id), id);
const waiting = async () =>
  (await env.rows<{ id: string }>("select id from onceboard.outbox_messages order by position")).map(({ id }) => id);

it("PLAN-1 a plan of a topic and a time publishes again what did not arrive there then, and leaves the rest", async () => {
  const ids = await published(6);
  const other = await published(1, "refunds");
  const [, arrived = "", second = "", third = "", later = ""] = ids;
  const body = bodies.get(arrived)?.[0] ?? "";
  const arrival = {
    source: OWN_SOURCE,
    messageId: arrived,
    type: "payment.succeeded",
    payload: JSON.parse(body) as unknown,
  };
  await receive(env.context(), consumers, { ...arrival, headers: {}, payloadBytes: Buffer.from(body) });
  const window = { topic: "payments", from: await timeAgo(14.5), to: await timeAgo(11.5) };
  const id = await plan(window);
  expect(await read(id)).toMatchObject({
    state: "ready",
    total: 3,
    acting: 2,
    chips: [
      { name: "topic", value: "payments" },
      { name: "published from", value: expect.any(String) as string },
      { name: "published before", value: expect.any(String) as string },
    ],
    drift: { matching: 3, added: 0, gone: 0 },
    verdicts: [
      { verdict: "lost", acts: true, count: 2 },
      { verdict: "arrived", acts: false, count: 1 },
    ],
  });
  await start(id);
  await run(id);
  expect(await read(id)).toMatchObject({ state: "done", counts: { done: 2, skipped: 1 } });
  expect(await waiting()).toEqual([second, third]);
  while ((await relay(env.context(), losing)).published > 0);
  for (const each of [second, third]) expect(new Set(bodies.get(each)).size).toBe(1);
  for (const each of [second, third]) expect(bodies.get(each)).toHaveLength(2);
  for (const each of [later, ...other]) expect(bodies.get(each)).toHaveLength(1);
  expect(
    await env.rows(
      "select 1 from onceboard.audit_entries where action = 'outbox.republish' and evidence ->> 'planId' = $1",
      id,
    ),
  ).toHaveLength(2);
});

it("PLAN-1 a row is judged again when it acts: what arrived meanwhile is left alone", async () => {
  const [first = "", second = ""] = await published(2);
  const id = await plan({ topic: "payments" });
  const body = bodies.get(first)?.[0] ?? "";
  const arrival = {
    source: OWN_SOURCE,
    messageId: first,
    type: "payment.succeeded",
    payload: JSON.parse(body) as unknown,
  };
  await receive(env.context(), consumers, { ...arrival, headers: {}, payloadBytes: Buffer.from(body) });
  await start(id);
  await run(id);
  expect(await waiting()).toEqual([second]);
  expect((await read(id)).items.rows.find(({ targetId }) => targetId === first)).toMatchObject({
    state: "skipped",
    result: "settled",
    outcome: expect.stringMatching(/^Settled meanwhile: It arrived: ledger received it on /) as string,
  });
});

it("PLAN-2 from 25 messages on a second person approves", async () => {
  await published(25);
  const id = await plan({ topic: "payments" });
  expect(await read(id)).toMatchObject({ state: "awaiting_approval" });
  await expect(start(id)).rejects.toMatchObject({ code: "plan.state" });
  await decidePlan(ines(), asked("plans.decide", id), id, { decision: "approve", start: true });
  await run(id);
  expect(await read(id)).toMatchObject({ state: "done", counts: { done: 25 } });
});

it.each([["before"], ["after"]] as const)(
  "PLAN-5 a worker that dies %s an act leaves the rest to another, and nothing is published a third time",
  async (where) => {
    const ids = await published(5);
    const id = await plan({ topic: "payments" });
    await start(id);
    let acts = 0;
    const dies = (at: typeof where): void => {
      if (where === at && acts === 3) throw new AppError("transient.crash", 503, "It ends here", { retryable: true });
    };
    const dying: PlanKind = {
      ...republishMessages,
      async act(...args) {
        acts += 1;
        dies("before");
        const outcome = await republishMessages.act(...args);
        dies("after");
        return outcome;
      },
    };
    await expect(runPlan(worker("worker-dead"), { kinds: { republish_messages: dying } })).rejects.toThrow();
    expect((await read(id)).counts).toMatchObject({ done: 2, waiting: 3 });
    expect(await waiting()).toHaveLength(2);
    await env.rows("update onceboard.plans set locked_until = now() - interval '1 second' where id = $1", id);
    expect(await runPlan(worker("worker-2"))).toMatchObject({ plans: 1, done: 3 });
    while ((await relay(env.context(), losing)).published > 0);
    for (const each of ids) expect(bodies.get(each)).toHaveLength(2);
  },
);
