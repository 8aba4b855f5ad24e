import { describe, expect, it } from "vitest";
import { withConcurrency } from "./with-concurrency";

describe("inLanes", () => {
  it("works through all in their order, never more than its lanes at once", async () => {
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const ended = await withConcurrency(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
      begun.push(item);
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
    });
    expect([begun, most, ended.length]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3, 7]);
  });

  it("one that throws stops no other, and is told in its place", async () => {
    const done: string[] = [];
    const ended = await withConcurrency(1, ["a", "b", "c"], (item) => {
      if (item === "b") return Promise.reject(new Error(item));
      done.push(item);
      return Promise.resolve();
    });
    expect(done).toEqual(["a", "c"]);
    expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("has nothing to do without items", async () => {
    expect(await withConcurrency(4, [], () => Promise.reject(new Error("never")))).toEqual([]);
  });
});
