// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { CursorLayer } from "./cursor-layer";

afterEach(cleanup);

function draw() {
  const onOpen = vi.fn();
  const onZoom = vi.fn();
  function Chart() {
    const [active, setActive] = useState<number>();
    const props = { active, onActive: setActive, onOpen, onZoom };
    return <CursorLayer size={20} label="Conflicts" say={(index) => `bucket ${String(index)}`} {...props} />;
  }
  render(<Chart />);
  const cursor = screen.getByRole("slider");
  const press = (key: string, shiftKey = false): void => void fireEvent.keyDown(cursor, { key, shiftKey });
  return { cursor, press, onOpen, onZoom, at: () => cursor.getAttribute("aria-valuetext") };
}

it("moves by keys and stays inside", () => {
  const { press, at } = draw();
  const read = ["ArrowLeft", "PageUp", "Home", "ArrowLeft", "ArrowRight", "End", "PageDown"].map((key) => {
    press(key);
    return at();
  });
  expect(read).toEqual([18, 8, 0, 0, 1, 19, 19].map((index) => `bucket ${String(index)}`));
});

it("opens a bucket, and zooms into the stretch that Shift picked", () => {
  const { cursor, press, onOpen, onZoom } = draw();
  press("Home");
  press("Enter");
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(0, undefined);
  press("ArrowRight", true);
  press("ArrowRight", true);
  expect(cursor.querySelectorAll("i")).toHaveLength(2);
  press("Enter");
  expect(onZoom).toHaveBeenCalledExactlyOnceWith(0, 2);
  expect(onOpen).toHaveBeenCalledTimes(1);
});

it("drops what was picked, on Escape and when the focus leaves", () => {
  const { cursor, press, onOpen, onZoom } = draw();
  press("ArrowLeft", true);
  press("Escape");
  press("Enter");
  expect(onZoom).not.toHaveBeenCalled();
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(18, undefined);
  fireEvent.blur(cursor);
  expect(cursor.querySelector("i")).toBeNull();
});

it("takes a dragged stretch, and only from the main button", () => {
  const { cursor, onOpen, onZoom } = draw();
  cursor.getBoundingClientRect = () => new DOMRect(0, 0, 200, 100);
  cursor.setPointerCapture = () => undefined;
  fireEvent.pointerDown(cursor, { button: 2, clientX: 15 });
  fireEvent.pointerUp(cursor, { clientX: 15, clientY: 40 });
  expect(onOpen).not.toHaveBeenCalled();
  fireEvent.pointerDown(cursor, { button: 0, clientX: 15 });
  fireEvent.pointerMove(cursor, { clientX: 55 });
  fireEvent.pointerUp(cursor, { clientX: 55, clientY: 40 });
  expect(onZoom).toHaveBeenCalledExactlyOnceWith(1, 5);
  fireEvent.pointerDown(cursor, { button: 0, clientX: 15 });
  fireEvent.pointerUp(cursor, { clientX: 15, clientY: 40 });
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(1, 60);
});
