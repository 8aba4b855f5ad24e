import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { BEHAVIOURS, behaviourTable } from "./behaviours";
import { OPERATION_STATES, STAGES } from "./states";
import { STAGE_TRANSITIONS, stageDiagram, stateDiagram, TRANSITIONS } from "./transitions";

describe("the state machine (STATE-1)", () => {
  it("is drawn in docs/STATE-MACHINE.md as it is in the code", () => {
    const text = readFileSync("docs/STATE-MACHINE.md", "utf8");
    expect(text).toContain(stateDiagram());
    expect(text).toContain(stageDiagram());
    expect(text).toContain(behaviourTable());
  });

  it("has a behaviour for every state, with the same command and with another one", () => {
    for (const state of OPERATION_STATES)
      for (const same of [true, false])
        expect(BEHAVIOURS.filter((row) => row.existing === state && row.same === same)).toHaveLength(1);
  });

  it("names an existing SQL function as the owner of each transition", () => {
    const functions = readdirSync("db", { recursive: true, encoding: "utf8" }).map((path) => basename(path, ".sql"));
    for (const { by } of [...TRANSITIONS, ...STAGE_TRANSITIONS]) expect(functions).toContain(by);
  });

  it("reaches every state and every stage, and leaves none without a way out", () => {
    for (const state of OPERATION_STATES) {
      expect(TRANSITIONS.some(({ to }) => to === state)).toBe(true);
      expect(TRANSITIONS.some(({ from }) => from === state)).toBe(true);
    }
    expect(new Set(STAGE_TRANSITIONS.flatMap(({ from, to }) => [from, to]))).toEqual(new Set(STAGES));
  });
});
