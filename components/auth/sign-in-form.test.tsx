// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { JoinForm } from "./join-form";
import { SignInForm } from "./sign-in-form";

afterEach(cleanup);

const field = (label: string): HTMLInputElement => screen.getByLabelText(label);
const press = (name: string): void => void fireEvent.click(screen.getByRole("button", { name }));

describe("signing in", () => {
  it("asks for the e-mail first, marks it and goes there", async () => {
    render(<SignInForm next="#auth" />);
    press("Sign in");
    expect((await screen.findByText("The e-mail is missing.")).getAttribute("role")).toBe("alert");
    expect(field("E-mail").getAttribute("aria-invalid")).toBe("true");
    expect(field("Password").getAttribute("aria-invalid")).toBe("false");
    expect(document.activeElement).toBe(field("E-mail"));
  });

  it("asks for the password then", async () => {
    render(<SignInForm next="#auth" />);
    fireEvent.change(field("E-mail"), { target: { value: "ada@acme.example" } });
    press("Sign in");
    await screen.findByText("The password is missing.");
    expect(field("Password").getAttribute("aria-invalid")).toBe("true");
    expect(field("E-mail").value).toBe("ada@acme.example");
    expect(document.activeElement).toBe(field("Password"));
  });
});

describe("choosing a password", () => {
  it("refuses a short one and sends nothing", () => {
    render(<JoinForm />);
    fireEvent.change(field("New password"), { target: { value: "short" } });
    press("Set the password");
    expect(screen.getByRole("alert").textContent).toBe("A password has at least 8 characters.");
    expect(field("New password").getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByText("Setting it…")).toBeNull();
  });
});
