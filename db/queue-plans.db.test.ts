import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "./client";
import { dueTopics } from "./outbox/topics";
import { claimInbox, claimOutbox } from "./messages/claim-messages";
import { finishInbox, publishOutbox } from "./messages/end-attempt";
import { receiveMessages, type ReceiveInput } from "./inbox/receive-message";
import { countReads } from "./testing/count-reads";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

const ROWS = 5_000;
/** Plans are made anew a few times before one is kept. */
const TIMES = 8;
const BIG = ["outbox_messages", "outbox_history", "inbox_messages", "inbox_open", "inbox_arrivals"];

let test: TestDatabase;
let db: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  db = createDatabase({ url: test.url, max: 1 });
  const owner = await test.db.pool.connect();
  const run = (text: string) => owner.query({ text });
  await run("insert into onceboard.tenants (id, name) values ('acme', 'Acme')");
  await run(`insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload,
      created_at, next_attempt_at)
    select 'acme', gen_random_uuid(), gen_random_uuid(), 'payment', 'p' || n / 2, 'payments', 't', '{}', now(), now() - n * interval '1 microsecond' from generate_series(1, ${String(ROWS)}) n`);
  await run(`insert into onceboard.outbox_history (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, day, position, published_at)
    select 'acme', gen_random_uuid(), 'payment', 'p', 'payments', 't', '{}', now(), (now() at time zone 'utc')::date, -n, now() from generate_series(1, ${String(ROWS)}) n`);
  await run(`insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at,
      processed_at)
    select 'acme', gen_random_uuid(), 'c', 's', 'm' || n, 't', '{}', '\\x00', case when n % 2 = 0 then 'processed' else 'recorded' end, now(),
      case when n % 2 = 0 then now() end from generate_series(1, ${String(ROWS)}) n`);
  await run(`insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
    select tenant_id, id, consumer, received_at, now() - (row_number() over (order by message_id)) * interval '1 microsecond' from onceboard.inbox_messages where state = 'recorded'`);
  await run("vacuum analyze");
  // These statements scan, too; a session that is idle tells of it seconds later, in the middle of a test.
  await run("select pg_stat_force_next_flush()");
  owner.release();
});
afterAll(async () => {
  await db.close();
  await test.drop();
});

/** Sequential scans of the big tables and their partitions while `work` ran, by the server's own count. */
async function scansOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const count = async (): Promise<Map<string, number>> => {
    // What a session counted is told to others when it is idle, at the latest when it is asked to.
    await db.pool.query({ text: "select pg_stat_force_next_flush()" });
    const { rows } = await test.db.pool.query<{ relname: string; seq_scan: bigint }>({
      text: "select relname, seq_scan from pg_stat_user_tables where schemaname = 'onceboard' and relname ~ $1",
      values: [`^(${BIG.join("|")})`],
    });
    return new Map(rows.map((row) => [row.relname, Number(row.seq_scan)]));
  };
  const before = await count();
  for (let time = 0; time < TIMES; time += 1) await work();
  const after = await count();
  expect(after.size).toBeGreaterThan(BIG.length);
  return Object.fromEntries([...after].filter(([name, scans]) => scans > (before.get(name) ?? 0)));
}

/** Rows of the big tables that were read while `work` ran. */
const readsOf = async (work: () => Promise<unknown>): Promise<number> =>
  (await countReads(db, test.db, BIG, work)).rows;

const claimSome = (limit = 50) =>
  claimOutbox(db.pool, { tenantId: "acme", topic: "payments", owner: "relay", leaseMs: 30_000, limit });
const claimArrivals = (limit = 50) =>
  claimInbox(db.pool, { tenantId: "acme", owner: "worker", leaseMs: 30_000, limit, alone: false });
const arrival = (messageId: string): ReceiveInput => ({
  tenantId: "acme",
  id: crypto.randomUUID(),
  arrivalId: crypto.randomUUID(),
  consumer: "c",
  source: "s",
  messageId,
  type: "t",
  operationId: undefined,
  payload: {},
  payloadHash: Buffer.from([0]),
  headers: {},
  requestId: "r",
  alone: false,
});

describe("a claim beside a backlog", () => {
  // First: the others take from the backlog.
  const claims: [string, () => Promise<readonly { readonly id: string }[]>, string][] = [
    [
      "claim_outbox",
      () => claimSome(),
      "select id from onceboard.outbox_messages where id = any ($1::uuid[]) order by next_attempt_at, position",
    ],
    [
      "claim_inbox",
      () => claimArrivals(),
      "select id from onceboard.inbox_open where id = any ($1::uuid[]) order by next_attempt_at",
    ],
  ];
  it.each(claims)("%s gives what is due first first, wherever it lies in the table", async (_name, claim, inOrder) => {
    const ids = (await claim()).map(({ id }) => id);
    const { rows } = await test.db.pool.query<{ id: string }>({ text: inOrder, values: [ids] });
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  it.each(claims)("%s reads a few rows for each that it takes, not all that wait", async (_name, claim) => {
    for (let time = 0; time < 3; time += 1) {
      let taken = 0;
      const read = await readsOf(async () => (taken = (await claim()).length));
      expect(taken).toBeGreaterThan(20);
      expect(read).toBeLessThan(10 * taken + 500);
    }
  });
});

describe("the hot statements of relay and inbox never read a whole table", () => {
  it("sees a sequential scan when there is one", async () => {
    const text = "select count(payload) from onceboard.inbox_messages";
    expect(await scansOf(() => db.pool.query({ text }))).toHaveProperty("inbox_messages");
  });

  it.each<[string, () => Promise<unknown>]>([
    ["due_topics", () => dueTopics(db.pool, "acme", 200)],
    ["claim_outbox", () => claimSome()],
    ["claim_outbox of a large batch", () => claimSome(500)],
    ["claim_outbox and publish_outbox", async () => publishOutbox(db.pool, "acme", await claimSome(), "http")],
    ["claim_inbox", () => claimArrivals()],
    [
      "claim_inbox and finish_inbox",
      async () => {
        const claimed = await claimArrivals();
        expect(claimed).toHaveLength(50);
        return finishInbox(
          db.pool,
          "acme",
          claimed.map((message) => ({ ...message, result: "ok" })),
        );
      },
    ],
    [
      "receive of new ones and duplicates",
      () => receiveMessages(db.pool, ["m1", "m2", crypto.randomUUID()].map(arrival)),
    ],
  ])("%s", async (_name, work) => {
    expect(await scansOf(work)).toEqual({});
  });
});
