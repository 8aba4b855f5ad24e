// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { afterEach, expect, it, vi } from "vitest";
import { riskTime } from "@/domain/metrics/risk";
import { RiskBrush, type RiskBrushProps } from "./risk-brush";

afterEach(cleanup);

const CHART = { time: riskTime("2h", "2026-11-20T14:00:00.000Z") };
const WINDOW = { from: "2026-11-20T13:00:00.000Z", to: "2026-11-20T13:12:00.000Z" };

function draw(props: Partial<RiskBrushProps> = {}) {
  window.history.replaceState(null, "", "/?risk=2h");
  const replace = vi.fn();
  const nothing = (): void => undefined;
  const router = {
    back: nothing,
    forward: nothing,
    refresh: nothing,
    push: nothing,
    replace,
    prefetch: nothing,
    bfcacheId: "",
  };
  render(
    <AppRouterContext value={router}>
      <PathnameContext value="/">
        <SearchParamsContext value={new URLSearchParams("risk=2h")}>
          <RiskBrush {...CHART} {...props} />
        </SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>,
  );
  const handle = (edge: "Start" | "End") => screen.getByRole("slider", { name: `${edge} of the window` });
  const times = () => ([handle("Start"), handle("End")] as const).map((each) => each.getAttribute("aria-valuetext"));
  const went = () => replace.mock.calls.map(([href]) => String(href));
  return { handle, times, went };
}

it("waits at the edges of the chart until something is brushed", () => {
  const { handle, times } = draw();
  expect(times()).toEqual(["12:00 UTC", "14:00 UTC"]);
  expect(handle("Start").hasAttribute("data-idle")).toBe(true);
});

it("moves an edge by keys, a minute or ten, inside the chart and never over the other; the address follows the key that is let go", () => {
  const { handle, times, went } = draw({ window: WINDOW });
  const start = handle("Start");
  fireEvent.keyDown(start, { key: "ArrowLeft" });
  fireEvent.keyDown(start, { key: "ArrowLeft" });
  fireEvent.keyDown(start, { key: "ArrowLeft", shiftKey: true });
  expect(times()).toEqual(["12:48 UTC", "13:12 UTC"]);
  expect(went()).toEqual([]);
  fireEvent.keyUp(start, { key: "ArrowLeft" });
  expect(went()).toEqual(["/?risk=2h&from=2026-11-20T12%3A48%3A00Z&to=2026-11-20T13%3A12%3A00Z"]);
  fireEvent.keyDown(start, { key: "End" });
  expect(times()).toEqual(["13:11 UTC", "13:12 UTC"]);
  fireEvent.keyDown(handle("End"), { key: "End" });
  fireEvent.keyDown(handle("End"), { key: "ArrowRight" });
  fireEvent.keyDown(start, { key: "Home" });
  expect(times()).toEqual(["12:00 UTC", "14:00 UTC"]);
  fireEvent.keyDown(start, { key: "a" });
  fireEvent.keyDown(handle("End"), { key: "PageDown" });
  expect(times()).toEqual(["12:00 UTC", "13:50 UTC"]);
});

it("brushes by a drag, by a handle too, and not by a click", () => {
  const { handle, times, went } = draw({ window: WINDOW });
  const layer = handle("Start").parentElement;
  if (layer === null) throw new Error("no layer");
  layer.getBoundingClientRect = () => new DOMRect(0, 0, 1_200, 100);
  layer.setPointerCapture = () => undefined;
  fireEvent.pointerDown(layer, { button: 0, clientX: 200 });
  fireEvent.pointerUp(layer, { clientX: 200 });
  expect(went()).toEqual([]);
  // Ten pixels are a minute; from right to left is the same.
  fireEvent.pointerDown(layer, { button: 0, clientX: 300 });
  fireEvent.pointerMove(layer, { clientX: 104 });
  fireEvent.pointerUp(layer, { clientX: 104 });
  expect(times()).toEqual(["12:10 UTC", "12:30 UTC"]);
  expect(went()).toEqual(["/?risk=2h&from=2026-11-20T12%3A10%3A00Z&to=2026-11-20T12%3A30%3A00Z"]);
  fireEvent.pointerDown(handle("End"), { button: 0, clientX: 300 });
  fireEvent.pointerMove(layer, { clientX: 600 });
  fireEvent.pointerCancel(layer, {});
  expect(times()).toEqual(["13:00 UTC", "13:12 UTC"]);
  fireEvent.pointerDown(layer, { button: 2, clientX: 300 });
  fireEvent.pointerMove(layer, { clientX: 700 });
  expect(times()).toEqual(["13:00 UTC", "13:12 UTC"]);
});

it("moves by the steps of a long chart, and names the day", () => {
  const time = riskTime("7d", "2026-11-20T14:00:00.000Z");
  const window = { from: "2026-11-18T13:00:00.000Z", to: "2026-11-18T15:00:00.000Z" };
  const { handle, times } = draw({ time, window });
  fireEvent.keyDown(handle("Start"), { key: "ArrowLeft" });
  expect(times()).toEqual(["18 Nov, 12:30 UTC", "18 Nov, 15:00 UTC"]);
  fireEvent.keyDown(handle("End"), { key: "PageUp" });
  expect(times()).toEqual(["18 Nov, 12:30 UTC", "18 Nov, 20:00 UTC"]);
});
