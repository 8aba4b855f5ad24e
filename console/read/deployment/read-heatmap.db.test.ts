import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import { listOperations } from "@/console/read/operations/list-operations";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";
import { NO_CLIENT_NAME } from "@/domain/lists/filters";
import { BIN_LIMITS_MS } from "@/domain/metrics/bins";
import { HEAT_MEASURES, type HeatMeasure } from "@/domain/metrics/heatmap";
import { parseHeatmapFilters, parseOperationFilters } from "@/presentation/filters/parsers";
import { distributionWords } from "@/presentation/metrics/distribution";
import { findWords, heatmapWords } from "@/presentation/metrics/heatmap-verdict";
import { isFarMore } from "@/presentation/metrics/heatmap";
import type { HeatmapView } from "@/presentation/views/heatmap";
import { rolledEvent, emptyRollUps } from "@/console/testing/roll-up-world";
import { readHeatmap } from "./read-heatmap";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CELL = 15 * MINUTE;
const WEEK = 7 * 24 * HOUR;
const VIEWER = { kind: "operator", id: "op-1", name: "Vic", role: "viewer" } as const;
let env: EngineTestEnvironment;
/** Start of the cell that is filling. */
let cell: number;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  cell = Math.floor(Date.now() / CELL) * CELL;
  await emptyRollUps(env);
});

const event = (at: number, operationId: string, over: Partial<EventInsert> = {}): EventInsert =>
  rolledEvent(at, { operationId, latencyMs: 60, ...over });
const add = (events: readonly EventInsert[]) => recordEvents(env.db.pool, events);
const rollUp = (from: number, to: number) =>
  env.rows("select onceboard.roll_up($1, $2, $3, 150)", TENANT, new Date(from), new Date(to));
/** Everything that is over, today and on the same day of last week. */
async function rollUpAll(hours = 6): Promise<void> {
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  const first = Math.floor((now - hours * HOUR) / HOUR) * HOUR;
  for (const back of [WEEK, 0])
    for (let from = first - back; from < now - back; from += HOUR)
      await rollUp(from, Math.min(from + HOUR, now - back));
}
const read = async (search: Record<string, string> = {}): Promise<HeatmapView> =>
  readHeatmap(env.context({ actor: VIEWER }), parseHeatmapFilters(search).filters);

/** Answers of keys at a time: `replays` over so many operations, some conflicts of their own and of others, some too fast. */
async function traffic(at: number, client: string, replays: number, conflicts = 0): Promise<void> {
  const keys = await Promise.all(Array.from({ length: Math.max(1, Math.ceil(replays / 4)) }, () => env.operation()));
  const key = (index: number): string => keys[index % keys.length] ?? "";
  const replay = { outcome: "replayed", type: "replayed", client } as const;
  const conflict = { outcome: "conflict", type: "conflict", client, detail: { differingFields: ["amount"] } } as const;
  await add([
    ...keys.map((id, index) => event(at + index * 50, id, { client, latencyMs: 20 * (index + 1) })),
    ...Array.from({ length: replays }, (_, index) => event(at + 5_000 + index * 45, key(index), replay)),
    ...Array.from({ length: conflicts }, (_, index) => event(at + 90_000 + index * 500, key(index), conflict)),
    ...(conflicts === 0 ? [] : [event(at + 91_000, key(0), { ...conflict, client: "partner & co" })]),
    event(at + 7_000, key(0), { ...replay, operation: "admin.outbox.requeue" }),
  ]);
}
/** Five hours of three clients, with a burst, beside a calm last week. */
async function afternoon(): Promise<void> {
  for (let slot = 2; slot < 22; slot += 3) {
    const at = cell - slot * CELL + MINUTE;
    await traffic(at - WEEK, "till", 8, 1);
    await traffic(at, "till", slot === 5 ? 60 : 9, 2);
    await traffic(at, "web", 3);
    // Requests that named no client, on keys of their own and on one of another client.
    const [own, shared] = await Promise.all([env.operation(), env.operation()]);
    const nameless = { client: undefined, outcome: "replayed", type: "replayed" } as const;
    await add([
      event(at, own, { client: undefined }),
      event(at, shared, { client: "web" }),
      ...[2_000, 2_040, 2_070].map((after) => event(at + after, own, nameless)),
      event(at + 3_000, shared, nameless),
      event(at + 3_010, own, { ...nameless, client: "", outcome: "conflict", type: "conflict" }),
    ]);
  }
  // Of one key only, and its operation was purged since.
  const gone = uuidv7();
  await add([event(cell - CELL, gone), event(cell - CELL + 40, gone, { outcome: "replayed", type: "replayed" })]);
}

/** The answers that a cell counts, event by event against all others of its key: which operations, and how many answers. */
async function oracle(measure: HeatMeasure, client: string | null, from: string, to: string) {
  const such =
    measure === "reused"
      ? `e.outcome <> 'executed' and exists (select 1 from onceboard.idempotency_events b where b.operation_id = e.operation_id
           and coalesce(b.client, '') = coalesce(e.client, '') and b.operation not like 'admin.%' and b.at < e.at and e.at - b.at < interval '100 milliseconds')`
      : `e.outcome = '${measure}'`;
  const [row] = await env.rows<{ answers: number; ids: string[] | null; keys: number }>(
    `select count(*)::int as answers, count(distinct e.operation_id)::int as keys,
       array_agg(distinct e.operation_id::text) filter (where exists (select 1 from onceboard.idempotency_requests r where r.operation_id = e.operation_id)) as ids
     from onceboard.idempotency_events e where e.tenant_id = $1 and ($2::text is null or coalesce(e.client, '') = $2) and e.at >= $3 and e.at < $4
       and e.operation not like 'admin.%' and ${such}`,
    TENANT,
    client,
    from,
    to,
  );
  return { answers: row?.answers ?? 0, ids: [...(row?.ids ?? [])].sort() };
}

async function everyRow(href: string): Promise<string[]> {
  const search = Object.fromEntries(new URL(href, "http://console").searchParams);
  const parsed = parseOperationFilters(search);
  expect(parsed.problems).toEqual([]);
  const ids: string[] = [];
  for (let cursor: string | undefined, pages = 0; pages < 20; pages += 1) {
    const page = await listOperations(env.context({ actor: VIEWER }), { filters: parsed.filters, cursor });
    if (page.kind !== "page") throw new Error("too broad");
    ids.push(...page.rows.map(({ operationId }) => operationId));
    if (page.next === undefined) break;
    cursor = page.next;
  }
  return ids.sort();
}

describe("HEAT-1 every cell is what the events say", () => {
  it.each(HEAT_MEASURES)("%s of each client and of all, now and last week", async (measure) => {
    await afternoon();
    await rollUpAll();
    const view = await read({ show: measure });
    expect(view.rows.length).toBeGreaterThan(1);
    let compared = 0;
    for (const row of [view.all, ...view.rows])
      for (const [slot, { count, compared: before }] of row.cells.entries()) {
        const { from, to } = view.columns[slot] ?? { from: "", to: "" };
        if (count === null) continue;
        const client = row === view.all ? null : row.client;
        expect(count, `${row.client} ${from}`).toBe((await oracle(measure, client, from, to)).answers);
        if (before === undefined) continue;
        const [then, end] = [from, to].map((at) => new Date(Date.parse(at) - WEEK).toISOString());
        expect(before, `${row.client} ${from}`).toBe((await oracle(measure, client, then ?? "", end ?? "")).answers);
        compared += before;
      }
    expect(compared).toBeGreaterThan(0);
    expect(view.all.total).toBe(view.all.cells.reduce((sum, { count }) => sum + (count ?? 0), 0));
  });

  it("whole days come from hours, and say the same", async () => {
    await afternoon();
    await rollUpAll(25);
    for (const range of ["24h", "7d"]) {
      for (const show of HEAT_MEASURES) {
        const view = await read({ show, range, compare: "nothing" });
        for (const row of view.rows)
          for (const [slot, { count }] of row.cells.entries()) {
            const { from, to } = view.columns[slot] ?? { from: "", to: "" };
            if (count !== null) expect(count).toBe((await oracle(show, row.client, from, to)).answers);
          }
        expect(view.rows.length).toBeGreaterThan(0);
        const minutes = await env.rows<{ bin: number; count: number }>(
          "select bin, sum(count)::int as count from onceboard.metric_bins where unit = 'minute' and measure = 'first_answer' and bucket >= $1 group by 1",
          view.distributions[0]?.window.from,
        );
        const totals = view.distributions[0]?.totals ?? [];
        for (const [bin, count] of totals.entries())
          expect(count).toBe(minutes.find((each) => each.bin === bin)?.count ?? 0);
        expect(minutes.length).toBeGreaterThan(1);
      }
    }
  });
});

describe("HEAT-2 a cell opens exactly its operations", () => {
  it.each(HEAT_MEASURES)("%s: the list, the side and the events agree on every cell", async (measure) => {
    await afternoon();
    await rollUpAll();
    const view = await read({ show: measure });
    let opened = 0;
    expect(view.rows.map(({ client }) => client)).toContain("");
    for (const { client, cells } of view.rows)
      for (const [slot, { count }] of cells.entries()) {
        if (count === null || count === 0) continue;
        const from = view.columns[slot]?.from ?? "";
        const { selected } = await read({ show: measure, client: client === "" ? NO_CLIENT_NAME : client, cell: from });
        expect(selected?.client).toBe(client);
        const expected = await oracle(measure, client, from, selected?.to ?? "");
        expect(selected?.counted).toBe(expected.answers);
        expect(selected?.found?.answers).toBe(expected.answers);
        expect(selected?.found?.operations).toBe(expected.ids.length);
        expect(await everyRow(selected?.href ?? "")).toEqual(expected.ids);
        const top = selected?.found?.top ?? [];
        expect(top.every(({ count: one }, index) => one <= (top[index - 1]?.count ?? Infinity))).toBe(true);
        opened += 1;
      }
    expect(opened).toBeGreaterThan(6);
  });

  it("answers and operations differ, and what was purged is said", async () => {
    await afternoon();
    await rollUpAll();
    const from = new Date(cell - CELL).toISOString();
    const { selected } = await read({ client: "till", cell: from });
    expect(selected?.found).toMatchObject({ answers: 1, operations: 0, purged: 1, top: [] });
    const burst = await read({ client: "till", cell: new Date(cell - 5 * CELL).toISOString() });
    expect(burst.selected?.found).toMatchObject({ answers: 60, operations: 15, purged: 0 });
    expect(burst.selected?.found?.top.map(({ count }) => count)).toEqual([4, 4, 4, 4, 4]);
  });
});

describe("HEAT-3 the headline", () => {
  it("says what the rows say: how many, the change, and where most of it came", async () => {
    await afternoon();
    await rollUpAll();
    const { facts, columns, rows } = await read();
    const last = columns.at(-1);
    const until = columns.findLast(({ from, to }) => to > from)?.to ?? last?.to ?? "";
    const start = columns[0]?.from ?? "";
    const now = await oracle("replayed", null, start, until);
    const week = (at: string) => new Date(Date.parse(at) - WEEK).toISOString();
    const before = await oracle("replayed", null, week(start), week(until));
    const burst = new Date(cell - 5 * CELL);
    const percent = Math.round(((now.answers - before.answers) / before.answers) * 100);
    const more = 67 - 8;
    expect(heatmapWords(facts).headline).toEqual([
      `${String(now.answers)} replays in six hours, ${String(percent)} % more than last week.`,
      `${String(more)} of the ${String(now.answers - before.answers)} more came at ${burst.toISOString().slice(11, 16)} UTC.`,
    ]);
    expect(heatmapWords(facts).lede).toContain("Most from till: ");
    const slot = columns.findIndex(({ from }) => from === burst.toISOString());
    expect(rows[0]?.cells.flatMap((each, index) => (isFarMore(each) ? [index] : []))).toEqual([slot]);
  });

  it("nothing is compared with a week that was not rolled up, and says so", async () => {
    await afternoon();
    const now = Math.floor(Date.now() / MINUTE) * MINUTE;
    for (let from = cell - 24 * CELL; from < now; from += HOUR) await rollUp(from, Math.min(from + HOUR, now));
    const view = await read();
    const words = heatmapWords(view.facts);
    expect(words.headline).toEqual([expect.stringMatching(/^\d+ replays in six hours\.$/)]);
    expect(words.lede).toContain("No data to compare with for last week.");
    expect(view.all.compared).toBeUndefined();
  });

  it("what was not rolled up is a gap and not none", async () => {
    await afternoon();
    await rollUpAll();
    await env.rows(
      "delete from onceboard.metric_buckets where bucket >= $1 and bucket < $2",
      new Date(cell - 6 * CELL),
      new Date(cell - 4 * CELL),
    );
    const view = await read();
    const slot = view.columns.findIndex(({ from }) => from === new Date(cell - 5 * CELL).toISOString());
    expect(view.rows[0]?.cells[slot]?.count).toBeNull();
    // The last cell has not begun to count in its first minute.
    expect(view.facts.columns - view.facts.whole).toBe(2);
    expect(heatmapWords(view.facts).headline[1]).toBe(
      `No data, or not all of it, for 2 of ${String(view.facts.columns)} cells.`,
    );
  });

  it("an hour of nothing, and no data at all, are two things", async () => {
    expect(heatmapWords((await read()).facts).headline).toEqual(["No data for these six hours."]);
    await rollUpAll();
    expect(heatmapWords((await read()).facts).headline).toEqual(["No replay in six hours."]);
  });

  it("has eight clients on a page and the rest on further ones", async () => {
    for (let index = 0; index < 11; index += 1) await traffic(cell - 3 * CELL, `c${String(index)}`, index + 2);
    await rollUpAll();
    const first = await read();
    expect([first.rows.length, first.clients, first.pages]).toEqual([8, 11, 2]);
    const second = await read({ page: "2" });
    expect(second.rows.map(({ client }) => client)).toEqual(["c2", "c1", "c0"]);
    expect(second.all.total).toBe(first.all.total);
    expect(second.facts.first).toBeUndefined();
  });

  it("finds clients by a part of their name, on whatever page they are, and counts all of them all the same", async () => {
    const names = [...Array.from({ length: 10 }, (_, index) => `shop-${String(index)}`), "Till_1", "till%2", ""];
    for (const [index, client] of names.entries()) await traffic(cell - 3 * CELL, client, index + 2);
    await rollUpAll();
    const all = await read({ compare: "nothing" });
    const found = async (find: string, page = "1") => {
      const view = await read({ find, page, compare: "nothing" });
      expect([view.clients, view.all.total, view.facts.total]).toEqual([13, all.all.total, all.all.total]);
      const totals = await Promise.all(
        view.rows.map(async ({ client, total }) => {
          const last = view.columns.at(-1)?.to ?? "";
          return total === (await oracle("replayed", client, view.columns[0]?.from ?? "", last)).answers;
        }),
      );
      expect(totals.every(Boolean)).toBe(true);
      return { rows: view.rows.map(({ client }) => client), words: findWords(view), pages: view.pages };
    };
    expect(await found("TILL")).toEqual({
      rows: ["till%2", "Till_1"],
      words: "2 of 13 clients have “TILL” in the name.",
      pages: 1,
    });
    expect((await found("%")).rows).toEqual(["till%2"]);
    expect((await found("(NONE)")).rows).toEqual([""]);
    expect(await found("shop", "2")).toEqual({
      rows: ["shop-1", "shop-0"],
      words: "10 of 13 clients have “shop” in the name.",
      pages: 2,
    });
    expect(await found("nobody")).toEqual({
      rows: [],
      words: "None of 13 clients has “nobody” in its name.",
      pages: 1,
    });
  });
});

describe("DIST-2 how long first answers took, and how soon retries came", () => {
  it("adds up to the events, names limits that hold of them, and shows minutes without bins as a gap", async () => {
    await afternoon();
    const lost = uuidv7();
    await add([
      event(cell - 3 * CELL, lost, {
        outcome: "unknown",
        type: "unknown",
        code: "dependency.timeout",
        latencyMs: 10_002,
      }),
    ]);
    await rollUpAll();
    const view = await read();
    const [first, retries] = view.distributions;
    if (first === undefined || retries === undefined) throw new Error("two distributions");
    const latencies = await env.rows<{ ms: number }>(
      "select latency_ms as ms from onceboard.idempotency_events where outcome = 'executed' and at >= $1 and at < $2 order by 1",
      first.window.from,
      view.columns.findLast(({ to, from }) => to > from)?.to,
    );
    const under = (limit: number) => latencies.filter(({ ms }) => ms < limit).length;
    const total = first.totals.slice(0, 9).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(latencies.length);
    expect(first.totals.slice(0, 3).reduce((sum, count) => sum + count, 0)).toBe(under(100));
    const least = (share: number) => BIN_LIMITS_MS.first_answer.find((limit) => under(limit) >= total * share) ?? 0;
    expect(distributionWords(first)).toContain(
      `At least half of first answers took less than ${String(least(0.5))} ms, at least 95 % less than ${String(least(0.95))} ms.`,
    );
    expect(first.totals[9]).toBe(1);
    expect(distributionWords(first)).toContain("1 request had no answer, at ");
    expect(distributionWords(retries)).toContain("requests reused a key too fast");
    await env.rows(
      "update onceboard.metric_buckets set binned = false where bucket >= $1 and bucket < $2",
      new Date(cell - 9 * CELL),
      new Date(cell - 6 * CELL),
    );
    const later = (await read()).distributions[0];
    expect(later?.unmeasured).toBe(9);
    expect(distributionWords(later ?? first)).toContain("No data for 9 of 72 columns.");
    await env.rows("update onceboard.metric_buckets set binned = false");
    expect(distributionWords((await read()).distributions[0] ?? first)).toContain(
      "No minute of this time has a distribution yet.",
    );
  });
});
