import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import { measure, rollUp } from "@/console/metrics/roll-up";
import { NUMBER_PAGES, type NumberPages } from "@/console/testing/number-pages";
import {
  type GivenAnswer,
  betweenStatements,
  FEW,
  messagesOut,
  minutesAgo,
  NUMBER_WORLDS,
  openOperations,
  recordAnswer,
  writeNumberWorld,
} from "@/console/testing/number-world";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import type { Said } from "@/console/testing/said";
import { SHARED_NUMBERS } from "@/console/testing/shared-numbers";
import { parseMetricFilters, parseOperationFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import { listOutbox } from "../messages/list-messages";
import { readTopic } from "../messages/read-topic";
import { listOperations } from "../operations/list-operations";
import { lookNow } from "./read-checklist";
import { readCounts } from "./read-counts";
import { readLiveStatus } from "./read-live-status";
import { readMetrics } from "./read-metrics";
import { readOverview } from "./read-overview";

const TENANT = "acme";
/** Pages that say a number more than once. */
const ONE_READ = [
  ...([
    "overview",
    "attention",
    "operations, unknown",
    "operations, stale",
    "operations, in progress",
    "outbox",
    "inbox",
    "topics",
    "consumers",
    "flow",
    "dead letters",
    "conflicts",
    "plans",
  ] as const),
  "approvals",
] as const;
/** More plans wait than a page says everything of. */
const MANY_PLANS = { ...FEW, plans: { ...FEW.plans, waiting: 8 } };
/** Each run writes and reads a tenant's whole console. */
const RUNS = 6;
const DAY_MS = 86_400_000;
/** Of the tests that read every page, ms: a machine that does other work needs longer. */
const TIMEOUT_MS = 180_000;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  // Of more than a day ago, which is the day before yesterday in the first hours of a day.
  await desk.rows(`create table onceboard.idempotency_events_past partition of onceboard.idempotency_events
    for values from ('2000-01-01') to ('${new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)}')`);
});
afterAll(() => desk.close());
beforeEach(() => clear());

async function clear(): Promise<void> {
  await desk.rows(
    `truncate onceboard.idempotency_requests, onceboard.idempotency_open, onceboard.idempotency_events, onceboard.outbox_messages,
       onceboard.inbox_messages, onceboard.inbox_open, onceboard.dead_letters, onceboard.plans, onceboard.plan_items, onceboard.webhook_endpoints,
       onceboard.invariant_checks, onceboard.metric_minutes, onceboard.metric_hours, onceboard.metric_buckets, onceboard.metric_gauges,
       onceboard.metric_clients, onceboard.metric_client_days, onceboard.metric_suppressed`,
  );
}

const answered = (outcome: AnswerOutcome, minutes: number, more: Partial<GivenAnswer> = {}): Promise<void> =>
  recordAnswer(desk, TENANT, { outcome, at: minutesAgo(minutes), ...more });

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

/** What every number of a page counts, once more. */
async function oneMoreOfEach(): Promise<void> {
  await openOperations(desk, TENANT, { many: 1, state: "UNKNOWN_REQUIRES_RECOVERY", open: "now(), null" });
  await openOperations(desk, TENANT, { many: 1, state: "IN_PROGRESS", open: "null, now() - interval '1 minute'" });
  await openOperations(desk, TENANT, { many: 1, state: "IN_PROGRESS", open: "null, now() + interval '1 hour'" });
  for (const state of ["pending", "dead"] as const) await messagesOut(desk, TENANT, { topic: "t1", state, many: 1 });
  await answered("conflict", 3);
}

/** What each page says, of each number and thing, beside what the rows say: "unknown operations: overview 2". */
async function wrongNumbers(planted: Partial<NumberPages> = {}): Promise<readonly string[]> {
  const ctx = desk.context("admin");
  const views = new Map<string, unknown>();
  for (const [page, read] of Object.entries(NUMBER_PAGES)) views.set(page, await read(ctx));
  for (const [page, view] of Object.entries(planted)) views.set(page, view);
  const wrong: string[] = [];
  for (const { name, oracle, pages } of SHARED_NUMBERS) {
    const rows = await desk.rows<{ what: string; value: number }>(oracle, TENANT);
    const right = new Map(rows.map(({ what, value }) => [what, value]));
    for (const [page, says] of Object.entries(pages) as [string, (view: unknown) => Said][])
      for (const [what, value] of says(views.get(page)))
        if (value !== (right.get(what) ?? 0))
          wrong.push(`${name}${what && ` of ${what}`}: ${page} ${String(value)}, not ${String(right.get(what) ?? 0)}`);
  }
  return wrong;
}

describe("TRUTH-2 one read, one definition, one moment", () => {
  it("each number that stands on two pages is what the rows say on each of them", { timeout: TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(NUMBER_WORLDS, async (world) => {
        await clear();
        await writeNumberWorld(desk, TENANT, world);
        await rolledUp();
        expect(await wrongNumbers()).toEqual([]);
      }),
      { numRuns: RUNS, examples: [[MANY_PLANS]] },
    );
  });

  it("finds a page that counts in its own way", { timeout: TIMEOUT_MS }, async () => {
    await openOperations(desk, TENANT, { many: 2, state: "UNKNOWN_REQUIRES_RECOVERY", open: "now(), null" });
    const ctx = desk.context("admin");
    const tabs = await readCounts(ctx);
    const one = { value: 1, kind: "exact", ageMs: 0 } as const;
    expect(await wrongNumbers({ "tabs of operations": { ...tabs, UNKNOWN_REQUIRES_RECOVERY: one } })).toEqual([
      "unknown operations: tabs of operations 1, not 2",
    ]);
  });

  it("names one read of each, and two pages at least", () => {
    for (const { name, read, pages } of SHARED_NUMBERS) {
      const [file = "", verb = ""] = read.split(" ");
      expect(readFileSync(file, "utf8"), name).toMatch(new RegExp(`export (?:async )?function ${verb}\\b`));
      expect(Object.keys(pages).length, name).toBeGreaterThan(1);
    }
    const shown = new Set(SHARED_NUMBERS.flatMap(({ pages }) => Object.keys(pages)));
    expect(Object.keys(NUMBER_PAGES).filter((page) => !shown.has(page))).toEqual([]);
  });

  it(
    "a page is of one moment: what comes between two of its statements changes nothing of what it says",
    { timeout: TIMEOUT_MS },
    async () => {
      const ctx = desk.context("admin");
      for (const page of ONE_READ) {
        await clear();
        await writeNumberWorld(desk, TENANT, FEW);
        const read = NUMBER_PAGES[page];
        const view: unknown = await read(betweenStatements(ctx, () => oneMoreOfEach()));
        for (const { name, pages: where } of SHARED_NUMBERS) {
          const says = (where as Readonly<Record<string, ((view: unknown) => Said) | undefined>>)[page]?.(view) ?? [];
          const values = new Map<string, Set<unknown>>();
          for (const [what, value] of says) values.set(what, (values.get(what) ?? new Set()).add(value));
          for (const [what, of] of values) expect([...of], `${page}: ${name} ${what}`).toHaveLength(1);
        }
      }
    },
  );

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
    // Each has a page of its own, with what waits in it.
    for (const name of ["webhook-1", "webhook-99"]) {
      const topic = await readTopic(ctx, { fallback: "http", offered: [] }, { topic: name });
      expect([name, topic?.row.waiting, topic?.waiting.length]).toEqual([name, 1, 1]);
      expect(topic?.verdict.text).not.toContain("Nothing waits");
    }
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
    await messagesOut(desk, TENANT, { topic: "payments", state: "pending", many: 1 });
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

  it("does not say of the last 24 h what a sample of the newest answers does not have", async () => {
    const once = await desk.make.completed({ replays: 2 });
    await desk.rows(
      `update onceboard.idempotency_events set at = at - interval '3 hours', day = ((at - interval '3 hours') at time zone 'utc')::date,
         id = (lpad(to_hex(floor(extract(epoch from at - interval '3 hours') * 1000)::bigint), 12, '0') || substr(replace(id::text, '-', ''), 13))::uuid
       where operation_id = $1`,
      once.operationId,
    );
    await desk.rows(
      `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, client, status, request_id, attempt)
       select $1, (t at time zone 'utc')::date,
         (lpad(to_hex(floor(extract(epoch from t) * 1000)::bigint), 12, '0') || '7000' || lpad(to_hex(32768 + n), 4, '0') || lpad(to_hex(n), 12, '0'))::uuid,
         gen_random_uuid(), 'payments.create', t, 'executed', 'executed', 'till-web', 201, 'r', 1
       from (select n, now() - interval '90 minutes' + n * interval '1 second' as t from generate_series(1, 5000) n) s`,
      TENANT,
    );
    await rolledUp();
    const served = { routes: [], profiles: [], document: [], metrics: [], traces: false };
    const { rows } = await lookNow(desk.context("viewer"), { owners: [], deployment: served });
    const said = (id: string) => rows.find((row) => row.id === id)?.checks.map(({ text }) => text) ?? [];
    const newest = "the newest 5,000 answers, given since \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d UTC";
    expect(said("same-answer").slice(0, 2)).toEqual([
      expect.stringMatching(new RegExp(`^No replay among ${newest} to compare\\.$`)),
      "2 replays in the last 24 h in all.",
    ]);
    expect(said("retries")).toEqual([expect.stringMatching(new RegExp(`^No client retried among ${newest}\\.$`))]);
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
    await openOperations(desk, TENANT, { many: 1, state: "UNKNOWN_REQUIRES_RECOVERY", open: "now(), null" });
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
