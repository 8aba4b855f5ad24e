import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listOperations } from "@/console/read/operations/list-operations";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { rollUpRange } from "@/db/metrics/roll-up";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import { parseMetricFilters, parseOperationFilters } from "@/presentation/filters/parsers";
import { formatCount } from "@/presentation/format/display-time";
import { searchInput } from "@/presentation/list/saved-view";
import { groupOfLine, listHref } from "@/presentation/metrics/measure-links";
import { readMetrics } from "./read-metrics";
import { readOverview } from "./read-overview";

const TENANT = "acme";
const MINUTE = 60_000;
const MINUTES = 10;
/** Each run writes operations with their events and rolls them up. */
const RUNS = 20;
const UNKNOWN = "UNKNOWN_REQUIRES_RECOVERY";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
const clear = () =>
  desk.rows(
    `truncate onceboard.idempotency_requests, onceboard.idempotency_open, onceboard.idempotency_events, onceboard.metric_minutes,
       onceboard.metric_buckets, onceboard.metric_gauges, onceboard.settled_doubts`,
  );
beforeEach(clear);

/** A whole minute, so long ago that it is closed. */
const START = Math.floor(Date.now() / MINUTE) * MINUTE - 40 * MINUTE;
const iso = (ms: number): string => new Date(ms).toISOString();
const WINDOW = { from: iso(START), to: iso(START + MINUTES * MINUTE) };

/** What happened to an operation in the window, as the engine records it. */
const HAPPENINGS = {
  "answered unknown": { type: "unknown", outcome: "unknown", code: "dependency.timeout", client: "till-web" },
  "answered unknown again": { type: "unknown", outcome: "unknown", code: "idempotency.unknown", client: "till-web" },
  "found unknown by recovery": {
    type: "reconciled",
    actor: "system:recovery",
    detail: { from: "IN_PROGRESS", to: UNKNOWN },
  },
  "looked up in vain": { type: "reconciled", actor: "system:recovery", detail: { from: UNKNOWN, to: UNKNOWN } },
  settled: { type: "reconciled", actor: "system:recovery", detail: { from: UNKNOWN, to: "COMPLETED" } },
  executed: { type: "executed", outcome: "executed", client: "till-web" },
} as const satisfies Readonly<Record<string, Partial<EventInsert>>>;
type Happening = keyof typeof HAPPENINGS;

interface Made {
  readonly operation: "payments.create" | "refunds.create" | "admin.plans.create";
  readonly state: "COMPLETED" | typeof UNKNOWN;
  /** Each in a second of the window, or after it. */
  readonly events: readonly { readonly what: Happening; readonly second: number }[];
}
const made: fc.Arbitrary<Made> = fc.record({
  operation: fc.constantFrom("payments.create", "payments.create", "refunds.create", "admin.plans.create"),
  state: fc.constantFrom("COMPLETED", UNKNOWN),
  events: fc.array(
    fc.record({
      what: fc.constantFrom(...(Object.keys(HAPPENINGS) as Happening[])),
      second: fc.integer({ min: -120, max: MINUTES * 60 + 120 }),
    }),
    { maxLength: 5 },
  ),
});

async function write(all: readonly Made[]): Promise<void> {
  for (const { operation, state, events } of all) {
    const operationId = uuidv7();
    await desk.rows(
      `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version,
         api_version, state, body_day, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
       values ($1, $2, $3::text, $3::uuid, 'till', '\\x00', 1, '1', $4, current_date, 500, 'EUR', $5, now(), now(), now())`,
      ...[TENANT, operation, operationId, state, iso(START - 600_000)],
    );
    await recordEvents(
      desk.context().db.pool,
      events.map(({ what, second }) => ({
        tenantId: TENANT,
        id: uuidv7(),
        operationId,
        operation,
        at: iso(START + second * 1_000),
        ...HAPPENINGS[what],
      })),
    );
  }
  const span = { from: new Date(START - 3 * MINUTE), to: new Date(START + (MINUTES + 3) * MINUTE) };
  await rollUpRange(desk.context().db.pool, { tenantId: TENANT, ...span, settleSeconds: 0 });
  // A week of the same minutes in which nothing happened: anything is away from that.
  await desk.rows(
    `insert into onceboard.metric_buckets (tenant_id, bucket, computed_at)
     select $1, $2::timestamptz - make_interval(hours => 24 * d) + make_interval(mins => m), now()
     from generate_series(1, 9) d, generate_series(0, $3::int - 1) m`,
    ...[TENANT, WINDOW.from, MINUTES],
  );
}

/** The same from the events, by what each is. */
async function oracle(such = ""): Promise<{ times: number; ids: string[] }> {
  const rows = await desk.rows<{ id: string }>(
    `select e.operation_id as id from onceboard.idempotency_events e
     where e.tenant_id = $1 and e.at >= $2 and e.at < $3 and split_part(e.operation, '.', 1) <> 'admin' and case e.type
       when 'unknown' then e.code = 'dependency.timeout'
       when 'reconciled' then e.detail @> '{"from": "IN_PROGRESS", "to": "UNKNOWN_REQUIRES_RECOVERY"}' else false end ${such}`,
    ...[TENANT, WINDOW.from, WINDOW.to],
  );
  return { times: rows.length, ids: [...new Set(rows.map(({ id }) => id))].sort() };
}

/** What the address of a number opens. */
async function opened(href: string): Promise<string[]> {
  const [path, query = ""] = href.split("?");
  expect(path).toBe("/operations");
  const { filters, problems } = parseOperationFilters(searchInput(query));
  expect(problems).toEqual([]);
  const list = await listOperations(desk.context(), { filters });
  if (list.kind !== "page") throw new Error("too broad");
  return list.rows.map(({ operationId }) => operationId).sort();
}

const row = async () =>
  (await readOverview(desk.context(), { risk: "2h", ...WINDOW })).risk.changes.rows.find(
    ({ name }) => name === "unknown",
  );

/** Five that recovery alone found: far from a usual of none. */
const found = (count = 5): Made[] =>
  Array.from({ length: count }, (_, n) => ({
    operation: "payments.create" as const,
    state: "COMPLETED" as const,
    events: [{ what: "found unknown by recovery" as const, second: 60 + n }],
  }));

describe("RISK-7 a number of what became unknown opens exactly its operations", () => {
  it("what recovery found without a caller, also where it is settled", async () => {
    await write(found());
    const change = await row();
    expect(change?.value).toBe("5");
    expect(change?.list).toBe("operations that became unknown in this time");
    expect(await opened(change?.href ?? "")).toEqual((await oracle()).ids);
  });

  it("over generated histories: number, list and events agree", { timeout: 120_000 }, async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(made, { maxLength: 8 }), fc.boolean(), async (some, again) => {
        await clear();
        await write([
          ...some,
          ...found(),
          ...(again ? found(1).map((one) => ({ ...one, events: [...one.events, ...one.events] })) : []),
        ]);
        const expected = await oracle();
        const change = await row();
        expect(change?.value).toBe(formatCount(expected.times));
        expect(await opened(change?.href ?? "")).toEqual(expected.ids);
        const often = expected.times > expected.ids.length;
        expect(
          change?.from.includes(`In ${String(expected.ids.length)} operations, some of them more than once.`),
        ).toBe(often);
        if (often) seen += 1;
      }),
      { numRuns: RUNS },
    );
    expect(seen).toBeGreaterThan(0);
  });

  it("notices a list of what was answered unknown", async () => {
    await write(found());
    const { ids } = await oracle();
    const href = (await row())?.href.replace("became=unknown", "answered=unknown") ?? "";
    expect(await opened(href)).not.toEqual(ids);
  });

  it("a point of the chart, also that of a client: what recovery found is of no client", async () => {
    await write([
      ...found(2),
      { operation: "payments.create", state: "COMPLETED", events: [{ what: "answered unknown", second: 70 }] },
    ]);
    const view = await readMetrics(desk.context(), parseMetricFilters({ ...WINDOW, group: "client" }).filters);
    const chart = view.charts.find(({ name }) => name === "unknown");
    const line = chart?.series.find(({ label }) => label === "till-web");
    if (chart?.list === undefined || line === undefined) throw new Error("no line");
    expect(line.total).toBe(1);
    const its = await oracle("and e.client = 'till-web'");
    expect(await opened(listHref(chart.list, WINDOW, groupOfLine("client", line)))).toEqual(its.ids);
    expect(await opened(listHref(chart.list, WINDOW))).toEqual((await oracle()).ids);
  });
});
