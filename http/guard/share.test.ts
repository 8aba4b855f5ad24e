import { describe, expect, it } from "vitest";
import { createShare, restOf, type Release } from "./share";

const LIMITS = { atOnce: 2, waiting: 3, waitMs: 60_000, holdMs: 60_000 };

describe("SHARE-1 a share of a process", () => {
  it("runs so many at once, in their order, and refuses what would wait behind too many", async () => {
    const share = createShare("The pages", LIMITS);
    const begun: number[] = [];
    const held: Release[] = [];
    const taken = [0, 1, 2, 3, 4].map((n) =>
      share.take().then((release) => {
        begun.push(n);
        held.push(release);
      }),
    );
    await expect(share.take()).rejects.toMatchObject({
      code: "transient.busy",
      status: 503,
      retryable: true,
      retryAfter: 3,
    });
    expect(begun).toEqual([0, 1]);
    held[0]?.();
    // Given back twice, it is one place.
    held[0]?.();
    await taken[2];
    expect(begun).toEqual([0, 1, 2]);
    for (const n of [1, 2, 3, 4]) {
      held[n]?.();
      await Promise.all(taken.slice(0, Math.min(5, n + 2)));
    }
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    await expect(share.take()).resolves.toBeTypeOf("function");
  });

  it("refuses who waited too long, and keeps nobody's place for them", async () => {
    const share = createShare("The exports", { ...LIMITS, atOnce: 1, waitMs: 5 });
    const release = await share.take();
    await expect(share.take()).rejects.toThrow("The exports have all of their share");
    release();
    const again = await share.take();
    again();
  });

  it("rests after its work while callers of the API wait, and not otherwise", async () => {
    let restMs = 60_000;
    const share = createShare("The pages", { ...LIMITS, atOnce: 1, waitMs: 20 }, () => restMs);
    (await share.take())();
    await expect(share.take()).rejects.toMatchObject({ code: "transient.busy" });
    restMs = 0;
    const other = createShare("The pages", { ...LIMITS, atOnce: 1, waitMs: 20 }, () => restMs);
    (await other.take())();
    await expect(other.take()).resolves.toBeTypeOf("function");
    expect([restOf(40, true), restOf(9_000, true), restOf(40, false)]).toEqual([80, 500, 0]);
  });

  it("takes a place back from who holds it too long", async () => {
    const share = createShare("The pages", { ...LIMITS, atOnce: 1, holdMs: 5 });
    await share.take();
    await expect(share.take()).resolves.toBeTypeOf("function");
  });
});
