import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { DOUBTS_READ } from "@/db/risk/select-doubts";
import { displayMoney } from "@/domain/money";
import { RISK_RANGES } from "@/domain/metrics/risk";
import type { OverviewView } from "@/presentation/views/overview";
import { readOverview } from "./read-overview";

const TENANT = "acme";
/** Each writes a tenant's doubts and reads its overview. */
const RUNS = 15;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
const clear = () =>
  desk.rows(
    "truncate onceboard.idempotency_requests, onceboard.idempotency_open, onceboard.settled_doubts, onceboard.metric_minutes, onceboard.metric_gauges",
  );
beforeEach(clear);

const MINUTE = 60_000;
const ago = (minutes: number): string =>
  new Date(Math.floor(Date.now() / MINUTE) * MINUTE - minutes * MINUTE).toISOString();
const read = (input: Partial<Parameters<typeof readOverview>[1]> = {}): Promise<OverviewView> =>
  readOverview(desk.context(), { risk: "2h", ...input });
/** @param seconds before now */
const settled = (since: number, until: number, minor: number | null = 1_000, currency: string | null = "EUR") =>
  desk.rows(
    `insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until, amount_minor, currency)
     values ($1, gen_random_uuid(), 'payments.create', now() - make_interval(secs => $2), now() - make_interval(secs => $3), $4, $5)`,
    ...[TENANT, since, until, minor, currency],
  );
/** One that lasts. @param seconds since when, before now */
const open = (seconds: number, minor: number | null = 1_000, currency: string | null = "EUR") =>
  desk.rows(
    `with made as (insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version,
         api_version, state, body_day, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
       values ($1, 'payments.create', gen_random_uuid()::text, gen_random_uuid(), 'till', '\\x00', 1, '1', 'UNKNOWN_REQUIRES_RECOVERY', current_date,
         $3, $4, now(), now(), now(), now()) returning *)
     insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, opened_at, unknown_since)
     select tenant_id, operation_id, operation, key, 1, now(), now() - make_interval(secs => $2) from made`,
    ...[TENANT, seconds, minor, currency],
  );

describe("RISK-6 the chart ends with the sum that the headline says", () => {
  it("over generated doubts, per currency, whatever its range", { timeout: 60_000 }, async () => {
    const doubt = fc.record({
      seconds: fc.integer({ min: 1, max: 700_000 }),
      minor: fc.integer({ min: 1, max: 2_000_000_000 }),
      currency: fc.constantFrom("EUR", "USD"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(doubt, { maxLength: 12 }), fc.constantFrom(...RISK_RANGES), async (doubts, range) => {
        await clear();
        for (const { seconds, minor, currency } of doubts) await open(seconds, minor, currency);
        const { risk, doubt: now } = await read({ risk: range });
        const ends = risk.series.map(({ currency, totals }) => displayMoney(BigInt(totals.at(-1) ?? "0"), currency));
        expect(ends.sort()).toEqual(now.totals.map(({ money }) => money.display).sort());
        const counts = risk.series.reduce((sum, series) => sum + (series.counts.at(-1) ?? 0), 0);
        expect(counts).toBe(now.count);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("what is said of the chart holds of the rows", () => {
  it("nothing was in doubt, only where nothing was", async () => {
    expect((await read()).risk).toMatchObject({ none: "Nothing was in doubt in these 2 hours.", series: [] });
    await settled(7_100, 7_000);
    const { risk } = await read();
    expect(risk.none).toBeUndefined();
    expect((await read({ risk: "1h" })).risk.none).toBe("Nothing was in doubt in this hour.");
  });

  it("draws what was in doubt between two points, and says nothing of what ended as it began", async () => {
    const { points } = (await read({ risk: "7d" })).risk;
    const before = (Date.now() - Date.parse(points[100] ?? "")) / 1_000;
    await settled(before - 100, before - 100);
    expect((await read({ risk: "7d" })).risk.none).toBe("Nothing was in doubt in these 7 days.");
    await settled(before - 100, before - 110, 4_200);
    const { risk } = await read({ risk: "7d" });
    expect(risk.none).toBeUndefined();
    expect(risk.shown?.totals.filter((total) => total !== "0")).toEqual(["4200"]);
    expect(risk.spoken).toMatch(
      /^Money in doubt: nothing until \d+ \w+, \d\d:\d\d, €42\.00 at \d+ \w+, \d\d:\d\d, the most, nothing now\./,
    );
  });

  it("how old what is in doubt is, at its end", async () => {
    await open(2_000);
    expect((await read()).risk.end).toMatchObject({ operations: "1 operation", age: "all over 30 min" });
    await open(400);
    expect((await read()).risk.end).toMatchObject({ operations: "2 operations", age: "1 over 30 min" });
    await clear();
    await open(400);
    expect((await read()).risk.end?.age).toBe("all 5 to 15 min");
    await open(1_000);
    expect((await read()).risk.end?.age).toBe("none over 30 min");
  });

  it("for a screen reader: until when there was nothing, the most, and now", async () => {
    await settled(3_600, 1_800, 4_819_122);
    await open(1_700, 100);
    const { spoken } = (await read()).risk;
    expect(spoken).toMatch(
      /^Money in doubt: nothing until \d\d:\d\d, €48,191\.22 at \d\d:\d\d, the most, €1\.00 now\. Times in UTC\.$/,
    );
  });

  it("draws the currency that is asked for, else the one of most operations, and says what has no amount", async () => {
    for (const _ of [1, 2]) await open(500, 700, "USD");
    await open(500, 99_999_900);
    await open(500, null, null);
    const { risk } = await read();
    expect(risk.series.map(({ currency }) => currency)).toEqual(["USD", "EUR", ""]);
    expect(risk.end).toMatchObject({ money: { display: "$14.00" }, operations: "2 operations" });
    expect(risk.notes).toEqual(["Up to 1 operation in doubt had no amount."]);
    expect((await read({ currency: "EUR" })).risk.end).toMatchObject({ money: { display: "€999,999.00" } });
  });
});

describe("a brushed window", () => {
  it("narrows what is in doubt to what began in it, with its own sum", async () => {
    await open(30 * 60, 700);
    await open(32 * 60, 300);
    await open(90 * 60, 5_000);
    const { doubt, verdict } = await read({ from: ago(40), to: ago(20) });
    expect(doubt).toMatchObject({ count: 3, began: 2, totals: [{ count: 2, money: { display: "€10.00" } }] });
    expect(doubt.rows).toHaveLength(2);
    // The headline is of all of it.
    expect(verdict.text).toContain("€60.00 is in doubt");
    expect((await read({ from: ago(20), to: ago(10) })).doubt).toMatchObject({ began: 0, rows: [], totals: [] });
    expect((await read()).doubt.began).toBeUndefined();
  });

  it("of yesterday moves the chart to it", async () => {
    await settled(25 * 3_600, 24.5 * 3_600);
    const { risk } = await read({ from: ago(25 * 60), to: ago(25 * 60 - 10) });
    expect(risk.time.live).toBe(false);
    expect(risk.none).toBeUndefined();
    expect(risk.end).toBeUndefined();
  });
});

describe("RISK-8 a time of which nothing is kept is a gap, never zero", () => {
  const DAY = 24 * 60;
  const around = (days: number) => read({ risk: "7d", from: ago(days * DAY), to: ago(days * DAY - 30) });

  it("says so of a chart that lies wholly before it", async () => {
    const { risk } = await around(60);
    expect(risk.none).toBe("What was in doubt is kept for 31 days: nothing is known of this time.");
    expect(risk.end).toBeUndefined();
    expect(risk.unknown).toBe(risk.points.length);
  });

  it("begins where it is known, though older rows wait for retention", async () => {
    // One of before, which retention has not reached, and one of after.
    await settled(33 * DAY * 60, 33 * DAY * 60 - 600);
    await settled(30 * DAY * 60, 30 * DAY * 60 - 600, 700);
    const { risk } = await around(31);
    const edge = Date.now() - 31 * DAY * MINUTE;
    expect(risk.unknown).toBeGreaterThan(0);
    expect(Date.parse(risk.points[risk.unknown] ?? "")).toBeGreaterThanOrEqual(edge - 1_000);
    expect(Date.parse(risk.points[risk.unknown - 1] ?? "")).toBeLessThan(edge);
    expect(new Set(risk.shown?.totals)).toEqual(new Set(["0", "700"]));
    expect(risk.notes).toEqual([
      expect.stringMatching(/^What was in doubt is kept for 31 days: nothing is known before /),
    ]);
    expect(risk.spoken).toContain("not known before");
  });

  it("says from when on nothing was in doubt, where the rest is not known", async () => {
    expect((await around(31)).risk.none).toMatch(
      /^Nothing was in doubt from .* UTC on\. Of the time before nothing is kept\.$/,
    );
  });

  it("is whole from the oldest on where more ended than are read", { timeout: 60_000 }, async () => {
    await desk.rows(
      `insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until, amount_minor, currency)
       select $1, gen_random_uuid(), 'payments.create', now() - make_interval(secs => n * 20 + 30), now() - make_interval(secs => n * 20), 100, 'EUR'
       from generate_series(1, $2::int) n`,
      ...[TENANT, DOUBTS_READ + 8_000],
    );
    const { risk } = await read({ risk: "7d" });
    const oldest = Date.now() - DOUBTS_READ * 20_000;
    const first = Date.parse(risk.points[risk.unknown] ?? "");
    expect(first).toBeGreaterThanOrEqual(oldest - MINUTE);
    expect(first).toBeLessThan(oldest + 31 * MINUTE);
    expect(risk.shown?.counts[risk.unknown]).toBe(2);
    expect(risk.shown?.counts[risk.unknown - 1]).toBe(0);
    expect(risk.notes.join(" ")).toMatch(/More operations were in doubt than a chart reads: it begins at .* UTC\./);
  });
});

describe("incidents of a week", () => {
  it("are marks of the chart of their days, and lead to nothing that is not kept", async () => {
    // Read once: the minute may turn while the test runs.
    const [first = "", second, third, after] = [0, 1, 2, 3].map((later) => ago(4 * 24 * 60 - later));
    for (const minute of [first, second, third])
      await desk.rows(
        `insert into onceboard.metric_minutes (tenant_id, bucket, operation, client, outcome, count)
         values ($1, $2, 'payments.create', '', 'unknown_entered', 9)`,
        ...[TENANT, minute],
      );
    const incidents = async (risk: "24h" | "3d" | "7d") =>
      (await read({ risk })).risk.marks.filter(({ kind }) => kind === "incident");
    expect(await incidents("3d")).toEqual([]);
    expect(await incidents("7d")).toMatchObject([{ at: first, until: after, label: "new unknown" }]);
  });
});
