// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { ShowValuesDialog } from "./show-values-dialog";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const GONE = "The values are not kept any more.";
const ask = (changes: unknown): void => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ message: "Shown.", changes })));
  render(inAppAt("dialog=values", inLive(<ShowValuesDialog path="/x" notOffered={undefined} />)));
  expect(screen.queryByText(GONE)).toBeNull();
  fireEvent.change(screen.getByLabelText("Reason, kept in the audit"), { target: { value: "to decide" } });
  fireEvent.click(screen.getByRole("button", { name: "Show values" }));
};

it("shows both values of each changed field", async () => {
  ask([{ path: "data.amount", kind: "changed", before: "10.5", after: '"10.50"' }]);
  expect(await screen.findByText("10.5")).toBeDefined();
  expect(screen.getByText('"10.50"')).toBeDefined();
  expect(screen.queryByText(GONE)).toBeNull();
});

it("says that the values are gone where the answer has none", async () => {
  ask(undefined);
  expect(await screen.findByText(GONE)).toBeDefined();
});
