import { describe, expect, it } from "vitest";
import type { Database } from "@/db/client";
import { inTurn, MAX_AT_ONE_KEY } from "./key-queue";

const pool = {} as Database["pool"];

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe("the queue of one key", () => {
  it("KEY-9 lets a few callers of a key hold a connection, and all of another key", async () => {
    const held = gate();
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await held.opened;
      running -= 1;
      return "done";
    };
    const stuck = Array.from({ length: 40 }, () => inTurn(pool, "stuck", work));
    expect(running).toBe(MAX_AT_ONE_KEY);
    expect(await inTurn(pool, "free", () => Promise.resolve("done"))).toBe("done");
    held.open();
    expect(await Promise.all(stuck)).toEqual(Array.from({ length: 40 }, () => "done"));
    expect(most).toBe(MAX_AT_ONE_KEY);
  });

  it("KEY-9 tells who waited too long that nothing was done, and goes on without him", async () => {
    const held = gate();
    const first = Array.from({ length: MAX_AT_ONE_KEY }, () => inTurn(pool, "slow", () => held.opened));
    let ran = false;
    const impatient = inTurn(pool, "slow", () => Promise.resolve((ran = true)), 1);
    expect(await impatient).toBeUndefined();
    const patient = inTurn(pool, "slow", () => Promise.resolve("done"));
    held.open();
    await Promise.all(first);
    expect(await patient).toBe("done");
    expect(ran).toBe(false);
  });

  it("gives the place on when the work fails", async () => {
    const failing = () => Promise.reject(new Error("no"));
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => inTurn(pool, "failing", failing)));
    expect(all.every((each) => each.status === "rejected")).toBe(true);
    expect(await inTurn(pool, "failing", () => Promise.resolve("done"), 1)).toBe("done");
  });
});
