import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "./client";
import { insertOutboxMessage } from "./outbox/insert-outbox-message";
import { callFunction } from "./testing/call-function";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

/** Every function of the outbox and the inbox against every state of a message: one step, or nothing. */

interface Message {
  readonly tenant: string;
  readonly id: string;
  readonly fence: number;
}

type Row = Record<string, unknown>;

let test: TestDatabase;
let app: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  app = createDatabase({ url: test.url, max: 1 });
});
afterAll(async () => {
  await app.close();
  await test.drop();
});

async function owner(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await test.db.pool.query<Row>({ text, values })).rows;
}

const call = (name: string, args: Readonly<Row>) => callFunction(app.pool, name, args);

const TABLES = [
  "outbox_messages",
  "outbox_history",
  "inbox_messages",
  "inbox_open",
  "inbox_batches",
  "inbox_arrivals",
  "dead_letters",
  "message_attempts",
];
async function everything(tenant: string): Promise<unknown[]> {
  const parts = TABLES.map(
    (name) => `select '${name}' as name, to_jsonb(t) as row from onceboard.${name} t where t.tenant_id = $1`,
  );
  return owner(`select name, row::text from (${parts.join(" union all ")}) x order by 1, 2`, [tenant]);
}

const CLAIM = { owner: "me", lease_ms: 30_000, limit: 5 };
/** What each function that takes messages wants besides. */
const FROM: Readonly<Record<string, Row>> = { claim_outbox: { topic: "payments" }, claim_inbox: { alone: false } };
const failed = (m: Message, attempts: number) => ({
  tenant: m.tenant,
  id: m.id,
  fence: m.fence,
  error_code: "delivery.http_503",
  error: "no",
  error_fingerprint: "f",
  delay_ms: 0,
  max_attempts: attempts,
  attempt_id: randomUUID(),
});
const many = (m: Message) => ({ tenant: m.tenant, ids: [m.id], fences: [m.fence] });
const finished = (m: Message) => ({ ...many(m), results: ["ok"] });
const settled = (m: Message) => ({ ...one(m), actor: "ada", reason: "looked at" });
const back = { delay_ms: 0, error_code: null, error: null };
const one = (m: Message) => ({ tenant: m.tenant, id: m.id });
const taken = async (name: string, m: Message): Promise<Message> => ({
  ...m,
  fence: Number((await call(name, { tenant: m.tenant, ...CLAIM, ...FROM[name] }))[0]?.["fence"]),
});

type Make = () => Promise<Message>;
interface Side {
  readonly states: Readonly<Record<string, Make>>;
  /** Where a message is afterwards, by the function and the state it was in; nothing happens where nothing stands. */
  readonly steps: Readonly<
    Record<
      string,
      {
        readonly favour?: (m: Message) => Promise<unknown>;
        readonly run: (m: Message) => Promise<unknown>;
        readonly to: Readonly<Record<string, string>>;
      }
    >
  >;
  /** Functions that take no fence: they ask for the state alone. */
  readonly unfenced: readonly string[];
}

async function outbox(): Promise<Message> {
  const m = { tenant: `t-${randomUUID()}`, id: randomUUID(), fence: 0 };
  await insertOutboxMessage(test.db.pool, {
    tenantId: m.tenant,
    id: m.id,
    operationId: randomUUID(),
    aggregateType: "payment",
    aggregateId: "p",
    topic: "payments",
    type: "payment.succeeded",
    payload: {},
    headers: {},
  });
  return m;
}

async function inbox(): Promise<Message> {
  const m = { tenant: `t-${randomUUID()}`, id: randomUUID(), fence: 0 };
  const hash = { payload: "{}", payload_hash: Buffer.from("h"), headers: "{}", request_id: "r" };
  const names = { consumer: "ledger", source: "onceboard", message_id: "m1", type: "payment.succeeded" };
  await call("receive", {
    tenant: m.tenant,
    id: m.id,
    arrival_id: randomUUID(),
    operation_id: null,
    ...names,
    ...hash,
  });
  return m;
}

const SIDES: Readonly<Record<string, Side>> = {
  outbox: {
    states: {
      pending: outbox,
      claimed: async () => taken("claim_outbox", await outbox()),
      // Its fence is spent, whoever remembers it.
      returned: async () => {
        const m = await taken("claim_outbox", await outbox());
        await call("fail_outbox", failed(m, 9));
        return m;
      },
      dead: async () => {
        const m = await taken("claim_outbox", await outbox());
        await call("fail_outbox", failed(m, 1));
        return m;
      },
      discarded: async () => {
        const m = await taken("claim_outbox", await outbox());
        await call("fail_outbox", failed(m, 1));
        await call("discard_outbox", settled(m));
        return m;
      },
      published: async () => {
        const m = await taken("claim_outbox", await outbox());
        await call("publish_outbox", { ...many(m), transport: "http" });
        return m;
      },
    },
    steps: {
      claim_outbox: {
        run: (m) => call("claim_outbox", { tenant: m.tenant, ...CLAIM, topic: "payments" }),
        to: { pending: "claimed", returned: "claimed" },
      },
      publish_outbox: {
        run: (m) => call("publish_outbox", { ...many(m), transport: "http" }),
        to: { claimed: "published" },
      },
      fail_outbox: { run: (m) => call("fail_outbox", failed(m, 9)), to: { claimed: "returned" } },
      "fail_outbox at last": { run: (m) => call("fail_outbox", failed(m, 1)), to: { claimed: "dead" } },
      release_outbox: { run: (m) => call("release_outbox", { ...many(m), ...back }), to: { claimed: "returned" } },
      close_outbox: { run: (m) => call("close_outbox", settled(m)), to: { dead: "published" } },
      discard_outbox: { run: (m) => call("discard_outbox", settled(m)), to: { dead: "discarded" } },
      requeue_outbox: { run: (m) => call("requeue_outbox", settled(m)), to: { dead: "returned" } },
    },
    unfenced: ["claim_outbox", "close_outbox", "discard_outbox", "requeue_outbox"],
  },
  inbox: {
    states: {
      recorded: inbox,
      claimed: async () => taken("claim_inbox", await inbox()),
      returned: async () => {
        const m = await taken("claim_inbox", await inbox());
        await call("fail_inbox", failed(m, 9));
        return m;
      },
      dead: async () => {
        const m = await taken("claim_inbox", await inbox());
        await call("fail_inbox", failed(m, 1));
        return m;
      },
      discarded: async () => {
        const m = await taken("claim_inbox", await inbox());
        await call("fail_inbox", failed(m, 1));
        await call("discard_inbox", settled(m));
        return m;
      },
      processed: async () => {
        const m = await taken("claim_inbox", await inbox());
        await call("finish_inbox", finished(m));
        return m;
      },
    },
    steps: {
      claim_inbox: {
        run: (m) => call("claim_inbox", { tenant: m.tenant, ...CLAIM, alone: false }),
        to: { recorded: "claimed" },
      },
      "claim_inbox alone": {
        run: (m) => call("claim_inbox", { tenant: m.tenant, ...CLAIM, alone: true }),
        to: { returned: "claimed" },
      },
      finish_inbox: {
        run: (m) => call("finish_inbox", finished(m)),
        to: { claimed: "processed" },
      },
      fail_inbox: { run: (m) => call("fail_inbox", failed(m, 9)), to: { claimed: "returned" } },
      "fail_inbox at last": { run: (m) => call("fail_inbox", failed(m, 1)), to: { claimed: "dead" } },
      postpone_inbox: {
        run: (m) => call("postpone_inbox", { ...many(m), delay_ms: 0, alone: false }),
        to: { claimed: "returned" },
      },
      discard_inbox: { run: (m) => call("discard_inbox", settled(m)), to: { dead: "discarded" } },
      requeue_inbox: { run: (m) => call("requeue_inbox", settled(m)), to: { dead: "returned" } },
      // Past its retention: only what is processed or discarded goes.
      purge_inbox: {
        favour: (m) =>
          owner("update onceboard.inbox_messages set received_at = now() - interval '2 days' where tenant_id = $1", [
            m.tenant,
          ]),
        run: (m) => call("purge_inbox", { tenant: m.tenant, metadata_days: 1, limit: 5 }),
        to: { processed: "gone", discarded: "gone" },
      },
    },
    unfenced: ["claim_inbox", "claim_inbox alone", "discard_inbox", "requeue_inbox", "purge_inbox"],
  },
};

/** Where the lease of a message is. */
const LEASES: Readonly<Record<string, string>> = { outbox: "outbox_messages", inbox: "inbox_open" };

async function stateOf(side: string, m: Message): Promise<string> {
  const [row] = await owner(
    `select case when state not in ('pending', 'recorded') then state when l.owner is not null then 'claimed'
            when l.fence = 0 then state else 'returned' end as state
     from onceboard.${side}_messages m
     left join (select tenant_id, id, owner, fence from onceboard.${LEASES[side] ?? ""}) l using (tenant_id, id)
     where m.tenant_id = $1 and m.id = $2`,
    [m.tenant, m.id],
  );
  if (row !== undefined) return String(row["state"]);
  const history = await owner("select 1 from onceboard.outbox_history where tenant_id = $1 and id = $2", [
    m.tenant,
    m.id,
  ]);
  return history.length > 0 ? "published" : "gone";
}

const PAIRS = Object.entries(SIDES).flatMap(([side, { states, steps, unfenced }]) =>
  Object.entries(states).flatMap(([state, make]) =>
    Object.entries(steps).map(([name, step]) => ({ side, state, make, name, step, fenced: !unfenced.includes(name) })),
  ),
);

describe("OUTBOX-8 each function of a message in each state", () => {
  it.each(PAIRS)("$side: $name of one that is $state goes on by one step, or leaves all as it was", async (pair) => {
    const m = await pair.make();
    expect(await stateOf(pair.side, m)).toBe(pair.state);
    await pair.step.favour?.(m);
    const before = await everything(m.tenant);
    await pair.step.run(m);
    const to = pair.step.to[pair.state];
    if (to === undefined) expect(await everything(m.tenant)).toEqual(before);
    else expect(await stateOf(pair.side, m)).toBe(to);
  });

  it.each(PAIRS)("$side: a wrong fence or tenant with $name leaves one that is $state as it was", async (pair) => {
    const m = await pair.make();
    await pair.step.favour?.(m);
    const before = await everything(m.tenant);
    const wrong = [
      { ...m, tenant: "other" },
      ...(pair.fenced ? [m.fence - 1, m.fence + 1].map((fence) => ({ ...m, fence })) : []),
    ];
    for (const other of wrong) await pair.step.run(other);
    expect(await everything(m.tenant)).toEqual(before);
  });
});
