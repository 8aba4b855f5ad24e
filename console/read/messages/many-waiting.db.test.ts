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

/** More than both lanes of the inbox are counted to, and what hangs on the rows of a page. */
const MANY = 3 * WAITING_COUNTED;
const TOUCHED = 2 * WAITING_COUNTED + 4_000;
const DEPLOYMENT = { fallback: "http", offered: ["http"] } as const;
const TABLES = /^(outbox_messages|inbox_open|inbox_messages)$/;

let desk: Desk;
let ctx: EngineContext;
let taken: () => Statement[];

beforeAll(async () => {
  desk = await openDesk();
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
  await desk.rows(
    `with n as (select n, gen_random_uuid() as id, case when n <= 2 then 'mail' else 'ledger' end as consumer,
         now() - interval '20 minutes' as at, now() + make_interval(mins => case when n <= 2 then 5 else -20 end) as due
       from generate_series(1, $1::int) n),
     o as (insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at) select 'acme', id, consumer, at, due from n)
     insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at)
     select 'acme', id, consumer, 'shop', id::text, 'payment.succeeded', '{}', '\\x00', at from n`,
    MANY,
  );
  await desk.rows("analyze onceboard.outbox_messages, onceboard.inbox_open, onceboard.inbox_messages");
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

  it("a consumer of which some were found waits for at least these, and of one with none it is not said that nothing waits", async () => {
    const ledger = await readConsumer(ctx, { consumer: "ledger" });
    expect(ledger && textOf(ledger.verdict)).toContain(
      "10,000+ messages wait to be handled by ledger, the oldest for at least 20 minutes.",
    );
    const mail = await readConsumer(ctx, { consumer: "mail" });
    expect(mail && textOf(mail.verdict)).toContain(
      "10,000+ messages wait in the inbox; none of the first is for mail.",
    );
    expect(mail && textOf(mail.verdict)).not.toContain("Nothing waits");
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
