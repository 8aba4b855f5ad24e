import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordStatements, type Statement } from "@/db/testing/record-statements";
import { nodesOf, explainStatement, touchedBy } from "@/db/testing/statement-plan";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { listAttention } from "@/console/read/operations/list-attention";
import { readLiveStatus } from "@/console/read/deployment/read-live-status";
import { readOverview } from "@/console/read/deployment/read-overview";
import type { EngineContext } from "@/engine/context";
import { parseDeadLetterFilters, parseInboxFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import type { VerdictView } from "@/presentation/views/common";
import { listDeadLetters } from "./list-dead-letters";
import { listInbox, listOutbox } from "./list-messages";
import { listConsumers, readConsumer } from "./read-consumer";
import { readFlow } from "./read-flow";
import { listTopics, readTopic } from "./read-topic";

/** A topic, two lanes of the inbox and a consumer that fails are counted to, and what hangs on the rows of a page: fewer than there are. */
const MANY = 6 * WAITING_COUNTED;
const TOUCHED = 4 * WAITING_COUNTED + 4_000;
const DEPLOYMENT = { fallback: "http", offered: ["http"] } as const;
const TABLES = /^(outbox_messages|inbox_open|inbox_messages)$/;

let desk: Desk;
let ctx: EngineContext;
let taken: () => Statement[];

beforeAll(async () => {
  desk = await openDesk();
  // Older than all that waits: what is dead, and what was discarded.
  await desk.rows(
    `with n as (select n, gen_random_uuid() as id, case when n % 2 = 0 then 'dead' else 'discarded' end as state from generate_series(1, $1::int) n),
     m as (insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at, state,
         attempts_started, attempts_finished, last_error_code)
       select 'acme', id, 'payment', 'old_' || n, 'payments', 'payment.succeeded', '{}', now() - interval '1 hour', now(), state, 12, 12, 'http.500' from n)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select 'acme', gen_random_uuid(), 'outbox', id, 'payments', 'payment.succeeded', 'f', 'http.500', 'it failed', 12, now() from n where state = 'dead'`,
    2 * (WAITING_COUNTED + 100),
  );
  // An outage of the broker: what was tried first is the oldest, and is tried again after all that nobody has tried.
  await desk.rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at,
       attempts_started, last_error, last_error_code)
     select 'acme', gen_random_uuid(), 'payment', 'pay_' || n, case when n <= 2 then 'refunds' else 'payments' end, 'payment.succeeded', '{}',
       now() - make_interval(mins => case when n = 3 then 30 else 20 end),
       now() + make_interval(mins => case when n = 3 then 1 else -20 end),
       case when n = 3 then 1 else 0 end, case when n = 3 then 'no broker' end, case when n = 3 then 'delivery.broker_unavailable' end
     from generate_series(1, $1::int) n`,
    MANY,
  );
  // The ledger fails, one of risk as well; one of mail was requeued, and two of slow are due last.
  await desk.rows(
    `with n as (select n, gen_random_uuid() as id, now() - interval '20 minutes' as at,
         case when n <= 2 then 'slow' when n = 3 then 'mail' when n = 4 then 'risk' else 'ledger' end as consumer,
         n between 3 and $2::int as alone, n between 4 and $2::int as failed
       from generate_series(1, $1::int) n),
     o as (insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, alone, attempts_finished)
       select 'acme', id, consumer, at, now() + make_interval(mins => case when n <= 2 then 30 when failed then 10 else -20 end), alone, failed::int from n)
     insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, last_error_code, last_error)
     select 'acme', id, consumer, 'shop', id::text, 'payment.succeeded', '{}', '\\x00', at, case when alone then consumer || '.closed' end, case when alone then 'it is closed' end
     from n`,
    ...[MANY, WAITING_COUNTED + 100],
  );
  await desk.rows(
    "analyze onceboard.outbox_messages, onceboard.dead_letters, onceboard.inbox_open, onceboard.inbox_messages",
  );
  ctx = desk.context();
  taken = recordStatements(ctx.db);
}, 120_000);
afterAll(() => desk.close());

const textOf = ({ clauses }: VerdictView): string => clauses.map(({ text }) => text).join(" ");

const PAGES: readonly (readonly [name: string, read: () => Promise<unknown>])[] = [
  ["/", () => readOverview(ctx, {})],
  ["/outbox", () => listOutbox(ctx, { filters: parseOutboxFilters({}).filters })],
  ["/outbox of a topic", () => listOutbox(ctx, { filters: parseOutboxFilters({ topic: "refunds" }).filters })],
  ["/inbox", () => listInbox(ctx, { filters: parseInboxFilters({}).filters })],
  ["/topics", () => listTopics(ctx, DEPLOYMENT)],
  ["/outbox of what waits", () => listOutbox(ctx, { filters: parseOutboxFilters({ state: "pending" }).filters })],
  [
    "/outbox of what was discarded",
    () => listOutbox(ctx, { filters: parseOutboxFilters({ state: "discarded" }).filters }),
  ],
  ["/topics/payments", () => readTopic(ctx, DEPLOYMENT, { topic: "payments" })],
  ["/consumers", () => listConsumers(ctx)],
  ["/flow", () => readFlow(ctx, DEPLOYMENT, { window: "now" })],
  ["/dead-letters", () => listDeadLetters(ctx, { filters: parseDeadLetterFilters({}).filters })],
  ["/attention", () => listAttention(ctx, {})],
  ["the poll", () => readLiveStatus(ctx, { page: "operations" })],
];

describe("where more messages wait than are counted (LIST-3)", () => {
  it.each(PAGES)("%s reads no more of them", async (_name, read) => {
    taken();
    await read();
    const statements = taken().filter(({ text }) => /^\s*(select|with|\()/i.test(text));
    expect(statements).not.toEqual([]);
    for (const statement of statements) {
      const nodes = nodesOf(await explainStatement(ctx.db, statement)).filter((node) =>
        TABLES.test(node["Relation Name"] ?? ""),
      );
      const rows = nodes.reduce((sum, node) => sum + touchedBy(node), 0);
      expect([rows > TOUCHED ? rows : "few", rows > TOUCHED && statement.text]).toEqual(["few", false]);
    }
  });

  it.each(["dead", "pending", "discarded"] as const)(
    "the list of what is %s begins with such messages, and goes on and back",
    async (state) => {
      const { filters } = parseOutboxFilters({ state });
      const page = async (cursor?: string) => {
        const { list } = await listOutbox(ctx, { filters, cursor });
        if (list.kind !== "page") throw new Error("it was stopped");
        return list;
      };
      const first = await page();
      const second = await page(first.next);
      expect(new Set([...first.rows, ...second.rows].map((row) => row.state))).toEqual(new Set([state]));
      const positions = [...first.rows, ...second.rows].map(({ position }) => Number(position));
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
      expect(new Set(positions).size).toBe(2 * first.rows.length);
      expect((await page(second.previous ?? "none")).rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
    },
  );

  it("a topic says so, and why nothing can be sent, although that was found at a message which is tried later", async () => {
    const topics = await listTopics(ctx, DEPLOYMENT);
    expect(topics.rows.map(({ place, waiting, outage }) => [place, waiting, outage])).toEqual([
      ["payments", WAITING_COUNTED, "delivery.broker_unavailable"],
      ["refunds", 2, undefined],
    ]);
    const topic = await readTopic(ctx, DEPLOYMENT, { topic: "payments" });
    expect(topic && textOf(topic.verdict)).toContain("10,000+ wait, none is lost, the oldest for at least 30 minutes.");
    expect(topic?.waiting[0]?.error).toBe("no broker");
  });

  it("a consumer waits for at least what was found of it, and fails for what was tried, whoever else fails", async () => {
    const consumers = await listConsumers(ctx);
    const found = consumers.rows.map((row) => [row.place, row.waiting >= WAITING_COUNTED, row.failing, row.sampled]);
    expect(found.sort()).toEqual([
      ["ledger", true, WAITING_COUNTED, true],
      ["mail", false, 0, true],
      ["risk", false, 1, true],
    ]);
    const ledger = await readConsumer(ctx, { consumer: "ledger" });
    expect(ledger && textOf(ledger.verdict)).toContain("10,000+ failing");
    expect(ledger?.row.oldestMs).toBeGreaterThan(19 * 60_000);
  });

  it("one of which none was found among the first has a page with what waits for it", async () => {
    const slow = await readConsumer(ctx, { consumer: "slow" });
    expect(slow && textOf(slow.verdict)).toContain("2 messages wait to be handled by slow, the oldest for 20 minutes.");
    expect(await readConsumer(ctx, { consumer: "nobody" })).toBeUndefined();
    const { nodes } = await readFlow(ctx, DEPLOYMENT, { window: "now" });
    expect(
      nodes
        .filter(({ kind }) => kind === "consumer")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["ledger", "mail", "risk"]);
  });

  it("what was requeued keeps its error on the page of its consumer", async () => {
    const mail = await readConsumer(ctx, { consumer: "mail" });
    expect(mail?.errors.map(({ code, waiting }) => [code, waiting])).toEqual([["mail.closed", 1]]);
  });

  it("lists and the overview say at least so many", async () => {
    const outbox = await listOutbox(ctx, { filters: parseOutboxFilters({}).filters });
    expect(textOf(outbox.verdict)).toContain("10,000+ messages wait");
    const inbox = await listInbox(ctx, { filters: parseInboxFilters({}).filters });
    expect(textOf(inbox.verdict)).toContain("10,000+ messages wait to be handled, the oldest for at least 20 minutes.");
    const overview = await readOverview(ctx, {});
    expect(overview.waiting.filter(({ more }) => more).map(({ name, open }) => [name, open])).toEqual([
      ["outbox", WAITING_COUNTED],
      ["inbox", WAITING_COUNTED],
    ]);
    expect(textOf(overview.verdict)).toContain("longest in payments: the oldest is at least 30 minutes old.");
    expect(overview.notes).toContain(
      "The ledger is behind: 2,000+ events for it wait, the oldest is at least 20 minutes old.",
    );
  });
});
