import { describe, expect, it } from "vitest";
import { readCrashOptions } from "./options";
import { CELLS, cellsOf, cellName, planOf, replayCommand } from "./plan";

const SEEDS = Array.from({ length: 200 }, (_, index) => index * 7_919);

describe("the plan of a run", () => {
  it("follows from seed and cell alone, so that a failure can be seen again", () => {
    for (const cell of CELLS) {
      const plan = planOf(4_711, cell);
      expect(planOf(4_711, cell)).toEqual(plan);
      const again = readCrashOptions(replayCommand(plan).split(" -- ")[1]?.split(" ") ?? [], 0);
      expect({ runs: again.runs, seed: again.seed, cells: again.cells.map(cellName) }).toEqual({
        runs: 1,
        seed: 4_711,
        cells: [plan.cell],
      });
    }
  });

  it("decides otherwise for another seed", () => {
    const plans = SEEDS.map((seed) => JSON.stringify({ ...planOf(seed, CELLS[0] ?? never()), seed: 0 }));
    expect(new Set(plans).size).toBeGreaterThan(150);
  });

  it("draws only what its point can meet", () => {
    for (const cell of CELLS) {
      for (const plan of SEEDS.slice(0, 25).map((seed) => planOf(seed, cell))) {
        if (plan.kind === "message" || cell.point.actor === "message") {
          if (plan.kind === "message") expect(plan.point.roles).toContain(plan.role);
          continue;
        }
        expect(cell.point.operations).toContain(plan.operation);
        if (plan.fault !== undefined) expect(cell.point.faults).toContain(plan.fault);
        if (plan.operation === "account") expect(plan).toMatchObject({ retries: true, fault: undefined });
        if (!plan.retries) expect(plan).toMatchObject({ also: 0, rivals: 0, purge: false, by: "worker" });
        if (plan.left === "unsent") expect(plan.ended).toBe("killed");
      }
    }
  });
});

describe("the name of a cell", () => {
  it("is a cell, a point, a family, or the return of the paused", () => {
    expect(cellsOf("P4:kill").map(cellName)).toEqual(["P4:kill"]);
    expect(cellsOf("C9").map(cellName)).toEqual(["C9:kill", "C9:stop"]);
    expect(cellsOf("R").every(({ point }) => point.id.startsWith("R"))).toBe(true);
    expect(cellsOf("R8")).toHaveLength(13);
    expect(cellsOf("O5").map(cellName)).toEqual(["O1:stop", "O2:stop", "O3:stop", "O4:stop", "O7:stop"]);
    expect(() => cellsOf("C10:kill")).toThrow("no cell");
    expect(() => cellsOf("X1")).toThrow("no crash point");
  });
});

function never(): never {
  throw new Error("there are no cells");
}
