// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { sampleSettleForm } from "./settle-form.samples";

afterEach(cleanup);

const REFERENCE = /Provider's reference/;

describe("settling an operation", () => {
  it("names the chosen decision on its button", () => {
    render(inApp(sampleSettleForm({})));
    expect(screen.queryByRole("button", { name: "Settle 1 operation" })).not.toBeNull();
    fireEvent.click(screen.getByRole("radio", { name: /It succeeded/ }));
    expect(screen.queryByRole("button", { name: "Settle: it succeeded" })).not.toBeNull();
    fireEvent.click(screen.getByRole("radio", { name: /Keep waiting/ }));
    expect(screen.queryByRole("button", { name: "Keep waiting" })).not.toBeNull();
  });

  it("asks for the provider's reference only where it is missing and the decision is success", () => {
    render(inApp(sampleSettleForm({ needsReference: true })));
    expect(screen.queryByLabelText(REFERENCE)).toBeNull();
    fireEvent.click(screen.getByRole("radio", { name: /It succeeded/ }));
    expect(screen.queryByLabelText(REFERENCE)).not.toBeNull();
    fireEvent.click(screen.getByRole("radio", { name: /Keep waiting/ }));
    expect(screen.queryByLabelText(REFERENCE)).toBeNull();
  });

  it("asks a second person for a decision about as much as one person may not decide, and waits alone", () => {
    render(inApp(sampleSettleForm({ secondPersonFrom: "€10,000.00" })));
    fireEvent.click(screen.getByRole("radio", { name: /It succeeded/ }));
    expect(screen.queryByRole("button", { name: "Ask a second person" })).not.toBeNull();
    fireEvent.click(screen.getByRole("radio", { name: /Keep waiting/ }));
    expect(screen.queryByRole("button", { name: "Keep waiting" })).not.toBeNull();
  });

  it("does not ask for a reference that is known", () => {
    render(inApp(sampleSettleForm({ needsReference: false })));
    fireEvent.click(screen.getByRole("radio", { name: /It succeeded/ }));
    expect(screen.queryByLabelText(REFERENCE)).toBeNull();
  });
});
