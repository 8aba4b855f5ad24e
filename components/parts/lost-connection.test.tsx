// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { SAMPLE_NOW } from "@/components/parts/part";
import { LiveProvider, useLive } from "@/components/shell/live-provider";
import { LostConnection } from "@/components/feedback/lost-connection";

const BACK_WITHIN_MS = 15_000;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PROBLEM = { code: "dependency.unavailable", status: 503, title: "The session could not be looked up" };

function Connection({ children }: { readonly children?: ReactNode }) {
  return inApp(
    <LiveProvider tenant="acme" initial={{ at: SAMPLE_NOW, counts: {}, down: { parts: [], loops: [] } }}>
      <LostConnection />
      {children}
    </LiveProvider>,
  );
}

it.each([
  ["The database does not answer.", () => Promise.resolve(Response.json(PROBLEM, { status: 503 }))],
  ["The server does not answer.", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["", () => Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 }))],
])("says what does not answer, where that is known: %s", async (said, answer) => {
  vi.stubGlobal("fetch", answer);
  const { container } = render(<Connection />);
  await screen.findByText(/Not live since/, {}, { timeout: BACK_WITHIN_MS });
  const says = container.textContent;
  expect(/The \w+ does not answer\./.exec(says)?.[0] ?? "").toBe(said);
});

function Act() {
  return <button disabled={useLive().whyOff !== undefined}>Act</button>;
}

it("keeps what was written while nobody is signed in, and acts again once somebody is, in whatever tab", async () => {
  const said =
    "Your session ended; what you see is not renewed and actions are off. What you wrote here stays if you sign in in another tab.";
  let signedIn = false;
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      signedIn
        ? Response.json({ at: SAMPLE_NOW, counts: {}, mark: "m", newer: 0 })
        : new Response(null, { status: 401 }),
    ),
  );
  render(
    <Connection>
      <textarea aria-label="Note" />
      <Act />
    </Connection>,
  );
  const note = screen.getByLabelText<HTMLTextAreaElement>("Note");
  const act = screen.getByRole<HTMLButtonElement>("button", { name: "Act" });
  expect(screen.queryByText(said)).toBeNull();
  fireEvent.change(note, { target: { value: "the provider is back" } });
  await screen.findByText(said, {}, { timeout: BACK_WITHIN_MS });
  expect(act.disabled).toBe(true);
  signedIn = true;
  await waitFor(
    () => {
      expect(screen.queryByText(said)).toBeNull();
    },
    { timeout: BACK_WITHIN_MS },
  );
  expect(act.disabled).toBe(false);
  expect(note.value).toBe("the provider is back");
});
