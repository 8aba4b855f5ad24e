// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { JoinPage } from "./join-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const title = (): string | null => screen.getByRole("heading", { level: 1 }).textContent;
const opened = (hash: string, answer: () => Promise<Response>): void => {
  vi.stubGlobal("fetch", answer);
  window.history.replaceState(null, "", `/join${hash}`);
  render(inApp(<JoinPage />));
};

it("shows the form of a link that opens", async () => {
  opened("#token", () => Promise.resolve(new Response(null, { status: 204 })));
  expect(title()).toBe("Checking your link.");
  expect(await screen.findByLabelText("New password")).toBeDefined();
  expect(title()).toBe("Choose your password.");
});

it.each(["", "#used"])("shows no form for a link that opens nothing: %j", async (hash) => {
  opened(hash, () => Promise.resolve(Response.json({ code: "auth.link_over" }, { status: 403 })));
  expect(await screen.findByText(/Ask an admin for another/)).toBeDefined();
  expect(title()).toBe("This link is not valid any more.");
  expect(screen.queryByLabelText("New password")).toBeNull();
});

it("shows the form where nobody can tell: sending it says what is wrong", async () => {
  opened("#token", () => Promise.reject(new Error("away")));
  expect(await screen.findByLabelText("New password")).toBeDefined();
});

it("checks a link that is pasted into the open page", async () => {
  opened("#used", () => Promise.resolve(Response.json({ code: "auth.link_over" }, { status: 403 })));
  await screen.findByText(/Ask an admin for another/);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
  window.history.replaceState(null, "", "/join#new");
  window.dispatchEvent(new Event("hashchange"));
  expect(await screen.findByLabelText("New password")).toBeDefined();
});
