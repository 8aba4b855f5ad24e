// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { HeatMap } from "./heat-map";
import { SAMPLE_MAP } from "./heatmap-facts.samples";

afterEach(cleanup);

const LAST = SAMPLE_MAP.columns.length - 1;

function draw(open?: { client: string; from: string }) {
  render(<HeatMap map={SAMPLE_MAP} open={open} address={{ path: "/metrics/clients", search: {} }} />);
  const grid = screen.getByRole("grid");
  const cells = () => [...grid.querySelectorAll<HTMLElement>("[data-place]")];
  return {
    reached: () => cells().flatMap((cell) => (cell.tabIndex === 0 ? [cell.dataset["place"]] : [])),
    focused: () => (document.activeElement as HTMLElement | null)?.dataset["place"],
    press: (key: string, modified = false) => {
      const from = document.activeElement?.closest("[data-place]") ?? cells().find(({ tabIndex }) => tabIndex === 0);
      return fireEvent.keyDown(from ?? grid, { key, ctrlKey: modified });
    },
  };
}

it("arrow keys walk over cells and stay inside; one cell at a time is reached by Tab", () => {
  const { press, focused, reached } = draw();
  expect(reached()).toEqual([`0 ${String(LAST)}`]);
  const places = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"].map((key) => {
    press(key);
    return focused();
  });
  const column = String(LAST - 1);
  expect(places).toEqual([`0 ${String(LAST)}`, ...["0", "1", "2", "2", "1"].map((row) => `${row} ${column}`)]);
  expect(reached()).toEqual([`1 ${column}`]);
});

it("leaves other keys to the browser", () => {
  const { press, focused } = draw();
  expect([press("Enter"), press("ArrowLeft", true)]).toEqual([true, true]);
  expect(focused()).toBeUndefined();
  expect(press("ArrowLeft")).toBe(false);
});

it("begins at the open cell", () => {
  const from = SAMPLE_MAP.columns[21]?.from ?? "";
  expect(draw({ client: "till-ios", from }).reached()).toEqual(["1 21"]);
});
