// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inApp, inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW } from "@/components/parts/part";
import type { SettingsView as Settings } from "@/presentation/views/settings";
import { PeopleDialogs } from "./people-dialogs";
import { SecurityView } from "./security-view";
import { samplePeople, samplePerson, sampleSession } from "./settings.samples";
import { SessionsView } from "./sessions-view";
import { SettingsView } from "./settings-view";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function textOf(shows: ReactElement): string {
  cleanup();
  render(inApp(inLive(shows)));
  return document.body.textContent;
}

describe("the page of the second factor", () => {
  const ELSEWHERE = [
    "You sign in elsewhere.",
    "Your issuer asks for it, or not: there is no password here to add a code to.",
  ];

  it("says that there is no password only to somebody who has none", () => {
    for (const words of ELSEWHERE)
      expect(textOf(<SecurityView twoFactor={false} hasPassword={false} />)).toContain(words);
    for (const twoFactor of [false, true])
      for (const words of ELSEWHERE)
        expect(textOf(<SecurityView twoFactor={twoFactor} hasPassword />)).not.toContain(words);
  });

  const SILENT = "Nothing says what became of it. Load the page again to see what is on.";
  const REFUSED = "It was not accepted.";
  it.each([
    { name: "no answer", answer: () => Promise.reject(new Error("away")), says: SILENT },
    {
      name: "an answer of somebody in between",
      answer: () => Promise.resolve(new Response("<html>", { status: 502 })),
      says: SILENT,
    },
    {
      name: "a refusal without its reason",
      answer: () => Promise.resolve(Response.json({}, { status: 403 })),
      says: REFUSED,
    },
    {
      name: "a refusal",
      answer: () => Promise.resolve(Response.json({ detail: "The password is wrong." }, { status: 403 })),
      says: "The password is wrong.",
    },
  ])("says what is known after $name", async ({ answer, says }) => {
    vi.stubGlobal("fetch", answer);
    render(inApp(inLive(<SecurityView twoFactor={false} hasPassword />)));
    expect(screen.getByRole("alert").textContent).toBe("");
    fireEvent.change(screen.getByLabelText("Your password"), { target: { value: "some password" } });
    fireEvent.click(screen.getByRole("button", { name: "Set up a second factor" }));
    await vi.waitFor(() => {
      expect(screen.getByRole("alert").textContent).toBe(says);
    }, 10_000);
  });
});

describe("the pages of sessions, people and settings", () => {
  it("a person has no other session only where one is listed", () => {
    const sessions = (...ids: readonly string[]) => (
      <SessionsView view={{ at: SAMPLE_NOW, sessions: ids.map((id) => sampleSession({ id, own: id === "s1" })) }} />
    );
    const NONE = "There is no other session to end.";
    expect(textOf(sessions("s1"))).toContain(NONE);
    expect(textOf(sessions("s1", "s2"))).not.toContain(NONE);
  });

  it("the dialog of a role says of whoever signs in at an issuer that it may name another", () => {
    const dialog = (signsInBy: Parameters<typeof samplePerson>[0]) => {
      cleanup();
      render(inAppAt("dialog=role%3Ap1", inLive(<PeopleDialogs view={samplePeople(samplePerson(signsInBy))} />)));
      return document.querySelector("dialog[open]")?.textContent ?? "";
    };
    const NAMED = "They stay signed in. If the issuer names roles, their next sign-in there may set another one.";
    expect(dialog({ signsInBy: ["oidc"] })).toContain(NAMED);
    expect(dialog({ signsInBy: ["password"] })).toContain("They stay signed in.");
    expect(dialog({ signsInBy: ["password"] })).not.toContain(NAMED);
  });

  const settings = (changes: Partial<Settings> = {}): ReactElement => (
    <SettingsView
      settings={{
        at: SAMPLE_NOW,
        tenant: { id: "acme", name: "Acme", homeRegion: "eu" },
        ...{ clients: [], operators: [], eventSources: [], windows: [], permissions: [] },
        guard: { active: true, note: "Guarded." },
        ...changes,
      }}
    />
  );

  it("a settings page says that nobody has a key or a secret only where none is listed", () => {
    const client = { id: "c1", name: "shop", scopes: [], profile: "problem", createdAt: SAMPLE_NOW, keys: [] };
    const NO_CLIENT = "No program has a key yet.";
    const NO_SECRET = "No source has a secret of its own.";
    expect(textOf(settings())).toContain(NO_CLIENT);
    expect(textOf(settings())).toContain(NO_SECRET);
    expect(textOf(settings({ clients: [client] }))).not.toContain(NO_CLIENT);
    const source = { source: "bank", secretId: "k1", createdAt: SAMPLE_NOW };
    expect(textOf(settings({ eventSources: [source] }))).not.toContain(NO_SECRET);
  });

  it("a settings page leads to the pages that it names, and its command is there", () => {
    const text = textOf(settings());
    for (const page of ["people", "sessions", "webhooks"])
      expect(document.querySelector(`a[href^="/settings/${page}"]`), page).not.toBeNull();
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const command = /with the command (\w+)\./.exec(text)?.[1] ?? "none is named";
    expect(scripts[command]).toContain("cli/operator.ts");
    expect(readFileSync("cli/startup/commands.ts", "utf8")).toContain(`name: "${command}"`);
  });
});
