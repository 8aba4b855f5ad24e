import { expect, it } from "vitest";
import { unshownComponents } from "./parts.mjs";

const SAMPLES = { path: "all.ts", text: "export const ALL = [{ shows: <Shown /> }];" };
const unshown = (text) => unshownComponents([SAMPLES, { path: "a.tsx", text }], "ALL");

it("names a component with a branch that no sample shows", () => {
  expect(unshown("export function New({ on }) { return on ? <b /> : null; }")).toEqual(["New"]);
  expect(unshown("export function New({ on }) { return <i>{on && <b />}</i>; }")).toEqual(["New"]);
  expect(unshown("export function New({ on }) { if (on) return <b />; return <i />; }")).toEqual(["New"]);
});

it("sees a branch in a component that only its file knows", () => {
  expect(unshown("export function New() { return <Own />; } function Own({ on }) { return on && <b />; }")).toEqual([
    "New",
  ]);
});

it("lets pass what is shown, what a shown one draws, and what decides nothing", () => {
  expect(unshown("export function Shown({ on }) { return on ? <b /> : <Inner />; }")).toEqual([]);
  const inner = "export function Inner({ on }) { return on && <b />; } function Own() { return <Inner />; }";
  expect(unshown(`export function Shown() { return <Own />; } ${inner}`)).toEqual([]);
  expect(unshown("export function New() { return <b />; } export function helper(on) { return on ? 1 : 2; }")).toEqual(
    [],
  );
});
