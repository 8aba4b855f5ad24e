// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { JoinForm } from "./join-form";
import { SignInForm } from "./sign-in-form";
import { SignInView } from "./sign-in-view";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

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

describe("a sign-in that is answered", () => {
  /** The first question of the form is whether somebody is signed in already. */
  const answers = (...given: readonly (() => Promise<Response>)[]): void => {
    const left = [...given];
    vi.stubGlobal("fetch", (path: string) =>
      path.endsWith("get-session") ? Promise.reject(new Error("nobody asks")) : left.shift()?.(),
    );
  };
  const signIn = (): void => {
    render(<SignInForm next="#auth" />);
    fireEvent.change(field("E-mail"), { target: { value: "ada@acme.example" } });
    fireEvent.change(field("Password"), { target: { value: "a password" } });
    press("Sign in");
  };
  const asksForCode = () => Promise.resolve(Response.json({ next: "code" }));

  it.each([
    ["by nobody", () => Promise.reject(new Error("cut")), "No usable answer came back. Try again in a moment."],
    [
      "by somebody in between",
      () => Promise.resolve(new Response("<html>", { status: 502 })),
      "No usable answer came back. Try again in a moment.",
    ],
    [
      "with too many attempts",
      () => Promise.resolve(new Response("", { status: 429 })),
      "Too many attempts. Try again later.",
    ],
    [
      "with a reason",
      () => Promise.resolve(Response.json({ detail: "The database is away." }, { status: 503 })),
      "The database is away.",
    ],
  ])("%s says so, and no more than is known", async (_, answer, said) => {
    answers(answer);
    signIn();
    await waitFor(() => {
      expect(screen.getByRole("alert").textContent).toBe(said);
    });
  });

  it("asks for the code then, and sends no empty one", async () => {
    answers(asksForCode);
    signIn();
    fireEvent.click(await screen.findByRole("button", { name: "Sign in with the code" }));
    await screen.findByText("The code is missing.");
    expect(field("Code of your authenticator").getAttribute("aria-invalid")).toBe("true");
  });
});

it("a browser without JavaScript is told that it cannot sign in, and sends no form", () => {
  const html = renderToString(<SignInView next="/" elsewhere={undefined} refused={false} />);
  const [, told] = /<noscript>(.*)<\/noscript>/.exec(html) ?? [];
  expect(told).toContain("Signing in needs JavaScript in this browser.");
  expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Sign in/);
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
