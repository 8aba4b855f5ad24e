import { describe, expect, it } from "vitest";
import { changeSandboxFaults, SANDBOX_FAULT_KINDS, NO_SANDBOX_FAULTS, seededRandom } from "./faults";

describe("faults", () => {
  it("changes what is named and keeps the rest", () => {
    const first = changeSandboxFaults(NO_SANDBOX_FAULTS, { timeout_before: 0.5, slow_ms: 1200 });
    expect(changeSandboxFaults(first as typeof NO_SANDBOX_FAULTS, { down: true })).toEqual({
      ...NO_SANDBOX_FAULTS,
      timeout_before: 0.5,
      slow_ms: 1200,
      down: 1,
    });
    expect(changeSandboxFaults(first as typeof NO_SANDBOX_FAULTS, {})).toEqual(NO_SANDBOX_FAULTS);
  });

  it.each([[{ explode: 1 }], [{ garbage: 2 }], [{ garbage: "1" }], [{ slow_ms: -1 }], [null], [[]], ["x"]])(
    "refuses %j in one sentence",
    (wanted) => {
      expect(changeSandboxFaults(NO_SANDBOX_FAULTS, wanted)).toBeTypeOf("string");
    },
  );

  it("knows every kind it starts with", () => {
    expect(Object.keys(NO_SANDBOX_FAULTS)).toEqual([...SANDBOX_FAULT_KINDS]);
  });

  it("draws the same numbers for the same seed", () => {
    const draw = (seed: number): number[] => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7).every((value) => value >= 0 && value < 1)).toBe(true);
  });
});
