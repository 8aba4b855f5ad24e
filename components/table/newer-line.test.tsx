// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Live } from "@/components/shell/live-provider";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { NewerText } from "./newer-line";

afterEach(cleanup);

function textOf(changes: Partial<Live>): string {
  cleanup();
  render(inApp(inLive(<NewerText noun="operations" />, changes)));
  return document.body.textContent;
}

it("newer rows may not match the filters only where there are some, and filters", () => {
  const SOME = "Some may not match the filters.";
  expect(textOf({ newer: 7, filtered: true })).toContain(SOME);
  expect(textOf({ newer: 7 })).not.toContain(SOME);
  expect(textOf({ filtered: true })).not.toContain(SOME);
});
