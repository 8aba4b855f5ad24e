import { ORDER_KIND, sampleKind } from "@/tests/support/payment-kinds";
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import type { CanonicalCommand } from "@/domain/idempotency/canonical";
import { compareCommands, readShape } from "./command/compare";
import { countPatterns, isMinorSlip, messageToClient, patternOf } from "./conflict/conflict-pattern";
import { operationSearch, parseInboxFilters, parseOperationFilters, parseOutboxFilters } from "./filters/parsers";
import { readQuery } from "./list/find-query";
import { loopState } from "./metrics/heartbeat";
import { maskDocument } from "./command/mask";
import { doubtVerdict } from "./metrics/overview-verdict";
import { buildCharts } from "./metrics/series";
import { cutPage, decodeCursor, encodeCursor } from "@/domain/lists/cursor";

describe("cursors", () => {
  it("come back as they were, whatever is in them", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.boolean(), (value, id, next) => {
        const cursor = { sort: "created:desc", direction: next ? "next" : "previous", value, id } as const;
        const text = encodeCursor(cursor);
        if (text.length <= 600) expect(decodeCursor(text, "created:desc")).toEqual(cursor);
        expect(decodeCursor(text, "amount:desc")).toBeUndefined();
      }),
    );
  });
  it("are never an error", () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeCursor(text, "created:desc")));
  });
  it("cut a page in both directions", () => {
    const place = (row: number) => ({ value: String(row), id: String(row) });
    const first = cutPage([5, 4, 3], 2, undefined, "s", place);
    expect(first).toMatchObject({ rows: [5, 4], previous: undefined });
    const back = cutPage([4, 5], 2, { sort: "s", direction: "previous", value: "3", id: "3" }, "s", place);
    expect(back).toMatchObject({ rows: [5, 4], previous: undefined });
    expect(back.next).toBe(first.next);
  });
});

describe("filters", () => {
  it("are total and come back from the address they build", () => {
    const parsed = parseOperationFilters({
      state: ["STALE", "UNKNOWN_REQUIRES_RECOVERY"],
      min: "10.00",
      client: "!load-test",
      range: "7d",
      sort: "amount",
      direction: "asc",
    });
    expect(parsed.problems).toEqual([]);
    const search = new URLSearchParams(operationSearch(parsed.filters));
    expect(
      parseOperationFilters(Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)]))).filters,
    ).toEqual(parsed.filters);
    expect(operationSearch(parseOperationFilters({}).filters)).toBe("");
  });
  it("never throw and name what they do not know", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string()))), (search) => {
        for (const parse of [parseOperationFilters, parseInboxFilters, parseOutboxFilters]) parse(search);
      }),
    );
    expect(
      parseOperationFilters({ sate: "STALE", min: "ten", state: "LOST" })
        .problems.map((problem) => problem.name)
        .sort(),
    ).toEqual(["min", "sate", "state"]);
  });
});

const command = (fields: Record<string, string | null>): CanonicalCommand => ({
  operation: "refunds.create",
  apiVersion: "2026-09-01",
  fields: { paymentId: "p1", currency: "EUR", ...fields },
});

describe("CONFLICT-5 two commands of one key", () => {
  it("differ in meaning, in form, or not", () => {
    const compared = compareCommands(
      {
        command: command({ amount: "40.00", reason: "customer_request" }),
        shape: readShape({ memberOrder: ["paymentId", "amount", "reason"], notation: { amount: "decimal string" } }),
      },
      {
        command: command({ amount: "400.00", reason: "customer_request" }),
        shape: readShape({
          memberOrder: ["amount", "paymentId"],
          notation: { amount: "minor units" },
          defaulted: ["reason"],
        }),
      },
    );
    expect(compared.meaning).toEqual([
      { field: "amount", first: "40.00 EUR", second: "400.00 EUR", said: "+€360.00, ten times the first" },
    ]);
    expect(compared.form).toEqual([
      { field: "reason", first: '"customer_request"', second: "absent", said: "default applied" },
      { field: "amount, notation", first: "decimal string", second: "minor units", said: "both are allowed" },
      {
        field: "key order",
        first: "paymentId, amount, reason",
        second: "amount, paymentId",
        said: "not in the fingerprint",
      },
    ]);
    expect(compared.same.map((row) => row.field)).toEqual(["currency", "paymentId", "operation", "apiVersion"]);
  });
  it("say a smaller amount and a missing field", () => {
    const { meaning } = compareCommands(
      { command: command({ amount: "40.00", reason: "x" }) },
      { command: command({ amount: "4.00", reason: null }) },
    );
    expect(meaning.map((row) => row.said)).toEqual(["−€36.00, the first is ten times as much", "only in the first"]);
  });
  it("have a pattern, and a text without values", () => {
    const patterns = countPatterns([
      patternOf(command({ amount: "1.00" }), command({ amount: "10.00" })),
      patternOf(command({ amount: "1.00" }), command({ amount: "2.00" })),
    ]);
    expect(patterns.map((pattern) => [pattern.label, pattern.count])).toEqual([
      ["amount × 10", 1],
      ["amount, other", 1],
      ["other fields", 0],
    ]);
    const facts = {
      client: "lumen",
      about: sampleKind("refunds.create"),
      count: 21,
      since: "19 Nov, 09:10 UTC",
      fields: ["amount"],
      patterns,
      compared: 21,
      minorSlips: 0,
    };
    expect(messageToClient({ ...facts, count: 300, compared: 20 })).toContain(
      " We refused all 300; none of them moved money. 1 of the 20 compared has exactly 10 times the first amount.",
    );
    expect(messageToClient(facts)).toBe(
      "Since 19 Nov, 09:10 UTC, 21 refunds were retried with another amount under the key of the first try. We refused all 21; none of them moved money. 1 of 21 has exactly 10 times the first amount. Please use a new key for a new amount.",
    );
    expect(messageToClient({ ...facts, about: ORDER_KIND, patterns: [] })).toBe(
      "Since 19 Nov, 09:10 UTC, 21 shipments were retried with another amount under the key of the first try. We refused all 21; none of them ran. Please use a new key for a new amount.",
    );
    expect(messageToClient({ ...facts, about: sampleKind("orders.place"), count: 1, patterns: [] })).toBe(
      "Since 19 Nov, 09:10 UTC, 1 orders.place request was retried with another amount under the key of the first try. We refused it; it did not run. Please use a new key for a new amount.",
    );
  });
  it.each([
    [2, 20, false],
    [9, 20, false],
    [10, 20, true],
    [1, 1, false],
    [2, 2, true],
  ])("%i of %i slips of minor units: the cause is named %s", (minorSlips, compared, named) => {
    const count = compared;
    const facts = { client: "lumen", about: sampleKind("refunds.create"), count, since: "now", fields: ["amount"] };
    const text = messageToClient({ ...facts, patterns: [], compared, minorSlips });
    expect(text.includes("minor units")).toBe(named);
    if (named) expect(text).toContain(`${String(minorSlips)} of ${String(compared)} the second amount`);
  });
  it.each([
    ["EUR", "42.00", "4200.00", true],
    ["EUR", "42.00", "420.00", false],
    ["JPY", "42", "4200", false],
    ["KWD", "1.000", "1000.000", true],
  ])("in %s, %s and %s: a slip of minor units is %s", (currency, first, second, slip) => {
    expect(isMinorSlip(command({ currency, amount: first }), command({ currency, amount: second }))).toBe(slip);
  });
});

describe("what people type and what they may see", () => {
  it("reads amounts and ids", () => {
    expect(readQuery("€12,480.00")).toMatchObject({ minor: "1248000", currency: "EUR" });
    expect(readQuery('"till-7"').text).toBe("till-7");
    expect(readQuery("urn:onceboard:operation:01a1fc8c-d901-7144-af22-f0decb4821c3").uuid).toBe(
      "01a1fc8c-d901-7144-af22-f0decb4821c3",
    );
    expect(readQuery("order-88213").minor).toBeUndefined();
  });
  it("masks what is not on the list", () => {
    expect(maskDocument({ data: { amount: "1.00", email: "a@b.c", tags: ["x"] } })).toEqual([
      { name: "data.amount", value: "1.00", masked: false },
      { name: "data.email", value: "••••••", masked: true },
      { name: "data.tags", value: "••••••", masked: true },
    ]);
  });
});

describe("sentences and charts of the overview", () => {
  it("says the doubt, or that there is none", () => {
    const money = { minor: "4381811", amount: "43818.11", currency: "EUR", display: "€43,818.11" };
    expect(doubtVerdict({ unknown: 46, stale: 0, totals: [{ money, count: 46 }], oldestMs: 41 * 60_000 }).text).toBe(
      "46 operations may have moved money. €43,818.11 is in doubt, the oldest for 41 minutes.",
    );
    expect(doubtVerdict({ unknown: 0, stale: 0, totals: [] }).text).toBe("Nothing is unknown and no lease is stale.");
  });
  it("knows a late loop from a stopped one", () => {
    expect([1_000, 9_000, 20_000].map((age) => loopState(age, 1_000))).toEqual(["beating", "late", "stopped"]);
  });
  it("lays buckets on their axis", () => {
    const charts = buildCharts({
      range: "1h",
      end: "2026-11-19T14:00:00Z",
      rolledUpMs: 100,
      counts: [
        { bucket: "2026-11-19T13:59:00Z", outcome: "executed", count: 3, p95: 240 },
        { bucket: "2026-11-19T13:59:00Z", outcome: "replayed", count: 1 },
      ],
      measured: ["2026-11-19T13:58:00Z", "2026-11-19T13:59:00Z"],
      // The newest minute is not closed yet; what is now is of the last whole one.
      latest: [{ bucket: "2026-11-19T13:58:00Z", outcome: "executed", count: 12, p95: 180 }],
      open: { oldestOutboxMs: 4_000 },
      gauges: [{ bucket: "2026-11-19T13:00:00Z", name: "outbox_oldest_seconds", value: 7 }],
    });
    const sparkline = (name: string) => charts.strips.find((each) => each.name === name);
    expect(charts.buckets).toHaveLength(60);
    expect(sparkline("executed")).toMatchObject({ now: 12, total: 3 });
    expect(sparkline("executed")?.values.slice(-3)).toEqual([null, 0, 3]);
    expect(sparkline("conflict")).toMatchObject({ now: 0, total: 0 });
    expect(sparkline("first_answer_p95")).toMatchObject({ now: 180, total: 240 });
    expect(sparkline("oldest_outbox")).toMatchObject({ now: 4_000, total: 7_000 });
    expect(sparkline("oldest_outbox")?.values[0]).toBe(7_000);
    expect(charts.replayRatio).toBe(0.25);
  });
});
