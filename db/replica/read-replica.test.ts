import { expect, it } from "vitest";
import { lagOf } from "./read-replica";

const mark = (at: number, written: bigint) => ({ at, written });

it("REPLICA-3 a replica that has all of the log is not late, whenever the last transaction was", () => {
  const marks = [mark(1_000, 50n), mark(9_000, 50n)];
  expect(lagOf(marks, mark(9_000, 50n), { replayed: 50n, committedAt: 10 })).toEqual({
    ...{ until: 9_000, behindMs: 0, behindBytes: 0 },
  });
  // It may have more by now than the primary had when it was asked.
  expect(lagOf([mark(9_000, 50n)], mark(9_000, 50n), { replayed: 60n, committedAt: undefined }).behindMs).toBe(0);
});

it("REPLICA-3 one that is behind has all of the newest moment that the primary was no further at", () => {
  const marks = [mark(1_000, 10n), mark(2_000, 20n), mark(3_000, 30n), mark(4_000, 40n)];
  const now = mark(4_000, 40n);
  expect(lagOf(marks, now, { replayed: 29n, committedAt: undefined })).toEqual({
    ...{ until: 2_000, behindMs: 2_000, behindBytes: 11 },
  });
  // What the last transaction there was committed at may say more.
  expect(lagOf(marks, now, { replayed: 31n, committedAt: 3_500 })).toMatchObject({ until: 3_500, behindMs: 500 });
  expect(lagOf(marks, now, { replayed: 31n, committedAt: 2_500 })).toMatchObject({ until: 3_000, behindMs: 1_000 });
});

it("REPLICA-3 one of which nothing is known yet is late without end", () => {
  expect(lagOf([mark(4_000, 40n)], mark(4_000, 40n), { replayed: 5n, committedAt: undefined })).toEqual({
    ...{ until: undefined, behindMs: Infinity, behindBytes: 35 },
  });
});
