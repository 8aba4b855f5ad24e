import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLiveStatus } from "@/console/read/deployment/read-live-status";
import { listOperations } from "@/console/read/operations/list-operations";
import { flowWorlds, rollUpLastDay, writeFlow, type FlowWorld } from "@/console/testing/flow-world";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { leftOutWords } from "@/presentation/flow/flow-claims";
import { parseOperationFilters } from "@/presentation/filters/parsers";
import { FLOW_WINDOWS, type FlowView, type FlowWindow } from "@/presentation/views/flow";
import { listConsumers } from "./read-consumer";
import { readFlow } from "./read-flow";
import { listTopics } from "./read-topic";

const HERE = { fallback: "http", offered: ["http"] } as const;
const RUNS = 12;
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const EVENT = {
  operation: "payments.create",
  topic: "payments",
  age: 1,
  state: "published",
  line: 0,
  ledger: "posted",
  hook: true,
} as const;
const QUIET = { foreign: [], paused: false, endpoint: "enabled", elsewhere: false, rolledUp: true } as const;

const flowOf = (tenant: string, window: FlowWindow = "1h") =>
  readFlow(desk.context("viewer", tenant), HERE, { window });
const minute = (time: string) => Math.floor(Date.parse(time) / 60_000);
/** Written and read within one minute: where it turns between the two, once more. */
async function flowFor(world: FlowWorld, window: FlowWindow = "1h"): Promise<{ tenant: string; flow: FlowView }> {
  const [began] = await desk.rows<{ at: string }>("select now()::text as at");
  const tenant = await writeFlow((text, ...values) => desk.rows(text, ...values), world);
  const flow = await flowOf(tenant, window);
  return minute(began?.at ?? "") === minute(flow.at) ? { tenant, flow } : flowFor(world, window);
}
const textOf = (flow: FlowView) => {
  const leftOut = leftOutWords(flow);
  const said = [...flow.verdict.clauses, ...flow.lede].map(({ text }) => text);
  return leftOut === undefined ? said : [...said, leftOut];
};
const node = ({ nodes }: FlowView, id: string) => nodes.find((each) => each.id === id);
const edges = (flow: FlowView) =>
  Object.fromEntries(
    flow.edges.map(({ from, to, rate }) => [`${from} > ${to}`, rate === undefined ? -1 : round(rate)]),
  );
const round = (rate: number) => Math.round(rate * 1e6) / 1e6;

/** What moved on each edge in a window, over the rows that engine and people wrote; never over roll-ups. */
const EDGES = `with span as (select date_trunc('minute', $2::timestamptz) - make_interval(mins => $3::int) as since, date_trunc('minute', $2::timestamptz) as until)
select 'operation:' || r.operation as "from", 'topic:' || h.topic as "to", count(*)::int as count
from span, onceboard.outbox_history h join onceboard.idempotency_requests r on r.tenant_id = h.tenant_id and r.operation_id = h.operation_id
where h.tenant_id = $1 and h.published_at >= since and h.published_at < until and h.published_by <> 'operator' and h.topic not like 'webhook:%' group by 1, 2
union all
select 'topic:' || e.topic, 'endpoint:' || h.topic, count(*)::int
from span, onceboard.outbox_history h join onceboard.outbox_history e on e.tenant_id = h.tenant_id and e.operation_id = h.operation_id and e.topic not like 'webhook:%'
where h.tenant_id = $1 and h.published_at >= since and h.published_at < until and h.topic like 'webhook:%' group by 1, 2
union all
select case when i.source = 'onceboard' then 'topic:' || h.topic else 'source:' || i.source end, 'consumer:' || i.consumer, count(*)::int
from span, onceboard.inbox_messages i left join onceboard.outbox_history h on h.tenant_id = i.tenant_id and h.id::text = i.message_id
where i.tenant_id = $1 and i.state = 'processed' and i.processed_at >= since and i.processed_at < until group by 1, 2
union all
select 'consumer:ledger', 'ledger', count(*)::int
from span, payments.ledger_entries l where l.tenant_id = $1 and l.posted_at >= since and l.posted_at < until group by 1, 2
union all
select 'topic:' || h.topic, 'outside:' || h.topic, count(*)::int
from span, onceboard.outbox_history h join onceboard.topics t on t.tenant_id = h.tenant_id and t.topic = h.topic and t.destination is not null
where h.tenant_id = $1 and h.published_at >= since and h.published_at < until and h.published_by <> 'operator' group by 1, 2`;
const MINUTES = { now: 1, "1h": 60, "24h": 1_440 } as const;

describe("FLOW-1 the flow is what the rows say", () => {
  it("each edge carries what moved on it, and nothing moves where there is no edge", async () => {
    await fc.assert(
      fc.asyncProperty(flowWorlds, fc.constantFrom(...FLOW_WINDOWS), async (world, window) => {
        // What waits or died at the ledger has left its topic: the rates of that consumer count what it did.
        const { tenant, flow } = await flowFor({ ...world, rolledUp: true }, window);
        const moved = await desk.rows<{ from: string; to: string; count: number }>(
          EDGES,
          ...[tenant, flow.at, MINUTES[window]],
        );
        const drawn = edges(flow);
        expect(flow.sampled).toBe(false);
        for (const { from, to, count } of moved)
          expect([`${from} > ${to}`, drawn[`${from} > ${to}`]]).toEqual([
            `${from} > ${to}`,
            expect.closeTo(count / MINUTES[window], 5),
          ]);
        const carried = new Set(moved.map(({ from, to }) => `${from} > ${to}`));
        for (const [name, rate] of Object.entries(drawn))
          if (!carried.has(name)) expect([name, rate]).toEqual([name, 0]);
      }),
      { numRuns: RUNS },
    );
  });

  it("what waits, is dead, rests and was done in the hour is what the pages of topics and consumers and the rail say", async () => {
    await fc.assert(
      fc.asyncProperty(flowWorlds, async (world) => {
        const { tenant, flow } = await flowFor(world);
        const ctx = desk.context("viewer", tenant);
        const pages = [await listTopics(ctx, HERE), await listConsumers(ctx)];
        const places = flow.nodes.filter(({ kind }) => ["topic", "endpoint", "consumer"].includes(kind));
        for (const row of pages.flatMap(({ rows }) => rows)) {
          const found = places.find(
            ({ name, kind }) => name === row.place && (kind === "consumer") === (row.side === "inbox"),
          );
          expect(found).toMatchObject({ waiting: row.waiting, dead: row.dead, failing: row.failing, label: row.label });
          expect(found?.paused).toEqual(row.paused);
          expect(Math.abs((found?.oldestMs ?? 0) - (row.oldestMs ?? 0))).toBeLessThan(10_000);
          if (world.rolledUp) expect(round((found?.rate ?? -1) * 60)).toBe(row.hour.succeeded);
          else expect(found?.rate).toBeUndefined();
        }
        const { counts } = await readLiveStatus(ctx, { page: "flow" });
        const sum = (kinds: readonly string[]) =>
          places.filter(({ kind }) => kinds.includes(kind)).reduce((total, { waiting }) => total + waiting, 0);
        expect([sum(["topic", "endpoint"]), sum(["consumer"])]).toEqual([counts.outbox, counts.inbox]);
      }),
      { numRuns: RUNS },
    );
  });

  it("says of a minute that was not rolled up that it is not known, and draws what feeds what all the same", async () => {
    const { flow } = await flowFor({ ...QUIET, events: [EVENT], rolledUp: false }, "now");
    expect(flow.verdict.text).toBe("No minute was measured lately.");
    expect(node(flow, "topic:payments")).toMatchObject({ rate: undefined, state: { text: "not measured" } });
    expect(edges(flow)).toMatchObject({
      "operation:payments.create > topic:payments": -1,
      "consumer:ledger > ledger": -1,
    });
  });
});

/** What each sentence means, over the rows: $1 tenant, $2 database time, $3 minutes of the window, $4 and on what the sentence captured. */
const SPAN = `(select date_trunc('minute', $2::timestamptz) - make_interval(mins => $3::int) as since, date_trunc('minute', $2::timestamptz) as until) s`;
const RESTS = `(m.topic in (select t.topic from onceboard.topics t where t.tenant_id = $1 and t.paused_at is not null)
  or m.topic in (select 'webhook:' || e.id from onceboard.webhook_endpoints e where e.tenant_id = $1 and e.disabled_at is not null))`;
const BEHIND = `exists (select from onceboard.outbox_messages d where d.tenant_id = $1 and d.state = 'dead' and d.aggregate_id = m.aggregate_id and d.position < m.position)`;
/** Places where something stands behind a dead message, or is older than a minute and not meant to rest. */
const STANDING = `(
  select m.topic as place, count(*) filter (where ${BEHIND}) as behind, count(*) as waiting from onceboard.outbox_messages m
  where m.tenant_id = $1 and m.state = 'pending' group by 1
  having bool_or(${BEHIND}) or bool_or(m.created_at < $2::timestamptz - interval '1 minute' and not ${RESTS})
  union all
  select o.consumer, 0, count(*) from onceboard.inbox_open o where o.tenant_id = $1 group by 1
  having min(o.received_at) < $2::timestamptz - interval '1 minute') p`;
const ENDED = `(
  select b.processed_at as at from onceboard.inbox_batches b where b.tenant_id = $1
  union all
  select h.published_at from onceboard.outbox_history h where h.tenant_id = $1 and h.topic like 'webhook:%') e`;
const WRITTEN = `(select created_at as at from onceboard.outbox_messages where tenant_id = $1 union all select created_at from onceboard.outbox_history where tenant_id = $1) w`;
const count = (of: string, condition = "true") => `(select count(*) from ${of} where ${condition})`;
const IN_SPAN = (of: string) => count(`${SPAN}, ${of}`, "at >= s.since and at < s.until");
const NUMBER = String.raw`([\d.]+)`;

const ORACLE: readonly (readonly [sentence: string, sql: string])[] = [
  [
    `^${NUMBER} messages? a minute arrive(?:d in the last (?:hour|24 hours))?\\.$`,
    `${IN_SPAN(ENDED)} > 0 and (abs(${IN_SPAN(ENDED)}::numeric / $3 - $4::numeric) <= 0.05)`,
  ],
  [
    `^(under 0\\.1) messages a minute arrived in the last (?:hour|24 hours)\\.$`,
    `${IN_SPAN(ENDED)}::numeric / $3 between 0.0000001 and 0.1 and $4::text is not null`,
  ],
  [
    "^No message was written in (?:this minute|this hour|the last 24 hours)\\.$",
    `${IN_SPAN(WRITTEN)} = 0 and ${IN_SPAN(ENDED)} = 0`,
  ],
  [
    "^No message arrived in (?:this minute|this hour|the last 24 hours)\\.$",
    `${IN_SPAN(ENDED)} = 0 and ${IN_SPAN(WRITTEN)} > 0`,
  ],
  [
    `^(payments|accounts|parked) has stood still for (?:one payment|${NUMBER} payments) for .+; ${NUMBER} waits?\\.$`,
    `${count(STANDING, "p.place = $4 and p.behind = $6::int")} = 1 and coalesce($5::int, 1) = (
      select count(distinct m.aggregate_id) from onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = $4 and m.state = 'pending' and ${BEHIND})`,
  ],
  [
    `^(payments|accounts|parked|ledger) is late: (?:one message has waited|${NUMBER} wait, the oldest) for .+\\.$`,
    `${count(STANDING, "p.place = $4 and p.waiting = coalesce($5::int, 1)")} = 1 and ${count(STANDING, "p.behind > 0")} = 0`,
  ],
  [`^${NUMBER} more (?:stands? still or (?:is|are) late): `, `${count(STANDING)} = $4::int + 1`],
  ["^Nothing else is late\\.$", `${count(STANDING)} = 1`],
  ["^Nothing is late\\.$", `${count(STANDING)} = 0`],
  [
    `^Not shown: ${NUMBER} operations? begun in (?:this minute|this hour|the last 24 hours) that wrote no message\\.$`,
    `$4::int = (select count(*) from ${SPAN}, onceboard.idempotency_requests r where r.tenant_id = $1 and r.created_at >= s.since and r.created_at < s.until
       and r.operation_id not in (select m.operation_id from onceboard.outbox_messages m where m.operation_id is not null
         union select h.operation_id from onceboard.outbox_history h where h.operation_id is not null)) and $4::int > 0`,
  ],
  [
    `^${NUMBER} needs? a look: `,
    // Paused topics and endpoints that are off or down, and what has dead messages, unless they stand already.
    `$4::int = (select count(*) from (
       select t.topic from onceboard.topics t where t.tenant_id = $1 and t.paused_at is not null
       union select 'webhook:' || e.id from onceboard.webhook_endpoints e where e.tenant_id = $1 and e.disabled_at is not null and exists (
         select from onceboard.outbox_history h where h.tenant_id = $1 and h.topic = 'webhook:' || e.id)
       union select c.topic from onceboard.topic_circuits c where c.tenant_id = $1 and c.opened_at is not null and exists (
         select from onceboard.outbox_history h where h.tenant_id = $1 and h.topic = c.topic)
       union select m.topic from onceboard.outbox_messages m where m.tenant_id = $1 and m.state = 'dead'
       union select d.place from onceboard.dead_letters d where d.tenant_id = $1 and d.settled_at is null) x (place)
     where x.place not in (select p.place from ${STANDING}))`,
  ],
];

async function broken(tenant: string, flow: FlowView, sentences = textOf(flow)): Promise<string[]> {
  const wrong: string[] = [];
  for (const sentence of sentences) {
    const meant = ORACLE.flatMap(([pattern, sql]) => {
      const found = new RegExp(pattern).exec(sentence);
      return found === null ? [] : [{ sql, captured: found.slice(1) }];
    });
    const [{ sql, captured } = { sql: "false", captured: [] }] = meant;
    const values = [
      tenant,
      flow.at,
      MINUTES[flow.window],
      ...captured.map((value) => (value as string | undefined) ?? null),
    ];
    const types = values.map((_, index) => `$${String(index + 1)}::text is null`).join(" or ");
    const [row] = await desk.rows<{ holds: boolean | null }>(
      `select (${sql}) as holds, (${types.replace("$2::text", "$2::timestamptz").replace("$3::text", "$3::int")}) as unused`,
      ...values,
    );
    if (meant.length !== 1 || row?.holds !== true) wrong.push(sentence);
  }
  return wrong;
}

describe("FLOW-1 what is usual", () => {
  /** So many messages in each minute of the hour around this time, so many days ago. */
  const before = async (tenant: string, days: number, messages: number) => {
    await desk.rows(
      `with m as (select generate_series(date_trunc('minute', now()) - make_interval(days => $2::int, mins => 65), date_trunc('minute', now()) - make_interval(days => $2::int) + interval '45 minutes', '1 minute') as minute),
         b as (insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) select $1, minute, now() from m)
       insert into onceboard.metric_messages (tenant_id, bucket, side, place, succeeded, failed, dead)
       select $1, minute, 'outbox', 'payments', $3::int, 0, 0 from m where $3::int > 0`,
      ...[tenant, days, messages],
    );
  };

  it("is the median of the same time on the last seven days, of three at the least; a quiet day counts, one without measure does not", async () => {
    const tenant = await writeFlow((text, ...values) => desk.rows(text, ...values), {
      ...QUIET,
      events: [EVENT, EVENT, EVENT],
    });
    const usual = async (window: FlowWindow) => node(await flowOf(tenant, window), "topic:payments")?.usual;
    // The world has measured this time of yesterday, when nothing moved.
    await before(tenant, 2, 4);
    expect([await usual("now"), await usual("1h")]).toEqual([undefined, undefined]);
    await before(tenant, 5, 10);
    expect([await usual("now"), await usual("1h")]).toEqual([4, 4]);
    expect(await usual("24h")).toBeUndefined();
    const flow = await flowOf(tenant);
    expect(node(flow, "topic:payments")?.state.text).toBe("less than usual");
    expect(flow.edges.find(({ to }) => to === "topic:payments")).toMatchObject({ usual: 4 });
  });
});

describe("FLOW-4 what the drawing leaves out or does not know", () => {
  const write = (world: Partial<FlowWorld>) =>
    writeFlow((text, ...values) => desk.rows(text, ...values), { ...QUIET, events: [], ...world });
  /** So many of the newest are looked at. */
  const MORE = 10_000;

  it("the list behind what wrote no message holds exactly these", async () => {
    const events = (["published", "pending", "dead", "closed"] as const).map((state) => ({ ...EVENT, state, age: 2 }));
    const tenant = await write({ events, silent: [2, 30, 59, 61] });
    const ctx = desk.context("viewer", tenant);
    const { undrawn } = await flowOf(tenant);
    expect(undrawn).toMatchObject({ looked: 7, silent: 3, all: true });
    const search = Object.fromEntries(new URL(undrawn.href ?? "", "http://console").searchParams);
    const parsed = parseOperationFilters(search);
    expect(parsed.problems).toEqual([]);
    const page = await listOperations(ctx, { filters: parsed.filters });
    if (page.kind !== "page") throw new Error("too broad");
    const silent = await desk.rows<{ id: string }>(
      `select r.operation_id as id from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation = 'accounts.create'
         and r.created_at > now() - interval '60 minutes' order by r.created_at desc`,
      tenant,
    );
    expect(page.rows.map(({ operationId }) => operationId)).toEqual(silent.map(({ id }) => id));
    expect((await flowOf(await write({ events, silent: [61] }))).undrawn).toEqual({ looked: 4, silent: 0, all: true });
  });

  it("what arrived shortly before the window is counted, what waited longer makes an estimate", async () => {
    const tenant = await write({ events: [EVENT, { ...EVENT, topic: "accounts", hook: false }] });
    const arrived = (minutes: number) =>
      desk.rows(
        `update onceboard.inbox_messages i set received_at = $2::timestamptz - make_interval(mins => $3::int)
         from onceboard.outbox_history h where i.tenant_id = $1 and h.id::text = i.message_id and h.topic = 'accounts'`,
        ...[tenant, new Date(minute(flow.at) * 60_000 - 60 * 60_000).toISOString(), minutes],
      );
    let flow = await flowOf(tenant);
    const split = () =>
      flow.edges.filter(({ to }) => to === "consumer:ledger" || to === "ledger").map(({ about }) => about);
    await arrived(9);
    flow = await flowOf(tenant);
    expect(split()).toEqual([undefined, undefined, undefined]);
    await arrived(12);
    flow = await flowOf(tenant);
    expect(split()).toEqual([true, true, true]);
    expect(node(flow, "ledger")).toMatchObject({ about: true });
    expect(node(flow, "operation:payments.create")?.about).toBeUndefined();
  });

  it("says that there are more topics than are looked at from the one behind 200 on", async () => {
    const tenant = await write({ events: [EVENT], rolledUp: false });
    const topics = (from: number, to: number) =>
      desk.rows(
        `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, next_attempt_at)
         select $1, gen_random_uuid(), 'payment', 'p-' || n, 'topic-' || n, 'payment.succeeded', '{}', '{}', now(), now() from generate_series($2::int, $3::int) n`,
        ...[tenant, from, to],
      );
    // One of the event itself may be among them.
    await topics(1, 199);
    expect((await flowOf(tenant)).more).toBe(false);
    await topics(200, 201);
    expect((await flowOf(tenant)).more).toBe(true);
  });

  it("of more than are looked at, says which figures are estimates", async () => {
    const tenant = await write({ events: [EVENT], rolledUp: false });
    await desk.rows(
      `with n as (select n, gen_random_uuid() as id, date_trunc('minute', now()) - interval '50 minutes' + make_interval(secs => n / 10.0) as at from generate_series(1, $2::int) n),
         r as (insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
           state, body_day, created_at, updated_at, expires_at, purge_after)
         select $1, case when n % 4 = 0 then 'refunds.create' else 'payments.create' end, id::text, id, 'till-web', '\\x00', 1, '1', 'COMPLETED', current_date, at, at,
           now() + interval '1 day', now() + interval '30 days' from n)
       insert into onceboard.outbox_history (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, created_at, day, position, published_at, published_by, transport)
       select $1, gen_random_uuid(), id, 'payment', 'p', case when n > $2::int - 100 then 'accounts' else 'payments' end, 'payment.succeeded', '{}', at, (at at time zone 'utc')::date, n, at, 'relay-1', 'http'
       from n where n % 1000 <> 0`,
      ...[tenant, MORE + 100],
    );
    await rollUpLastDay((text, ...values) => desk.rows(text, ...values), tenant);
    await desk.rows("analyze");
    const flow = await flowOf(tenant);
    expect(flow.sampled).toBe(true);
    const about = Object.fromEntries(flow.edges.map(({ from, to, about: is }) => [`${from} > ${to}`, is === true]));
    // The newest are all found, of those before them not all.
    expect(about).toMatchObject({
      "operation:payments.create > topic:accounts": false,
      "operation:refunds.create > topic:accounts": false,
      "operation:payments.create > topic:payments": true,
      "operation:refunds.create > topic:payments": true,
      "topic:payments > consumer:ledger": false,
      "consumer:ledger > ledger": false,
    });
    expect(node(flow, "operation:refunds.create")).toMatchObject({ about: true });
    expect(node(flow, "topic:payments")).toMatchObject({
      rate: expect.closeTo((MORE - 10 + 1) / flow.minutes.measured, 5) as number,
    });
    expect(flow.undrawn).toEqual({ looked: MORE, silent: 10, all: false });
    expect(leftOutWords(flow)).toBe(
      "Not shown: 10 of the newest 10,000 operations begun in this hour, which wrote no message.",
    );
  });
});

describe("FLOW-2 what is said of a node", () => {
  it("holds a message behind the topic whose message is dead, and no other", async () => {
    const dead = { ...EVENT, state: "dead", age: 59 } as const;
    const pending = { ...EVENT, state: "pending", age: 30 } as const;
    const states = async (events: FlowWorld["events"]) => {
      const { flow } = await flowFor({ ...QUIET, events });
      return flow.nodes.flatMap(({ kind, name, state }) => (kind === "topic" ? [`${name}: ${state.text}`] : [])).sort();
    };
    const late = expect.stringMatching(
      /^payments: 1 dead; 1 waits behind a dead message of another topic; late/,
    ) as unknown;
    expect(
      await states([
        { ...dead, topic: "accounts", line: 0 },
        { ...dead, line: 1 },
        { ...pending, line: 0 },
      ]),
    ).toEqual(["accounts: 1 dead", late]);
    const both = await states([
      ...[{ ...dead, topic: "accounts", line: 0 } as const, { ...dead, line: 1 }],
      ...[
        { ...pending, line: 0 },
        { ...pending, line: 1 },
      ],
    ]);
    expect(both.at(-1)).toContain("1 dead, 1 waits behind it; 1 waits behind a dead message of another topic");
  });
});

describe("FLOW-2 every sentence of the flow holds over the rows", () => {
  it("the headline and what stands below it, whatever rows there are", async () => {
    await fc.assert(
      fc.asyncProperty(flowWorlds, fc.constantFrom(...FLOW_WINDOWS), async (world, window) => {
        const { tenant, flow } = await flowFor({ ...world, rolledUp: true }, window);
        expect(await broken(tenant, flow)).toEqual([]);
      }),
      { numRuns: RUNS * 3 },
    );
  });

  it("finds a sentence that is not so", async () => {
    const { tenant, flow } = await flowFor({
      ...QUIET,
      events: [EVENT, { ...EVENT, state: "dead", age: 59 }, { ...EVENT, state: "pending", age: 30 }],
      silent: [59, 61],
    });
    expect(textOf(flow)).toEqual([
      "under 0.1 messages a minute arrived in the last hour.",
      expect.stringMatching(/^payments has stood still for one payment for (?:29|30) minutes; 1 waits\.$/),
      "Nothing else is late.",
      "Not shown: 1 operation begun in this hour that wrote no message.",
    ]);
    const planted = [
      "2 messages a minute arrived in the last hour.",
      "No message was written in this hour.",
      "No message arrived in this hour.",
      "accounts has stood still for one payment for 29 minutes; 1 waits.",
      "payments has stood still for one payment for 29 minutes; 2 wait.",
      "payments is late: one message has waited for 29 minutes.",
      "Nothing is late.",
      "2 more stand still or are late: accounts.",
      "1 needs a look: payments.",
      "All is well.",
      "Not shown: 2 operations begun in this hour that wrote no message.",
    ];
    expect(await broken(tenant, flow, planted)).toEqual(planted);
  });

  it("an empty hour is said, with nothing that would be late", async () => {
    const { flow } = await flowFor({ ...QUIET, events: [] });
    expect(textOf(flow)).toEqual(["No message was written in this hour.", "Nothing is late."]);
    expect(flow.nodes).toEqual([]);
  });
});
