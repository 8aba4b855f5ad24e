import { describe, expect, it } from "vitest";
import { GIVE_UP_ASKING_HOURS, nextLookUpMs } from "./policy";

describe("look-ups of an unknown outcome", () => {
  it("come ever later, and end after the hours of the policy", () => {
    let waited = 0;
    let checks = 0;
    for (let next = nextLookUpMs(0); next !== undefined; next = nextLookUpMs(checks)) {
      waited += next;
      checks += 1;
    }
    expect(nextLookUpMs(0)).toBe(2_000);
    expect(waited / 3_600_000).toBeGreaterThanOrEqual(GIVE_UP_ASKING_HOURS);
    expect(waited / 3_600_000).toBeLessThan(GIVE_UP_ASKING_HOURS + 1);
  });
});
