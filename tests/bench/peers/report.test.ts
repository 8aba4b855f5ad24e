import { expect, test } from "vitest";
import { OURS } from "./peer";
import { peerReport, timesAsFast, type PeerRound, type PeerSeries } from "./report";

const round = (perSecond: number): PeerRound => ({
  ...{ perSecond, count: perSecond, p50: 1, p99: 2, cpuMicroseconds: 100, databaseMicroseconds: 50 },
});
const series = (peer: string, ...rates: number[]): PeerSeries => ({ case: "create", peer, rounds: rates.map(round) });

test("ours and a peer are compared within each round, never across rounds", () => {
  // The second round was on a busy machine: for both.
  expect(timesAsFast([round(200), round(20), round(300)], [round(100), round(10), round(100)])).toBe(2);
  expect(timesAsFast([round(200)], [])).toBeUndefined();
});

test("the report says rates, ratios, effects, loads, what each leaves out and who is missing", () => {
  const text = peerReport({
    machine: "Machine: of a test.",
    series: [series(OURS, 300, 100, 200), series("idempot", 100, 50, 100)],
    facts: {
      [OURS]: { atOnce: { keys: 2, effects: 2, statuses: { "201": 100 } }, crash: { effects: 1, status: 201 } },
      idempot: {
        atOnce: { keys: 2, effects: 3, statuses: { "201": 3, "409": 97 } },
        crash: { effects: 1, status: 409 },
      },
    },
    loads: [0.5, 2.25],
    remarks: ["hono-idempotency 0.9.1: not measured, its source is needed"],
  });
  expect(text).toContain("Load 0.5 to 2.3.");
  expect(text).toContain("| create | Onceboard (Hono host) | 200 | 100–300 | 1.0 | 2.0 | 100 + 50 |  |  |");
  expect(text).toMatch(/\| create \| @idempot[^|]+\| 100 \| 50–100 \| 1.0 \| 2.0 \| 100 \+ 50 \| 2.00 \| 1.00 \|/);
  expect(text).toMatch(/\| @idempot[^|]+\| 3 of 2 keys \| 3 × 201, 97 × 409 \| 1 \| 409 \|/);
  expect(text).toContain("- @idempot/postgres-store");
  // Who did not run is not spoken of.
  expect(text).not.toContain("- DBOS");
  expect(text).toContain("hono-idempotency 0.9.1: not measured, its source is needed");
});
