import { describe, expect, it } from "vitest";
import { createLookup } from "./lookup";

function setUp(rows: Record<string, string>, maxEntries = 10) {
  const reads: string[] = [];
  let clock = 0;
  const lookup = createLookup<string>({
    read: (id) => {
      reads.push(id);
      return Promise.resolve(rows[id]);
    },
    ttlMs: 2_000,
    maxEntries,
    now: () => clock,
  });
  return { lookup, reads, rows, advance: (ms: number) => (clock += ms) };
}

describe("a lookup", () => {
  it("reads once within its time, and again after it", async () => {
    const { lookup, reads, rows, advance } = setUp({ a: "first" });
    expect(await Promise.all([lookup.get("a"), lookup.get("a")])).toEqual(["first", "first"]);
    advance(1_999);
    rows["a"] = "second";
    expect(await lookup.get("a")).toBe("first");
    advance(1);
    expect(await lookup.get("a")).toBe("second");
    expect(reads).toEqual(["a", "a"]);
  });

  it("does not remember that a row is missing, nor a failure", async () => {
    const { lookup, rows } = setUp({});
    expect(await lookup.get("a")).toBeUndefined();
    rows["a"] = "now here";
    expect(await lookup.get("a")).toBe("now here");

    let broken = true;
    const failing = createLookup({
      read: () => (broken ? Promise.reject(new Error("down")) : Promise.resolve("up")),
      ttlMs: 2_000,
      maxEntries: 10,
    });
    await expect(failing.get("a")).rejects.toThrow("down");
    broken = false;
    expect(await failing.get("a")).toBe("up");
  });

  it("stays within its bound and forgets on demand", async () => {
    const { lookup, reads } = setUp({ a: "a", b: "b", c: "c" }, 2);
    for (const id of ["a", "b", "c"]) await lookup.get(id);
    expect(lookup.size).toBe(2);
    lookup.forget("c");
    await lookup.get("c");
    expect(reads).toEqual(["a", "b", "c", "c"]);
  });
});
