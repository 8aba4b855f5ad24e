// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LoadingRows } from "./loading-rows";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("says why it takes so long, but not at first", () => {
  render(<LoadingRows rows={3} />);
  act(() => {
    vi.advanceTimersByTime(1_999);
  });
  expect(screen.getByRole("status").textContent).toBe("");
  act(() => {
    vi.advanceTimersByTime(1);
  });
  expect(screen.getByRole("status").textContent).toBe("Still loading after 2 s.");
});
