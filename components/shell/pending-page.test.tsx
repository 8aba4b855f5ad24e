// @vitest-environment happy-dom
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useReportPending } from "@/components/navigation/navigation-pending";
import { PendingPage } from "./pending-page";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function Navigation({ pending }: { readonly pending: boolean }) {
  useReportPending(pending ? "/outbox" : undefined);
  return null;
}
function shown(pending: boolean) {
  return (
    <>
      <Navigation pending={pending} />
      <PendingPage>
        <p>The page before</p>
      </PendingPage>
    </>
  );
}
const wait = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });
const bars = () => screen.queryByRole("status");

test("the page before stays while another one comes soon, and bars stand in its place when it does not", () => {
  const { rerender } = render(shown(false));
  wait(10_000);
  expect(bars()).toBeNull();
  rerender(shown(true));
  wait(299);
  expect(bars()).toBeNull();
  expect(screen.getByText("The page before").parentElement?.className).toMatch(/page/);
  wait(1);
  expect(bars()?.getAttribute("aria-busy")).toBe("true");
  expect(screen.getByText("The page before").parentElement?.className).toMatch(/away/);
  wait(2_000);
  expect(bars()?.textContent).toBe("Still loading after 2 s.");
  rerender(shown(false));
  expect(bars()).toBeNull();
});

test("a navigation that was begun after another one waits anew, and one whose link is gone is over", () => {
  const { rerender } = render(shown(true));
  wait(200);
  rerender(shown(false));
  rerender(shown(true));
  wait(200);
  expect(bars()).toBeNull();
  wait(100);
  expect(bars()).not.toBeNull();
  rerender(
    <PendingPage>
      <p>Another page</p>
    </PendingPage>,
  );
  expect(bars()).toBeNull();
});
