import { afterEach, describe, expect, it, vi } from "vitest";
import { validate, version } from "uuid";
import { uuidv7Time } from "./idempotency/uuidv7-time";
import { newId } from "./new-id";

afterEach(() => {
  vi.useRealTimers();
});

describe("newId", () => {
  it("makes UUIDs of version 7 that say when they were made", () => {
    const before = Date.now();
    const id = newId();
    const made = uuidv7Time(id) ?? 0;
    expect(validate(id)).toBe(true);
    expect(version(id)).toBe(7);
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
  });

  it("makes each once, in their order, over more ids than are drawn for at once", () => {
    const ids = Array.from({ length: 5_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    // What tells ids of two processes apart, without the time and the sequence.
    expect(new Set(ids.map((id) => id.slice(-10))).size).toBe(ids.length);
  });

  it("goes on in order when the clock is set back", () => {
    vi.useFakeTimers({ now: Date.now() + 60_000 });
    const later = newId();
    vi.setSystemTime(Date.now() - 3_600_000);
    const next = newId();
    expect(next > later).toBe(true);
    expect(uuidv7Time(next)).toBe(uuidv7Time(later));
  });
});
