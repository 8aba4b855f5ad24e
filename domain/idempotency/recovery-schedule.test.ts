import { describe, expect, it } from "vitest";
import { GIVE_UP_ASKING_HOURS } from "./provider-capabilities";
import { mayRepeat, mayStillArrive, nextCheckMs } from "./recovery-schedule";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const both = { dedupesForHours: 24, queryable: true };
const dedupes = { dedupesForHours: 24, queryable: false };
const asked = { dedupesForHours: 0, queryable: true };
const neither = { dedupesForHours: 0, queryable: false };

describe("RECOVERY-6 look-ups of an unknown outcome", () => {
  it("come ever later, then every ten minutes", () => {
    const waits = Array.from({ length: 10 }, (_, checks) => nextCheckMs(both, checks, 0));
    expect(waits).toEqual([2, 5, 15, 30, 60, 120, 300, 600, 600, 600].map((seconds) => seconds * 1_000));
  });

  it("end 72 hours after the claim, to the millisecond, however many there were", () => {
    const end = GIVE_UP_ASKING_HOURS * HOUR;
    for (const checks of [0, 7, 5_000]) {
      expect(nextCheckMs(both, checks, end - 1)).toBeDefined();
      expect(nextCheckMs(both, checks, end)).toBeUndefined();
    }
  });

  it("PROVIDER-4 never begin where nothing can be asked and nothing repeated", () => {
    expect(nextCheckMs(neither, 0, 0)).toBeUndefined();
    expect(nextCheckMs(asked, 0, 0)).toBe(2_000);
  });

  it("PROVIDER-6 end where a provider that cannot be asked would take a repeated key for a new one", () => {
    expect(nextCheckMs(dedupes, 0, 0)).toBe(2_000);
    const last = 24 * HOUR - 20 * MINUTE;
    expect(nextCheckMs(dedupes, 50, last)).toBe(10 * MINUTE);
    expect(nextCheckMs(dedupes, 50, last + 1)).toBeUndefined();
  });
});

describe("RECOVERY-3 the same key again", () => {
  it("only where it is known, and only as long", () => {
    expect(mayRepeat(both, 10 * MINUTE)).toBe(true);
    expect(mayRepeat(both, 10 * MINUTE + 1)).toBe(false);
    expect(mayRepeat(dedupes, 24 * HOUR - 10 * MINUTE)).toBe(true);
    expect(mayRepeat(dedupes, 24 * HOUR - 10 * MINUTE + 1)).toBe(false);
    expect(mayRepeat(asked, 0)).toBe(false);
    expect(mayRepeat(neither, 0)).toBe(false);
  });

  it("ten minutes after the last send nothing is on its way any more", () => {
    expect(mayStillArrive(10 * MINUTE)).toBe(true);
    expect(mayStillArrive(10 * MINUTE + 1)).toBe(false);
  });
});
