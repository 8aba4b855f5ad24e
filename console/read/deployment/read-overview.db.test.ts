import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { runInvariants } from "@/console/invariants/run-invariants";
import { readOverview } from "./read-overview";

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const said = async (): Promise<string> => {
  const { verdict, notes } = await readOverview(desk.context(), {});
  return [verdict.text, ...notes].join(" ");
};
const send = async (topic: string, minutes: number, type = "payment.succeeded", state = "pending"): Promise<string> => {
  const id = uuidv7();
  await desk.rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at, state)
     values ('acme', $1::uuid, 'payment', $1::uuid::text, $2, $3, '{}', now() - make_interval(mins => $4), now(), $5)`,
    id,
    topic,
    type,
    minutes,
    state,
  );
  if (state === "dead") await die("outbox", id, topic, type);
  return id;
};
const die = (side: string, id: string, place: string, type: string) =>
  desk.rows(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     values ('acme', gen_random_uuid(), $1, $2, $3, $4, 'x:1', 'x', 'x', 12, now())`,
    side,
    id,
    place,
    type,
  );
const receive = async (consumer: string, messageId: string, state: string, minutes = 10): Promise<void> => {
  const id = randomUUID();
  await desk.rows(
    `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, processed_at)
     values ('acme', $1, $2, 'onceboard', $3, 'payment.succeeded', '{}', '\\x00', now() - make_interval(mins => $5), $4,
       case when $4 = 'processed' then now() end)`,
    id,
    consumer,
    messageId,
    state,
    minutes,
  );
  if (state === "recorded")
    await desk.rows(
      `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
       select tenant_id, id, consumer, received_at, now() from onceboard.inbox_messages where id = $1`,
      id,
    );
  if (state === "dead") await die("inbox", id, consumer, "payment.succeeded");
};
const endpoint = async (url: string, disabled = false): Promise<string> => {
  const id = randomUUID();
  await desk.rows(
    `insert into onceboard.webhook_endpoints (tenant_id, id, url, types, created_by, disabled_at)
     values ('acme', $1, $2, '{}', 'op-1', case when $3 then now() end)`,
    id,
    url,
    disabled,
  );
  return `webhook:${id}`;
};

it("MESSAGE-7 names one merchant's endpoint when its webhooks wait, and says nothing of the ledger", async () => {
  const topic = await endpoint("https://shop.example/hooks");
  await send(topic, 7);
  await send(topic, 2);
  const text = await said();
  expect(text).toContain("Webhook to shop.example/hooks: 2 messages wait, the oldest is 7 minutes old.");
  expect(text).not.toContain("ledger");
});

it("says that the ledger is behind when what it posts waits, on its way or recorded", async () => {
  await send("payments", 5);
  expect(await said()).toContain("Topic payments: 1 message waits, 5 minutes old.");
  expect(await said()).toContain("The ledger is behind: 1 event for it waits, 5 minutes old.");
  await receive("ledger", uuidv7(), "recorded", 9);
  expect(await said()).toContain("The ledger is behind: 2 events for it wait, the oldest is 9 minutes old.");
});

it.each<[string, () => Promise<unknown>]>([
  ["an event that it posts nothing for", () => send("accounts", 9, "account.opened")],
  [
    "a topic that goes to another system",
    async () => {
      await desk.rows(
        "insert into onceboard.topics (tenant_id, topic, destination, updated_by) values ('acme', 'payments', 'https://bank.example', 'op-1')",
      );
      await send("payments", 9);
    },
  ],
  [
    "an event that the ledger has already, whose acknowledgement was lost",
    async () => {
      await receive("ledger", await send("payments", 9), "processed");
    },
  ],
  ["another consumer", () => receive("receipts", uuidv7(), "recorded", 9)],
])("does not say that the ledger is behind for %s", async (_what, make) => {
  await make();
  expect(await said()).toMatch(/9 minutes old/);
  expect(await said()).not.toContain("ledger");
});

it("says what died on its way to the ledger, and what died without it", async () => {
  await send("mail", 9, "notification", "dead");
  expect(await said()).toContain("1 message is dead.");
  expect(await said()).not.toContain("ledger");
  await send("payments", 9, "payment.succeeded", "dead");
  await receive("ledger", uuidv7(), "dead");
  expect(await said()).toContain("The ledger lacks 2 events: they are dead until a requeue.");
});

it("says why a place is late where a row says it, and counts places that are many", async () => {
  await desk.rows(
    "insert into onceboard.topics (tenant_id, topic, paused_at, paused_by, pause_reason, updated_by) values ('acme', 'accounts', now(), 'op-1', 'a test', 'op-1')",
  );
  await send("accounts", 3, "account.opened");
  await send(await endpoint("https://off.example/", true), 4);
  const text = await said();
  expect(text).toContain("Webhook to off.example is disabled: 1 message waits, 4 minutes old.");
  expect(text).toContain("Topic accounts is paused: 1 message waits, 3 minutes old.");
  await receive("receipts", uuidv7(), "recorded", 8);
  expect(await said()).toContain(
    "Messages wait too long in 3 topics and consumers, longest in receipts: the oldest is 8 minutes old.",
  );
});

it("says that nothing was sent twice of the time of the last check, and how many keys were", async () => {
  expect(await said()).toContain("Whether something was sent twice was not checked yet.");
  await runInvariants(desk.context());
  expect(await said()).toContain("Nothing has been sent twice: no key of the last 24 hours has more");
  await desk.rows("update onceboard.invariant_checks set checked_at = checked_at - interval '3 hours'");
  const old = await said();
  expect(old).toMatch(/When it was last checked, 3 h( \d+ min)? ago, nothing had been sent twice\./);
  expect(old).not.toContain("Nothing has been sent twice");
  const { operationId } = await desk.make.completed();
  await desk.rows(
    `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, outcome, provider_reference)
     select tenant_id, gen_random_uuid(), operation_id, provider_key, provider, kind, state, fence, outcome, 'np_other'
     from onceboard.provider_requests where operation_id = $1 and outcome = 'succeeded'`,
    operationId,
  );
  await runInvariants(desk.context());
  expect(await said()).toContain("1 key has more than one execution.");
});

describe("TRUTH-2 what is in doubt, from one moment", () => {
  it("a stale lease is no doubt: it is in the sentence and in the queues, and not among the rows of none", async () => {
    await desk.make.stale();
    const { verdict, doubt, waiting } = await readOverview(desk.context(), {});
    expect(verdict.text).toContain("1 lease is stale.");
    expect(waiting.find(({ name }) => name === "stale")?.open).toBe(1);
    expect([doubt.count, doubt.rows]).toEqual([0, []]);
  });

  it("an operation that becomes unknown while the page is read is in all of it or in nothing of it", async () => {
    await desk.make.completed();
    const unlock = await desk.lock("settled_doubts");
    const reading = readOverview(desk.context(), {});
    // It has counted and waits for what it reads next.
    await expect
      .poll(() =>
        desk.rows("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
      )
      .toHaveLength(1);
    await desk.make.unknown();
    await unlock();
    const { verdict, doubt } = await reading;
    const none = "Nothing is unknown and no lease is stale.";
    expect([verdict.text, doubt.count, doubt.rows, doubt.totals]).toEqual([expect.stringContaining(none), 0, [], []]);
    const again = await readOverview(desk.context(), {});
    expect(again.verdict.text).toContain("1 operation may have moved money.");
    expect([again.doubt.count, again.doubt.rows.length]).toEqual([1, 1]);
  });
});
