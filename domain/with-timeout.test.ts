import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settledWithin, withTimeout } from "./with-timeout";

const LIMIT_MS = 1_000;
const never = new Promise<never>(() => undefined);
const raise = (): never => {
  throw new Error("too late");
};

describe("a limit on waiting", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives what the work gives, and leaves no timer behind", async () => {
    expect(await withTimeout(Promise.resolve("done"), LIMIT_MS, raise)).toBe("done");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("rejects as the work does, and leaves no timer behind", async () => {
    await expect(withTimeout(Promise.reject(new Error("broken")), LIMIT_MS, raise)).rejects.toThrow("broken");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("raises the error or gives the value that stands for the time being up, and not before", async () => {
    const ended = vi.fn();
    const raised = withTimeout(never, LIMIT_MS, raise)
      .finally(ended)
      .catch((error: unknown) => error);
    const given = withTimeout(never, LIMIT_MS, () => "late");
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await raised).toEqual(new Error("too late"));
    expect(await given).toBe("late");
  });

  it("drops what the work rejects with after the limit", async () => {
    let fail = (_error: Error): void => undefined;
    const work = new Promise<never>((_, reject) => (fail = reject));
    const waiting = withTimeout(work, LIMIT_MS, () => "late");
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    expect(await waiting).toBe("late");
    // An unhandled rejection fails the run.
    fail(new Error("long forgotten"));
    await vi.advanceTimersByTimeAsync(1);
  });

  it("can wait for the end alone, however it is", async () => {
    await settledWithin(Promise.reject(new Error("broken")), LIMIT_MS);
    const waiting = settledWithin(never, LIMIT_MS);
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });
});
