import { describe, expect, it } from "vitest";
import { createReadCache } from "./read-cache";

function setUp(rows: Record<string, string>, maxEntries = 10) {
  const reads: string[] = [];
  let clock = 0;
  const cache = createReadCache<string | undefined>({ ttlMs: 2_000, maxEntries, now: () => clock });
  const get = (id: string) =>
    cache.get(id, () => {
      reads.push(id);
      return Promise.resolve(rows[id]);
    });
  return { cache, get, reads, rows, advance: (ms: number) => (clock += ms) };
}

describe("a read cache", () => {
  it("reads once within its time, and again after it", async () => {
    const { get, reads, rows, advance } = setUp({ a: "first" });
    expect(await Promise.all([get("a"), get("a")])).toEqual(["first", "first"]);
    advance(1_999);
    rows["a"] = "second";
    expect(await get("a")).toBe("first");
    advance(1);
    expect(await get("a")).toBe("second");
    expect(reads).toEqual(["a", "a"]);
  });

  it("gives the value itself once it has arrived, so that nobody waits for a promise of it", async () => {
    const { get, advance } = setUp({ a: "known" });
    expect(get("a")).toBeInstanceOf(Promise);
    expect(await get("a")).toBe("known");
    expect(get("a")).toBe("known");
    advance(2_000);
    expect(get("a")).toBeInstanceOf(Promise);
  });

  it("does not remember that a row is missing, nor a failure", async () => {
    const { get, rows } = setUp({});
    expect(await get("a")).toBeUndefined();
    rows["a"] = "now here";
    expect(await get("a")).toBe("now here");

    let broken = true;
    const failing = createReadCache<string>({ ttlMs: 2_000, maxEntries: 10 });
    const read = () => (broken ? Promise.reject(new Error("down")) : Promise.resolve("up"));
    await expect(failing.get("a", read)).rejects.toThrow("down");
    broken = false;
    expect(await failing.get("a", read)).toBe("up");
  });

  it("stays within its bound and forgets on demand", async () => {
    const { cache, get, reads } = setUp({ a: "a", b: "b", c: "c" }, 2);
    for (const id of ["a", "b", "c"]) await get(id);
    expect(cache.size).toBe(2);
    cache.forget("c");
    await get("c");
    expect(reads).toEqual(["a", "b", "c", "c"]);
  });
});
