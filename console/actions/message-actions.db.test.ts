import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MessageSide } from "@/domain/messages/side";
import { consume } from "@/engine/inbox/consume";
import { createConsumerRegistry } from "@/engine/inbox/consumer";
import { receive } from "@/engine/inbox/receive";
import { outboxBody, type EnvelopeSource } from "@/engine/outbox/envelope";
import { relay } from "@/engine/outbox/relay";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { messageAction, type MessageAction } from "./message-actions";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(() => env.rows("truncate onceboard.outbox_messages, onceboard.inbox_messages, onceboard.inbox_open"));

const act = async (side: MessageSide, action: MessageAction, id: string) => {
  const request = {
    action: `${side}.${action}`,
    idempotencyKey: uuidv7(),
    input: {},
    subject: { type: side, id },
    reason: "junk of a test",
    receivedAt: performance.now(),
  } as const;
  const ctx = env.context({ actor: operator("operator", "op-mira") });
  return (await messageAction(ctx, request, { side, id }, action)).answer;
};

const sent: { id: string; body: string }[] = [];
const taking = through(({ id, body }) => {
  sent.push({ id, body });
  return { kind: "acknowledged" };
});
const rejecting = through(({ id, body }) => {
  sent.push({ id, body });
  return { kind: "rejected", code: "http.410", reason: "gone for good" };
});
const broken = createConsumerRegistry([
  { name: "ledger", path: "transaction", subscribes: () => true, handle: () => Promise.reject(new Error("no")) },
]);

async function deadOutbox(aggregate = uuidv7()): Promise<string> {
  const id = await env.outbox({ aggregate });
  await relay(env.context(), rejecting);
  return id;
}

async function deadInbox(): Promise<string> {
  const arrival = { source: "s", messageId: uuidv7(), type: "t", payload: {}, headers: {} };
  const { inboxIds } = await receive(env.context(), broken, { ...arrival, payloadBytes: Buffer.from("{}") });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await consume(env.context(), broken);
    await env.rows("update onceboard.inbox_open set next_attempt_at = '-infinity'");
  }
  return inboxIds[0] ?? "";
}

/** A fingerprint of every row, by table. */
async function contents(): Promise<Readonly<Record<string, string>>> {
  const tables = await env.rows<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('onceboard', 'payments') and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await env.rows<{ all: string }>(
      `select coalesce(md5(string_agg(t::text, ',' order by t::text)), 'none') as all from ${name} t`,
    );
    found[name] = row?.all ?? "";
  }
  return found;
}
/** Tables that hold what was paid, sent to a provider or posted. */
const MONEY = [
  ...["payments.payments", "payments.refunds", "payments.voids", "payments.accounts", "payments.ledger_entries"],
  ...["onceboard.provider_requests", "onceboard.notifications"],
];

async function changedBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await contents();
  expect(Object.keys(before)).toEqual(expect.arrayContaining(MONEY));
  await work();
  const after = await contents();
  return Object.keys(after).filter((name) => after[name] !== before[name]);
}

const rowOf = async (side: MessageSide, id: string) =>
  (await env.rows<Record<string, unknown>>(`select * from onceboard.${side}_messages where id = $1`, id))[0];
const attemptsOf = (id: string) => env.rows("select * from onceboard.message_attempts where message_row_id = $1", id);

describe.each(["outbox", "inbox"] as const)("MESSAGE-4 a discard in the %s", (side) => {
  it("keeps row, body, attempts and dead letter, with who and why, and nothing takes it back", async () => {
    const id = side === "outbox" ? await deadOutbox() : await deadInbox();
    const [before, attempts] = [await rowOf(side, id), await attemptsOf(id)];
    expect(attempts).not.toEqual([]);
    expect(await act(side, "discard", id)).toMatchObject({ changed: true });
    const after = await rowOf(side, id);
    expect(after).toMatchObject({ state: "discarded", payload: before?.["payload"], type: before?.["type"] });
    expect(await attemptsOf(id)).toEqual(attempts);
    expect(
      await env.rows(
        "select settlement, settled_by, reason from onceboard.dead_letters where message_row_id = $1 and side = $2",
        id,
        side,
      ),
    ).toEqual([{ settlement: "discarded", settled_by: "Mira (op-mira)", reason: "junk of a test" }]);
    expect(await act(side, "requeue", id)).toMatchObject({ changed: false });
    expect(await rowOf(side, id)).toEqual(after);
  });

  it("writes no other message, and touches no money", async () => {
    const id = side === "outbox" ? await deadOutbox() : await deadInbox();
    const changed = await changedBy(() => act(side, "discard", id));
    expect(changed).toEqual(
      expect.arrayContaining([`onceboard.${side}_messages`, "onceboard.dead_letters", "onceboard.audit_entries"]),
    );
    for (const name of [
      ...MONEY,
      `onceboard.${side === "outbox" ? "inbox" : "outbox"}_messages`,
      "onceboard.outbox_history",
    ])
      expect(changed).not.toContain(name);
    expect(await env.rows(`select 1 from onceboard.${side}_messages`)).toHaveLength(1);
  });
});

describe("MESSAGE-3 a requeue", () => {
  it("of the outbox keeps id and body, gives all attempts back, and touches no money", async () => {
    sent.length = 0;
    const id = await deadOutbox();
    const changed = await changedBy(() => act("outbox", "requeue", id));
    for (const name of MONEY) expect(changed).not.toContain(name);
    expect(await rowOf("outbox", id)).toMatchObject({ state: "pending", attempts_started: 0, attempts_finished: 0 });
    await relay(env.context(), taking);
    expect(sent.map((each) => each.id)).toEqual([id, id]);
    expect(sent[1]).toEqual(sent[0]);
  });

  it("of what a consumer has counts it as published, sends and handles nothing again, and holds up nothing", async () => {
    const aggregate = uuidv7();
    const id = await deadOutbox(aggregate);
    const [row] = await env.rows<EnvelopeSource>("select * from onceboard.outbox_messages where id = $1", id);
    if (row === undefined) throw new Error("no message");
    const handled: string[] = [];
    const registry = createConsumerRegistry([
      {
        name: "ledger",
        path: "transaction",
        subscribes: () => true,
        handle: (_ctx, _tx, { messageId }) => {
          handled.push(messageId);
          return Promise.resolve("ok");
        },
      },
    ]);
    const body = outboxBody(TENANT, row);
    const arrival = { source: "onceboard", messageId: id, type: "payment.succeeded", payload: row.payload };
    await receive(env.context(), registry, { ...arrival, payloadBytes: Buffer.from(body), headers: {} });
    await consume(env.context(), registry);
    const next = await env.outbox({ aggregate });
    const changed = await changedBy(() => act("outbox", "requeue", id));
    for (const name of [...MONEY, "onceboard.inbox_messages", "onceboard.inbox_open"])
      expect(changed).not.toContain(name);
    expect(await env.rows("select id from onceboard.outbox_history where id = $1", id)).toEqual([{ id }]);
    sent.length = 0;
    await relay(env.context(), taking);
    await consume(env.context(), registry);
    expect(sent.map((each) => each.id)).toEqual([next]);
    expect(handled).toEqual([id]);
  });
});
