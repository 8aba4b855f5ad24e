// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { DEFAULT_POLICY } from "@/domain/idempotency/policy";
import { samplePolicy, samplePolicyForm } from "./policies.samples";

afterEach(cleanup);

const DECIDED = { overrides: { ttlHours: 48 }, policy: { ...DEFAULT_POLICY, ttlHours: 48 }, version: 3 };
const windowField = (): HTMLInputElement => {
  const field = document.querySelector<HTMLInputElement>('input[name="ttlHours"]');
  if (field === null) throw new Error("there is no field of the window");
  return field;
};
const press = (name: string): void => void fireEvent.click(screen.getByRole("button", { name }));
const isOn = (name: string): boolean => !screen.getByRole<HTMLButtonElement>("button", { name }).disabled;

describe("changing a policy", () => {
  it("says what would change, and offers it", () => {
    render(inApp(samplePolicyForm(samplePolicy())));
    fireEvent.change(windowField(), { target: { value: "36" } });
    expect(isOn("Change 1 setting")).toBe(true);
    expect(document.body.textContent).toMatch(/24 h.* → .*36 h/);
    fireEvent.change(windowField(), { target: { value: "" } });
    expect(isOn("Nothing to change")).toBe(false);
  });

  it("keeps a text that is no number as it was written", () => {
    render(inApp(samplePolicyForm(samplePolicy())));
    fireEvent.change(windowField(), { target: { value: "soon" } });
    expect(document.body.textContent).toContain("→ soon");
  });

  it("goes back to what is inherited when the fields are emptied", () => {
    render(inApp(samplePolicyForm(samplePolicy(DECIDED))));
    press("Empty all fields");
    expect(windowField().value).toBe("");
    expect(document.body.textContent).toMatch(/→ .*24 h.*, inherited/);
    expect(isOn("Empty all fields")).toBe(false);
  });

  it("keeps what was written when somebody else makes a version, and shows theirs when asked", () => {
    const { rerender } = render(inApp(samplePolicyForm(samplePolicy())));
    fireEvent.change(windowField(), { target: { value: "36" } });
    rerender(inApp(samplePolicyForm(samplePolicy(DECIDED))));
    expect(screen.queryByText("Somebody made version 3 meanwhile.")).not.toBeNull();
    expect(windowField().value).toBe("36");
    press("Show theirs");
    expect(windowField().value).toBe("48");
    expect(screen.queryByText("Somebody made version 3 meanwhile.")).toBeNull();
  });
});
