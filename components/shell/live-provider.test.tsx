// @vitest-environment happy-dom
import { act, cleanup, render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { SAMPLE_NOW } from "@/components/parts/part";
import { LiveProvider, useLive } from "./live-provider";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function WhyOff() {
  return <p>{useLive().whyOff ?? "on"}</p>;
}

it("actions are off while no live update comes, and while nobody is signed in, and on again after it", async () => {
  vi.useFakeTimers();
  let status = 200;
  const pulse = { at: SAMPLE_NOW, counts: {}, newer: 0, mark: "m" };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(pulse, { status })));
  render(
    inApp(
      <LiveProvider tenant="acme" initial={{ at: SAMPLE_NOW, counts: {}, down: { parts: [], loops: [] } }}>
        <WhyOff />
      </LiveProvider>,
    ),
  );
  const after = async (answer: number): Promise<string> => {
    status = answer;
    // Longer than the longest pause between two polls, twice.
    await act(() => vi.advanceTimersByTimeAsync(90_000));
    return document.body.textContent;
  };
  expect(await after(200)).toBe("on");
  expect(await after(503)).toBe("Live updates do not come, so actions are off.");
  expect(await after(200)).toBe("on");
  expect(await after(401)).toBe("You are signed out: sign in again to act.");
  expect(await after(200)).toBe("on");
});
