import { describe, expect, it } from "vitest";
import { csvLine } from "./csv";
import { inboxCells, replayOutcomeCells, retryLogCells } from "./export-rows";
import { exportHref } from "../filters/exports";
import { parseRetryLogFilters } from "../filters/parsers";
import type { AnswerOutcome } from "@/domain/idempotency/states";

describe("EXPORT-1 rows of the exports", () => {
  const answered = { key: "k1", payloadHash: "abcdef0123456789ffff", resultId: "rf_123" };
  it.each<[AnswerOutcome, number | undefined, string | undefined, string]>([
    ["executed", 201, undefined, "k1,abcdef0123456789,complete,201,rf_123,created"],
    ["executed", 402, "payment.insufficient_funds", "k1,abcdef0123456789,failed,402,rf_123,payment.insufficient_funds"],
    ["executed", 402, undefined, "k1,abcdef0123456789,failed,402,rf_123,refused"],
    ["replayed", 201, undefined, "k1,abcdef0123456789,complete,201,rf_123,replayed"],
    ["replayed", 402, "payment.insufficient_funds", "k1,abcdef0123456789,failed,402,rf_123,replayed"],
    ["conflict", 409, "idempotency.payload_mismatch", "k1,abcdef0123456789,conflict,409,,payload mismatch"],
    ["in_progress", 409, "idempotency.in_progress", "k1,abcdef0123456789,pending,409,,in progress"],
    ["unknown", 504, "dependency.timeout", "k1,abcdef0123456789,unknown,504,,outcome unknown"],
    ["expired_retry", 410, "idempotency.key_expired", "k1,abcdef0123456789,expired,410,,key expired"],
    ["failed", 503, "dependency.unavailable", "k1,abcdef0123456789,failed,503,,dependency.unavailable"],
    ["failed", undefined, undefined, "k1,abcdef0123456789,failed,,,failed"],
  ])("an answer %s %s", (outcome, status, code, line) => {
    expect(csvLine(replayOutcomeCells({ ...answered, outcome, status, code }))).toBe(`${line}\r\n`);
  });

  it.each<[AnswerOutcome, number | undefined, string | undefined, number, string]>([
    ["executed", 201, undefined, 1, "1,0,200,201,success"],
    ["replayed", 201, undefined, 2, "2,137,200,201,replayed"],
    ["in_progress", 409, "idempotency.in_progress", 3, "3,137,4xx,409,idempotency.in_progress"],
    ["failed", 429, "rate_limit.exceeded", 3, "3,137,429,429,rate_limit.exceeded"],
    ["unknown", 504, "dependency.timeout", 3, "3,137,5xx,504,dependency.timeout"],
    ["failed", undefined, undefined, 3, "3,137,,,failed"],
  ])("a request %s %s", (outcome, status, code, attempt, line) => {
    expect(csvLine(retryLogCells({ outcome, status, code, delayMs: 137 }, attempt))).toBe(`${line}\r\n`);
  });

  const arrival = {
    messageId: "ev_001",
    source: "payments",
    at: "2025-09-15T12:00:00.000000Z",
    processedAt: "2025-09-15T12:00:03.250000Z",
    result: "already posted",
  };
  it.each([
    [{ ...arrival, arrival: "recorded", state: "processed" }, "2025-09-15T12:00:03.250Z,already posted"],
    [{ ...arrival, arrival: "recorded", state: "processed", result: undefined }, "2025-09-15T12:00:03.250Z,ok"],
    [{ ...arrival, arrival: "recorded", state: "recorded", processedAt: undefined, result: undefined }, ",recorded"],
    [{ ...arrival, arrival: "recorded", state: "dead", processedAt: undefined }, ",dead"],
    [{ ...arrival, arrival: "duplicate", state: "recorded", processedAt: undefined }, "2025-09-15T12:00:00Z,replayed"],
    [{ ...arrival, arrival: "mismatch", state: "processed" }, ",payload mismatch"],
  ] as const)("an arrival %#", (row, end) => {
    expect(csvLine(inboxCells(row))).toBe(`ev_001,payments,2025-09-15T12:00:00Z,${end}\r\n`);
  });
});

describe("a CSV cell", () => {
  it.each([
    ["plain", "plain"],
    ['a "b"', '"a ""b"""'],
    ["a,b", '"a,b"'],
    ["a\nb", '"a\nb"'],
    ["=1+1", "'=1+1"],
    ["+49", "'+49"],
    ["-1", "'-1"],
    ["@sum", "'@sum"],
    ["\t=1", "'\t=1"],
    ["\r=1", `"'\r=1"`],
    ['="a,b"', `"'=""a,b"""`],
    ["\n=1", `"'\n=1"`],
    ["＝1+1", "'＝1+1"],
    [" =1+1", "' =1+1"],
    ["   -1", "'   -1"],
    ["\u00a0@sum", "'\u00a0@sum"],
    ["\u3000＋1", "'\u3000＋1"],
    ["\u200b\ufeff=1", "'\u200b\ufeff=1"],
    [" \t\u2003=1", "' \t\u2003=1"],
    ["\u0000=1", "'\u0000=1"],
    [" a=1", " a=1"],
    ["a=b", "a=b"],
    ["", ""],
    [-5, "-5"],
  ])("INPUT-3 %j is %j", (cell, text) => {
    expect(csvLine([cell])).toBe(`${text}\r\n`);
  });
});

it("a retry log is of exactly one operation, named by its id or its key", () => {
  const id = "018f9b7e-1c2d-7e3f-8a9b-0c1d2e3f4a5b";
  const problems = (search: Record<string, string>): string[] =>
    parseRetryLogFilters(search).problems.map(({ name }) => name);
  expect(problems({ key: "k1", operation: "refunds.create" })).toEqual([]);
  expect(problems({ operationId: id })).toEqual([]);
  expect(problems({})).toEqual(["operationId"]);
  expect(problems({ operationId: id, key: "k1" })).toEqual(["operationId"]);
  expect(problems({ operationId: "none" })).toEqual(["operationId"]);
  expect(exportHref("retry-log", "acme", { key: "a&b", operationId: undefined })).toBe(
    "/api/v1/admin/exports/retry-log?key=a%26b&tenant=acme",
  );
});
