import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDeadLetterFilters, parseInboxFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import { firstWords } from "@/domain/page-claim";
import { NOTHING_WAITS } from "@/presentation/message/nothing-waits";
import { UNLISTED } from "@/presentation/message/attempts-words";
import type { SearchInput } from "@/presentation/filters/search";
import { relay } from "@/engine/outbox/relay";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { find } from "../operations/find";
import { listDeadLetters } from "./list-dead-letters";
import { listInbox, listOutbox } from "./list-messages";
import { readConsumer } from "./read-consumer";
import { readOutboxMessage } from "./read-message";
import { listTopics } from "./read-topic";

const HERE = { fallback: "http", offered: ["http"] } as const;
const ENDPOINT = "00000000-0000-4000-8000-000000000042";
let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const ctx = () => env.context({ actor: operator("viewer") });
const outboxOf = async (search: SearchInput) => {
  const { list } = await listOutbox(ctx(), { filters: parseOutboxFilters(search).filters });
  if (list.kind !== "page") throw new Error("too broad");
  return list.rows.map(({ id }) => id);
};
const inboxOf = async (search: SearchInput) => {
  const { list } = await listInbox(ctx(), { filters: parseInboxFilters(search).filters });
  if (list.kind !== "page") throw new Error("too broad");
  return list.rows.map(({ messageId }) => messageId);
};
const arrived = (messageId: string, columns: string, values: string) =>
  env.rows(
    `with made as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, ${columns})
       values ($1, gen_random_uuid(), 'ledger', 'onceboard', $2, 'payment.succeeded', '{}', '\\x00', now() - interval '2 hours', ${values}) returning *)
     insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, attempts_started, attempts_finished, alone)
     select tenant_id, id, consumer, received_at, now(), attempts_started, attempts_finished, attempts_finished > 0 from made where state = 'recorded'`,
    TENANT,
    messageId,
  );

describe("messages on their way (MESSAGE-1)", () => {
  it("INBOX-8 a message shows every attempt: the lost one, the failed one, the one that worked, and who made it", async () => {
    const id = await env.outbox();
    const answers = [{ kind: "failed", code: "delivery.http_503", reason: "The destination answered 503" } as const];
    const transports = through(() => answers.pop() ?? { kind: "acknowledged" });
    await env.rows(
      `update onceboard.outbox_messages set owner = 'relay-dead', fence = 1, attempts_started = 1, locked_until = now() - interval '1 second' where id = $1`,
      id,
    );
    await relay(env.context({ instance: "relay-1" }), transports);
    const due = () =>
      env.rows("update onceboard.outbox_messages set next_attempt_at = now() - interval '1 second' where id = $1", id);
    expect(await outboxOf({ state: "failing" })).toEqual([id]);
    expect(await outboxOf({ state: "failing", error: "delivery.http_500" })).toEqual([]);
    await due();
    await relay(env.context({ instance: "relay-2" }), transports);
    const view = await readOutboxMessage(ctx(), { id });
    expect(view?.attemptsMade.map(({ number, outcome, who, code }) => [number, outcome, who, code])).toEqual([
      [1, "lost", "relay-dead", undefined],
      [2, "failed", "relay-1", "delivery.http_503"],
      [3, "succeeded", "relay-2", undefined],
    ]);
    expect(view).toMatchObject({ state: "published", transport: "http", attempts: 3, unfinished: 1 });
    expect(view?.causes.map(({ what }) => what)).toEqual(["payment.succeeded", "No inbox row here"]);
    expect(view?.chain.gap).toMatchObject({ tone: "doubt" });
    expect(view?.lanes?.lanes.map(({ name }) => name)).toEqual(["Written", "Attempts"]);
  });

  it("a message whose attempts are kept no more is not called untried", async () => {
    const said = async (id: string) =>
      firstWords(UNLISTED, (await readOutboxMessage(ctx(), { id })) ?? { attempts: -1 });
    const id = await env.outbox();
    expect(await said(id)).toBe("Not tried yet.");
    await env.rows(
      `update onceboard.outbox_messages set state = 'dead', attempts_started = 8, attempts_finished = 8 where id = $1`,
      id,
    );
    const view = await readOutboxMessage(ctx(), { id });
    expect(view).toMatchObject({ attempts: 8, attemptsMade: [] });
    expect(await said(id)).toBe("The attempts are not on record any more.");
    await env.rows("delete from onceboard.outbox_messages where id = $1", id);
  });

  it("narrows by state, transport and age; what was discarded is not open and holds nobody up", async () => {
    const aggregate = "p-line";
    const first = await env.outbox({ aggregate });
    const second = await env.outbox({ aggregate });
    const mail = await env.outbox();
    await env.rows("update onceboard.outbox_messages set topic = 'mail' where id = $1", mail);
    await env.rows(
      "update onceboard.outbox_messages set created_at = now() - interval '2 hours' where id = $1",
      second,
    );
    const behind = async () => (await readOutboxMessage(ctx(), { id: second }))?.behind;
    expect(await behind()).toBe(first);
    await env.rows("update onceboard.outbox_messages set state = 'discarded' where id = $1", first);
    expect(await behind()).toBeUndefined();
    expect(await outboxOf({})).toEqual([second, mail]);
    expect(await outboxOf({ state: "discarded" })).toEqual([first]);
    expect(await outboxOf({ transport: "mail" })).toEqual([mail]);
    expect(await outboxOf({ transport: "http" })).toEqual([second]);
    expect(await outboxOf({ older: "1h" })).toEqual([second]);
    expect(await outboxOf({ older: "24h" })).toEqual([]);
  });

  it("names the topic of an endpoint by its host, and adds up what is open with what the roll-ups say", async () => {
    await env.rows(
      "insert into onceboard.webhook_endpoints (tenant_id, id, url, types, created_by) values ($1, $2, 'https://hooks.shop.example/in', '{}', 'op')",
      TENANT,
      ENDPOINT,
    );
    const id = await env.outbox();
    await env.rows("update onceboard.outbox_messages set topic = $2 where id = $1", id, `webhook:${ENDPOINT}`);
    await env.rows(
      `insert into onceboard.metric_messages (tenant_id, bucket, side, place, succeeded, failed, dead, lag_p95_ms, lag_max_ms)
       select $1, date_trunc('minute', now()) - make_interval(mins => m), 'outbox', $2, 2, 1, 0, m * 10, m * 20 from unnest(array[1, 30, 90]) m`,
      TENANT,
      `webhook:${ENDPOINT}`,
    );
    const row = (await listTopics(ctx(), HERE)).rows.find(({ place }) => place === `webhook:${ENDPOINT}`);
    expect(row).toMatchObject({
      label: "webhook to hooks.shop.example/in",
      transport: "http",
      waiting: 1,
      hour: { succeeded: 4, failed: 2, lagP95Ms: 300 },
    });
    expect(row?.hour.spark).toEqual([0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2]);

    const deadLetter = uuidv7();
    await env.rows(
      `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
       values ($1, $2, 'outbox', $3, $4, 'payment.succeeded', 'f1', 'webhook.unreachable', 'no', 12, now())`,
      TENANT,
      deadLetter,
      id,
      `webhook:${ENDPOINT}`,
    );
    const { groups } = await listDeadLetters(ctx(), { filters: parseDeadLetterFilters({}).filters });
    expect(groups).toMatchObject([{ place: `webhook:${ENDPOINT}`, placeLabel: "webhook to hooks.shop.example/in" }]);
    const found = await find(ctx(), { q: deadLetter });
    expect(found).toMatchObject({ targets: [{ label: "payment.succeeded at webhook to hooks.shop.example/in" }] });
  });

  it("INBOX-8 a consumer's page counts what was superseded, what came again and what is handled alone", async () => {
    await arrived("m-1", "state, processed_at, result", "'processed', now(), 'superseded by a newer version'");
    await arrived("m-2", "state, processed_at, result, duplicates", "'processed', now(), 'ok', 2");
    await arrived(
      "m-3",
      "state, attempts_started, attempts_finished, last_error_code, last_error",
      "'recorded', 2, 2, 'boom', 'no'",
    );
    const view = await readConsumer(ctx(), { consumer: "ledger", range: "24h" });
    expect(view?.types).toMatchObject([{ type: "payment.succeeded", count: 3, superseded: 1, duplicates: 2 }]);
    expect(view?.row).toMatchObject({ waiting: 1, failing: 1, alone: 1 });
    expect(view?.errors).toMatchObject([{ code: "boom", waiting: 1, dead: 0 }]);
    expect(view?.waiting.map(({ messageId }) => messageId)).toEqual(["m-3"]);
    expect(view?.chart.buckets).toHaveLength(72);
    expect(await inboxOf({ failing: "true" })).toEqual(["m-3"]);
    expect(await inboxOf({ older: "1h", state: "processed" })).toHaveLength(2);
    expect(await inboxOf({ older: "24h" })).toEqual([]);
    expect(await readConsumer(ctx(), { consumer: "nobody" })).toBeUndefined();
  });
});

describe("what a place says while nothing waits", () => {
  it("does not call a dead message handled", async () => {
    const said = async () => {
      const view = await readConsumer(ctx(), { consumer: "grave" });
      return view && [view.waiting.length, firstWords(NOTHING_WAITS, view.row)];
    };
    const row = (messageId: string, state: string) =>
      env.rows(
        `with made as (
           insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, processed_at, attempts_started, attempts_finished)
           values ($1, gen_random_uuid(), 'grave', 'onceboard', $2, 'payment.succeeded', '{}', '\\x00', now(), $3, case $3 when 'processed' then now() end, 5, 5) returning *)
         insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
         select tenant_id, gen_random_uuid(), 'inbox', id, consumer, type, 'code:1', 'code', 'it broke', 5, now() from made where state = 'dead'`,
        TENANT,
        messageId,
        state,
      );
    await row("grave-1", "processed");
    expect(await said()).toEqual([0, "Nothing waits."]);
    await row("grave-2", "dead");
    expect(await said()).toEqual([0, "Nothing waits; 1 message is dead."]);
    await env.rows("delete from onceboard.dead_letters where place = 'grave'");
    await env.rows("delete from onceboard.inbox_messages where consumer = 'grave'");
  });
});

describe("the inbox by message", () => {
  const MESSAGES = 61;
  beforeAll(() =>
    // The consumers of a message record it within seconds of each other, between those of its neighbours.
    env.rows(
      `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, processed_at)
       select $1, gen_random_uuid(), consumer, 'onceboard', 'by-' || n, 'by.message', '{}', '\\x00',
              now() - interval '3 hours' - make_interval(secs => n + 1.7 * at), case when at = 1 then 'dead' else 'processed' end, now()
         from generate_series(1, $2) n, unnest(array['ledger', 'receipts', 'search']) with ordinality as c (consumer, at)`,
      TENANT,
      MESSAGES,
    ),
  );

  async function pagesOf(search: SearchInput, turns: readonly ("next" | "previous")[]) {
    const pages = [];
    let cursor: string | undefined;
    for (const turn of [...turns, undefined]) {
      const { list } = await listInbox(ctx(), {
        filters: parseInboxFilters({ type: "by.message", ...search }).filters,
        cursor,
      });
      if (list.kind !== "page") throw new Error("too broad");
      pages.push(list.rows);
      if (turn !== undefined) cursor = list[turn];
    }
    return pages;
  }
  const messagesOf = (rows: readonly { readonly messageId: string }[]) =>
    new Set(rows.map(({ messageId }) => messageId));

  it("has a message with all of its consumers on one page, and every one of them once (INBOX-13)", async () => {
    const [first = [], second = []] = await pagesOf({}, ["next"]);
    expect([messagesOf(first).size, messagesOf(second).size]).toEqual([50, 11]);
    expect([first.length, second.length]).toEqual([150, 33]);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(183);
    // Together, and at the place of the newest.
    const order = first.filter(({ messageId }, at) => messageId !== first[at - 1]?.messageId);
    expect(order.map(({ messageId, consumer }) => `${messageId} ${consumer}`)).toEqual(
      Array.from({ length: 50 }, (_, at) => `by-${String(at + 1)} ledger`),
    );
    const [, , back = []] = await pagesOf({}, ["next", "previous"]);
    expect(back.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  });

  it("has of a message the consumers that the filters are about", async () => {
    const [dead = []] = await pagesOf({ state: "processed" }, []);
    expect(dead).toHaveLength(100);
    expect(new Set(dead.map(({ consumer }) => consumer))).toEqual(new Set(["receipts", "search"]));
    const [one = []] = await pagesOf({ consumer: "search" }, []);
    expect(one).toHaveLength(50);
  });
});
