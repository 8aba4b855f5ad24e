import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import { measure, rollUp } from "@/console/metrics/roll-up";
import { listApprovals } from "@/console/plans/list-approvals";
import { listPlans } from "@/console/plans/list-plans";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { parseDeadLetterFilters, parseMetricFilters, parsePlanFilters } from "@/presentation/filters/parsers";
import { parseInboxFilters, parseOperationFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import type { MeasureName } from "@/presentation/views/metrics";
import { listDeadLetters } from "../messages/list-dead-letters";
import { listInbox, listOutbox } from "../messages/list-messages";
import { listConsumers } from "../messages/read-consumer";
import { listTopics, readTopic } from "../messages/read-topic";
import { listAttention } from "../operations/list-attention";
import { listConflicts } from "../operations/list-conflicts";
import { listOperations } from "../operations/list-operations";
import { lookNow } from "./read-checklist";
import { readCounts } from "./read-counts";
import { readLiveStatus } from "./read-live-status";
import { readMetrics } from "./read-metrics";
import { readOverview } from "./read-overview";

const MINUTE = 60_000;
const TENANT = "acme";
/** Each run writes and reads a tenant's whole console. */
const RUNS = 12;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
beforeEach(() => clear());

async function clear(): Promise<void> {
  await desk.rows(
    `truncate onceboard.idempotency_requests, onceboard.idempotency_open, onceboard.idempotency_events, onceboard.outbox_messages,
       onceboard.inbox_messages, onceboard.inbox_open, onceboard.dead_letters, onceboard.plans, onceboard.metric_minutes,
       onceboard.metric_hours, onceboard.metric_buckets, onceboard.metric_gauges, onceboard.metric_clients, onceboard.metric_suppressed`,
  );
}

/** Some whole minutes back, at its thirtieth second. */
const minutesAgo = (minutes: number): string =>
  new Date(Math.floor(Date.now() / MINUTE) * MINUTE - minutes * MINUTE + MINUTE / 2).toISOString();

async function answered(outcome: AnswerOutcome, minutes: number, more: Partial<EventInsert> = {}): Promise<void> {
  const at = minutesAgo(minutes);
  const event = {
    id: uuidv7(),
    operationId: uuidv7(),
    operation: "payments.create",
    type: outcome,
    status: 409,
    ...more,
  };
  await recordEvents(desk.context().db.pool, [
    { tenantId: TENANT, at, outcome, client: "till-web", latencyMs: 10, ...event },
  ]);
}

/** Until no closed minute is left: as the worker leaves it a moment after a minute's end. */
async function rolledUp(): Promise<void> {
  const ctx = desk.context();
  await desk.rows(
    `insert into onceboard.metric_buckets (tenant_id, bucket, computed_at)
     select $1, date_trunc('minute', now()) - interval '26 hours', now() on conflict do nothing`,
    TENANT,
  );
  while ((await rollUp(ctx)).behind > 0);
  await measure(ctx);
}

interface Rows {
  readonly unknown: number;
  readonly stale: number;
  readonly inProgress: number;
  readonly topics: readonly { readonly pending: number; readonly dead: number }[];
  readonly recorded: number;
  readonly dead: { readonly outbox: number; readonly inbox: number; readonly settled: number };
  readonly conflicts: { readonly today: number; readonly older: number; readonly ofConsole: number };
  readonly plans: { readonly ready: number; readonly waiting: number; readonly running: number; readonly done: number };
  readonly answers: readonly { readonly outcome: AnswerOutcome; readonly minutes: number }[];
}

const count = (max: number) => fc.integer({ min: 0, max });
const ROWS: fc.Arbitrary<Rows> = fc.record({
  unknown: count(4),
  stale: count(4),
  inProgress: count(4),
  topics: fc.array(fc.record({ pending: count(3), dead: count(2) }), { maxLength: 4 }),
  recorded: count(5),
  dead: fc.record({ outbox: count(4), inbox: count(4), settled: count(4) }),
  conflicts: fc.record({ today: count(5), older: count(3), ofConsole: count(3) }),
  plans: fc.record({ ready: count(3), waiting: count(30), running: count(2), done: count(3) }),
  answers: fc.array(
    fc.record({
      outcome: fc.constantFrom<AnswerOutcome>("executed", "replayed", "in_progress"),
      minutes: fc.integer({ min: 2, max: 300 }),
    }),
    { maxLength: 12 },
  ),
});

/** @param lease SQL of the open row: its `unknown_since` and its `locked_until` */
async function openOperations(many: number, state: string, lease: string): Promise<void> {
  await desk.rows(
    `with made as (
       insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version,
         api_version, state, body_day, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
       select $1, 'payments.create', gen_random_uuid()::text, gen_random_uuid(), 'till-web', '\\x00', 1, '1', $2, current_date, 1000, 'EUR',
         now() - interval '2 hours', now(), now() + interval '1 day', now() + interval '30 days' from generate_series(1, $3::int)
       returning operation_id, key)
     insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, opened_at, unknown_since, locked_until)
     select $1, operation_id, 'payments.create', key, 1, now() - interval '2 hours', ${lease} from made`,
    TENANT,
    state,
    many,
  );
}

async function write(rows: Rows): Promise<void> {
  await openOperations(rows.unknown, "UNKNOWN_REQUIRES_RECOVERY", "now() - interval '1 hour', null");
  await openOperations(rows.stale, "IN_PROGRESS", "null, now() - interval '1 minute'");
  await openOperations(rows.inProgress, "IN_PROGRESS", "null, now() + interval '1 hour'");
  for (const [topic, messages] of rows.topics.entries())
    for (const state of ["pending", "dead"] as const) await messagesOut(`t${String(topic)}`, state, messages[state]);
  await desk.rows(
    `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
     select $1, gen_random_uuid(), 'c' || n % 3, now() - interval '5 minutes', now() from generate_series(1, $2::int) n`,
    TENANT,
    rows.recorded,
  );
  await deadLetters("outbox", rows.dead.outbox, "null, null");
  await deadLetters("inbox", rows.dead.inbox, "null, null");
  await deadLetters("outbox", rows.dead.settled, "now(), 'closed'");
  const { today, older, ofConsole } = rows.conflicts;
  for (let n = 0; n < today; n += 1) await answered("conflict", 2 + n * 60);
  for (let n = 0; n < older; n += 1) await answered("conflict", 25 * 60);
  for (let n = 0; n < ofConsole; n += 1) await answered("conflict", 3, { operation: "admin.requeue" });
  const { ready, waiting, running, done } = rows.plans;
  for (const [state, many] of Object.entries({ ready, awaiting_approval: waiting, running, done }))
    await desk.rows(
      `insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_at, created_by)
       select $1, gen_random_uuid(), 'requeue_dead_letters', $2, '{}', 'a test', 0, now() - interval '1 minute', 'op-2' from generate_series(1, $3::int)`,
      TENANT,
      state,
      many,
    );
  for (const { outcome, minutes } of rows.answers) await answered(outcome, minutes);
}

async function messagesOut(topic: string, state: string, many: number): Promise<void> {
  await desk.rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, state, next_attempt_at)
     select $1, gen_random_uuid(), 'payment', gen_random_uuid()::text, $2, 'payment.succeeded', '{}', now() - interval '3 minutes', $3, now()
     from generate_series(1, $4::int)`,
    TENANT,
    topic,
    state,
    many,
  );
}

async function deadLetters(side: string, many: number, settled: string): Promise<void> {
  await desk.rows(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at, settled_at, settlement)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'p', 'payment.succeeded', 'f', 'http.500', 'it failed', 12, now(), ${settled}
     from generate_series(1, $3::int)`,
    TENANT,
    side,
    many,
  );
}

/** Every number that stands in more than one place, by what it counts: each place with what it says. */
async function readEverywhere(): Promise<Readonly<Record<string, readonly number[]>>> {
  const ctx = desk.context("admin");
  const { counts: rail } = await readLiveStatus(ctx, { page: "" });
  const overview = await readOverview(ctx, { range: "6h" });
  const metrics = await readMetrics(ctx, parseMetricFilters({ range: "6h" }).filters);
  const tabs = await readCounts(ctx);
  const queue = await listAttention(ctx, {});
  const outbox = await listOutbox(ctx, { filters: parseOutboxFilters({}).filters });
  const inbox = await listInbox(ctx, { filters: parseInboxFilters({}).filters });
  const topics = await listTopics(ctx, { fallback: "http" } as Parameters<typeof listTopics>[1]);
  const consumers = await listConsumers(ctx);
  const dead = await listDeadLetters(ctx, { filters: parseDeadLetterFilters({}).filters });
  const conflicts = await listConflicts(ctx, {});
  const plans = await listPlans(ctx, { filters: parsePlanFilters({}).filters });
  const approvals = await listApprovals(ctx);
  const waits = (name: string) => overview.waiting.find((row) => row.name === name)?.open ?? -1;
  const strip = (name: string) => overview.charts.strips.find((each) => each.name === name);
  const chart = (name: MeasureName) => metrics.charts.find((each) => each.name === name)?.series[0];
  const same = (...numbers: readonly (number | null | undefined)[]) => numbers.map((each) => each ?? -1);
  const answers = (["executed", "replayed", "in_progress", "conflict"] as const).flatMap((name) => [
    [`${name} in 6 hours`, same(strip(name)?.total, chart(name)?.total)] as const,
    [`${name} now`, same(strip(name)?.now, chart(name)?.now)] as const,
  ]);
  return {
    unknown: same(
      rail.unknown,
      queue.unknown,
      overview.doubt.count,
      waits("unknown"),
      tabs.UNKNOWN_REQUIRES_RECOVERY?.value,
    ),
    stale: same(rail.stale, queue.stale, waits("stale"), tabs.STALE?.value),
    attention: same(rail.attention, queue.unknown + queue.stale),
    "in progress": same(waits("in_progress"), tabs.IN_PROGRESS?.value),
    open: same((rail.attention ?? 0) + waits("in_progress"), chart("open")?.now),
    outbox: same(rail.outbox, outbox.pending, outbox.places?.open.waiting, topics.open.waiting, waits("outbox")),
    "outbox, dead": same(outbox.dead, topics.open.dead),
    inbox: same(rail.inbox, inbox.recorded, consumers.open.waiting, waits("inbox")),
    "inbox, dead": same(inbox.dead, consumers.open.dead),
    "dead letters": same(rail.deadLetters, dead.open, waits("dead_letters"), chart("dead_letters")?.now),
    conflicts: same(rail.conflicts, conflicts.total),
    plans: same(rail.plans, plans.open),
    approvals: same(rail.approvals, plans.approvals, approvals.count),
    ...Object.fromEntries(answers),
  };
}

describe("TRUTH-2 one read, one definition, one moment", () => {
  it("each number that stands in two places is the same in both, whatever rows there are", async () => {
    await fc.assert(
      fc.asyncProperty(ROWS, async (rows) => {
        await clear();
        await write(rows);
        await rolledUp();
        const numbers = await readEverywhere();
        for (const [what, places] of Object.entries(numbers))
          expect(new Set(places).size, `${what}: ${String(places)}`).toBe(1);
        expect(numbers).toMatchObject({
          unknown: expect.arrayContaining([rows.unknown]) as unknown,
          stale: expect.arrayContaining([rows.stale]) as unknown,
          outbox: expect.arrayContaining([rows.topics.reduce((sum, { pending }) => sum + pending, 0)]) as unknown,
          "dead letters": expect.arrayContaining([rows.dead.outbox + rows.dead.inbox]) as unknown,
          conflicts: expect.arrayContaining([rows.conflicts.today]) as unknown,
          approvals: expect.arrayContaining([rows.plans.waiting]) as unknown,
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("the outbox counts every topic, also beyond those that are listed", async () => {
    await desk.rows(
      `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, state, next_attempt_at)
       select $1, gen_random_uuid(), 'payment', n::text, 'webhook-' || n, 'payment.succeeded', '{}', now(), 'pending', now() from generate_series(1, 260) n`,
      TENANT,
    );
    const ctx = desk.context();
    const { pending, verdict, places } = await listOutbox(ctx, { filters: parseOutboxFilters({}).filters });
    expect([pending, (await readLiveStatus(ctx, {})).counts.outbox]).toEqual([260, 260]);
    expect(verdict.text).toContain("260 messages wait");
    expect(places?.rows).toHaveLength(200);
  });
});

describe("TRUTH-2 what is now", () => {
  it("is the last whole minute that was rolled up, on the overview, in metrics and of a topic, whatever a point stands for", async () => {
    // One minute for all of it, however long this takes.
    const minute = `${minutesAgo(2).slice(0, 16)}:00Z`;
    for (let n = 0; n < 12; n += 1) await answered("executed", 2, { at: minute });
    await rolledUp();
    // A minute has just begun: the one before it is not rolled up yet.
    await desk.rows("delete from onceboard.metric_buckets where bucket > $1", minute);
    await desk.rows(
      `insert into onceboard.metric_messages (tenant_id, bucket, side, place, succeeded, failed, dead)
       values ($1, $2, 'outbox', 'payments', 7, 0, 0) on conflict do nothing`,
      TENANT,
      minute,
    );
    await messagesOut("payments", "pending", 1);
    const ctx = desk.context();
    for (const range of ["1h", "6h", "24h"] as const) {
      const strip = (await readOverview(ctx, { range })).charts.strips.find(({ name }) => name === "executed");
      expect([range, strip?.now]).toEqual([range, 12]);
      const { charts } = await readMetrics(ctx, parseMetricFilters({ range }).filters);
      expect(charts.find(({ name }) => name === "executed")?.series[0]?.now).toBe(12);
      const topic = await readTopic(ctx, { fallback: "http" } as Parameters<typeof readTopic>[1], {
        topic: "payments",
        range,
      });
      expect(topic?.chart.strips.find(({ name }) => name === "succeeded")?.now).toBe(7);
    }
    // What was not rolled up is no zero.
    const strip = (await readOverview(ctx, { range: "1h" })).charts.strips.find(({ name }) => name === "executed");
    expect(strip?.values.at(-1)).toBeNull();
  });

  it("is not known where no minute was rolled up of late", async () => {
    await desk.rows(
      "insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) values ($1, date_trunc('minute', now()) - interval '1 hour', now())",
      TENANT,
    );
    const { charts } = await readOverview(desk.context(), { range: "6h" });
    expect(charts.strips.find(({ name }) => name === "executed")?.now).toBeNull();
  });
});

describe("TRUTH-2 the checklist", () => {
  it("calls a sample a sample, with its size and its beginning, and beside it says what metrics count", async () => {
    await desk.rows(
      `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, client, status, request_id)
       select $1, (t at time zone 'utc')::date,
         (lpad(to_hex(floor(extract(epoch from t) * 1000)::bigint), 12, '0') || '7000' || lpad(to_hex(32768 + n), 4, '0') || lpad(to_hex(n), 12, '0'))::uuid,
         gen_random_uuid(), 'payments.create', t, 'conflict', 'conflict', 'till-web', 409, 'r'
       from (select n, now() - interval '2 hours' + n * interval '1 second' as t from generate_series(1, 6000) n) s`,
      TENANT,
    );
    await rolledUp();
    const ctx = desk.context("viewer");
    const served = { routes: [], profiles: [], document: [], metrics: [], traces: false };
    const { rows } = await lookNow(ctx, { owners: [], deployment: served });
    const told = rows.find(({ id }) => id === "payload-hash")?.checks.map(({ text }) => text) ?? [];
    const { charts } = await readMetrics(ctx, parseMetricFilters({ range: "24h" }).filters);
    expect(charts.find(({ name }) => name === "conflict")?.series[0]?.total).toBe(6_000);
    expect(told[1]).toMatch(
      /^5,000 conflicts among the newest 5,000 answers, given since \d+ \w+ \d{4}, \d\d:\d\d UTC, each refused with 409 or 422\.$/,
    );
    expect(told[2]).toBe("6,000 conflicts in the last 24 h in all.");
  });
});

describe("CHART-3 a point of replays", () => {
  it("opens exactly the operations that were replayed in its time, whenever they were created", async () => {
    const { operationId } = await desk.make.completed();
    const other = await desk.make.completed();
    await desk.rows(
      "update onceboard.idempotency_requests set created_at = now() - interval '3 days' where operation_id = $1",
      operationId,
    );
    await answered("replayed", 10, { operationId, status: 201 });
    await answered("replayed", 90, { operationId: other.operationId, status: 201 });
    const listed = async (search: Readonly<Record<string, string>>) => {
      const list = await listOperations(desk.context("viewer"), { filters: parseOperationFilters(search).filters });
      return list.kind === "page" ? list.rows.map((row) => row.operationId) : list;
    };
    const window = { from: minutesAgo(11), to: minutesAgo(9) };
    expect(await listed({ answered: "replayed", ...window })).toEqual([operationId]);
    expect(await listed({ answered: "conflict", ...window })).toEqual([]);
    expect(await listed({ answered: "replayed", range: "6h" })).toHaveLength(2);
    expect(await listed({ answered: "replayed", range: "1h", client: "nobody" })).toEqual([]);
    expect(await listed({ ...window })).toEqual([]);
  });
});

describe("UI-1 a page is read again", () => {
  const markOf = async (page: string) => (await readLiveStatus(desk.context(), { page })).mark;
  it("only for what it shows: plans and invariants not for an operation", async () => {
    const pages = ["plans", "invariants", "overview"];
    const before = await Promise.all(pages.map(markOf));
    await desk.make.completed();
    await openOperations(1, "UNKNOWN_REQUIRES_RECOVERY", "now(), null");
    const after = await Promise.all(pages.map(markOf));
    expect(pages.filter((_, index) => before[index] !== after[index])).toEqual(["overview"]);
  });
  it("and for all of it: a plan that waits, and one that runs at each poll", async () => {
    const plan = (state: string) =>
      desk.rows(
        `insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_by) values ($1, gen_random_uuid(), 'requeue_dead_letters', $2, '{}', 'a test', 0, 'op-2')`,
        TENANT,
        state,
      );
    const none = await markOf("plans");
    await plan("awaiting_approval");
    const waiting = await markOf("plans");
    expect(waiting).not.toBe(none);
    expect(await markOf("plans")).toBe(waiting);
    await plan("running");
    expect(await markOf("plans")).not.toBe(await markOf("plans"));
  });
});
