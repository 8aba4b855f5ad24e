import { describe, expect, test } from "vitest";
import { createReadPace, givenIn, READS_PER_SECOND, tagOf, type GivenMark } from "./read-pace";

const POLL_MS = 3_500;

/** Tabs that poll for a time while every poll finds another mark. @returns how often each read its page */
function watch(tabs: number, seconds: number, page = "overview"): readonly number[] {
  let clock = 1_000_000;
  let seed = 7;
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const pace = createReadPace(() => clock, random);
  const reads = Array.from({ length: tabs }, () => 0);
  const known: (GivenMark | undefined)[] = reads.map(() => undefined);
  const end = clock + seconds * 1_000;
  const step = POLL_MS / tabs;
  for (let poll = 0; clock < end; poll += 1, clock = 1_000_000 + poll * step) {
    const tab = poll % tabs;
    const given = pace.give(page, `m${String(poll)}`, known[tab]);
    if (given.mark !== known[tab]?.mark) reads[tab] = (reads[tab] ?? 0) + 1;
    known[tab] = given;
  }
  return reads;
}
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe("pages that read themselves again", () => {
  test("a few tabs read at every poll", () => {
    expect(watch(5, 70)).toEqual([20, 20, 20, 20, 20]);
  });

  test.each([20, 50, 200])("%i tabs together stay near the limit, and each of them reads", (tabs) => {
    const seconds = 600;
    const reads = watch(tabs, seconds);
    expect(sum(reads) / seconds).toBeLessThan(READS_PER_SECOND * 1.5);
    expect(sum(reads) / seconds).toBeGreaterThan(READS_PER_SECOND * 0.5);
    expect(Math.min(...reads)).toBeGreaterThan((seconds * READS_PER_SECOND) / tabs / 3);
  });

  test("a page of one thing is never held", () => {
    expect(sum(watch(50, 70, "operations/0198"))).toBe(1_000);
  });

  test("a tab whose mark is still that of now keeps it with its time, whatever the page", () => {
    const pace = createReadPace();
    for (const page of ["overview", "operations"])
      expect(pace.give(page, "same", { mark: "same", at: 5 })).toEqual({ mark: "same", at: 5 });
  });
});

describe("the tag", () => {
  test("says the mark and since when", () => {
    expect(givenIn(tagOf("d", { mark: "Ab_-9", at: 1_764_000_000_000 }))).toEqual({
      mark: "Ab_-9",
      at: 1_764_000_000_000,
    });
  });

  test.each([undefined, "", '"x"', '"d.m"', '"d.m.!"', `"d.${"m".repeat(33)}.z"`, '"d.<b>.z"'])(
    "%s is none of ours",
    (tag) => {
      expect(givenIn(tag)).toBeUndefined();
    },
  );
});
