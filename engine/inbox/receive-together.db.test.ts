import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordStatements, type Statement } from "@/db/testing/record-statements";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { createConsumerRegistry, type Consumer } from "./consumer";
import { receive, type ReceiveRequest } from "./receive";

let env: TestEnvironment;
let taken: () => Statement[];
beforeAll(async () => {
  env = await createTestEnvironment();
  taken = recordStatements(env.db);
  await arrive("warm-up");
});
afterAll(() => env.close());

const consumer = (name: string): Consumer => ({
  name,
  path: "transaction",
  subscribes: () => true,
  handle: () => Promise.resolve("processed"),
});
const consumers = createConsumerRegistry([consumer("first"), consumer("second")]);

function arrive(messageId: string, payload: unknown = { id: messageId }) {
  const request: ReceiveRequest = {
    ...{ source: "elsewhere", messageId, type: "thing.done", payload },
    ...{ payloadBytes: Buffer.from(JSON.stringify(payload)), headers: {} },
  };
  return receive(env.context(), consumers, request);
}

const kept = (messageIds: readonly string[]) =>
  env.rows<{ message_id: string; consumers: bigint; arrivals: bigint; waiting: bigint }>(
    `select m.message_id, count(distinct m.id) as consumers, count(distinct a.id) as arrivals, count(distinct o.id) as waiting
     from onceboard.inbox_messages m join onceboard.inbox_arrivals a on a.inbox_id = m.id
     left join onceboard.inbox_open o on o.id = m.id where m.message_id = any($1) group by 1 order by 1`,
    messageIds,
  );

describe("TOGETHER-1 arrivals of the same turn", () => {
  it("share a statement; each is recorded for its consumers and told what became of it", async () => {
    const ids = Array.from({ length: 12 }, () => randomUUID()).toSorted();
    taken();
    const results = await Promise.all(ids.map((id) => arrive(id)));
    expect(taken().filter(({ text }) => text.includes("onceboard.receive"))).toHaveLength(1);
    expect(results.map(({ outcome, inboxIds }) => [outcome, inboxIds.length])).toEqual(ids.map(() => ["recorded", 2]));
    expect(new Set(results.flatMap(({ inboxIds }) => inboxIds)).size).toBe(24);
    expect(await kept(ids)).toEqual(ids.map((id) => ({ message_id: id, consumers: 2n, arrivals: 2n, waiting: 2n })));
  });

  it("of one id are one message: the others are duplicates, and another payload is a mismatch", async () => {
    const id = randomUUID();
    const results = await Promise.all([arrive(id), arrive(id), arrive(id, { id, other: true }), arrive(randomUUID())]);
    expect(results.map(({ outcome }) => outcome)).toEqual(["recorded", "duplicate", "mismatch", "recorded"]);
    expect(new Set(results.slice(0, 3).flatMap(({ inboxIds }) => inboxIds)).size).toBe(2);
  });

  it("TOGETHER-2 that PostgreSQL refuses one of are recorded without it", async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()].toSorted();
    const ends = await Promise.allSettled([...ids.map((id) => arrive(id)), arrive("bad\u0000id")]);
    expect(ends.map((end) => (end.status === "fulfilled" ? end.value.outcome : "refused"))).toEqual([
      ...ids.map(() => "recorded"),
      "refused",
    ]);
    expect(await kept(ids)).toEqual(ids.map((id) => ({ message_id: id, consumers: 2n, arrivals: 2n, waiting: 2n })));
  });
});
