// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { JoinForm } from "@/components/auth/join-form";
import { SignInElsewhere } from "@/components/auth/sign-in-elsewhere";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import { AskedDialog } from "@/components/feedback/action-dialog";
import { ListProblem } from "@/components/feedback/list-problem";
import { LostConnection } from "@/components/feedback/lost-connection";
import { RouteError } from "@/components/feedback/route-error";
import { openedPane } from "@/components/table/list-pane";
import { useOpened } from "@/components/table/use-opened";
import { ExportMenu } from "@/components/views/export-menu";
import type { Live } from "@/components/shell/live-provider";
import { inApp, inAppAt } from "./in-app";
import { inLive } from "./in-live";
import { SAMPLE_ID } from "./part";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const text = (): string => document.body.textContent;
const shown = (part: ReactNode, changes: Partial<Live> = {}): void => {
  render(inApp(inLive(part, changes)));
};
const answers = (answer: () => Promise<Response>): void => {
  vi.stubGlobal("fetch", answer);
};
const press = (name: string): void => {
  fireEvent.click(screen.getByRole("button", { name }));
};

/** Opens the menu, as a browser says it, and takes a file. */
const exportNow = (): void => {
  const menu = document.querySelector("[popover]");
  if (menu === null) throw new Error("no menu");
  fireEvent(menu, Object.assign(new Event("toggle"), { newState: "open" }));
  fireEvent.click(screen.getByText("CSV"));
};

/** What stands between a click and its answer: each text is said where its guard refuses, with what it was given. */
it("an action says how the server answered, that it was done before, or that nothing was sent", async () => {
  const words = { title: "Start?", effect: "", notDone: "", verb: "Start", path: "/start", reason: "none" } as const;
  const dialog = (changes: Partial<Live>) =>
    inAppAt("dialog=start", inLive(<AskedDialog name="start" words={words} />, changes));
  answers(() => Promise.resolve(new Response("", { status: 502 })));
  render(dialog({}));
  press("Start");
  expect(await screen.findByText(/The server answered 502\./)).toBeDefined();
  cleanup();
  const done = { kind: "already", message: "Plan started.", doneBefore: "2026-11-22T14:00:00.000Z" } as const;
  shown(<ActionAnswerView answer={done} />);
  expect(text()).toContain("This is the answer of your first click at 14:00:00: Plan started. Nothing ran twice.");
});

it("a lost connection says how old the page is, and when it tries again", async () => {
  const now = Date.now();
  shown(<LostConnection />, { status: "lost", heardAt: now - 125_000, nextTryAt: now + 190_500 });
  expect(await screen.findByText(/What you see is 2 min old\..*; next try in 3 min\./)).toBeDefined();
});

it("a page or a list that did not load says what, how far it looked, and the request", () => {
  const problem = (code: string) => ({ error: { status: 504, code, message: "" }, requestId: "req-7" });
  const list = { title: "Conflicts", what: "The list", looked: "7 days of conflicts", narrower: null, retryHref: "/" };
  shown(<ListProblem {...list} problem={problem("dependency.timeout")} />);
  expect(text()).toContain(
    "It looked at 7 days of conflicts and was stopped. A narrower one is less to look at; your other filters stay.",
  );
  cleanup();
  shown(<ListProblem {...list} narrower={false} problem={problem("dependency.timeout")} />);
  expect(text()).toMatch(/It looked at 7 days of conflicts and was stopped\.Read again$/);
  cleanup();
  shown(<ListProblem {...list} problem={problem("dependency.unavailable")} />);
  expect(text()).toContain("The list did not load.");
  cleanup();
  shown(<RouteError error={Object.assign(new Error("x"), { digest: "d7" })} reset={() => undefined} />);
  expect(text()).toContain("Reading it changed nothing. Error d7.");
  cleanup();
  shown(<RouteError error={new Error("x")} reset={() => undefined} />);
  expect(text()).not.toContain("Error");
});

function Pane() {
  const row = useOpened<string>(SAMPLE_ID, `/outbox/${SAMPLE_ID}`, undefined);
  return openedPane(row, "This message", (value) => value, "gone") ?? "loading";
}

it("a row that did not load says which, and how the server answered", async () => {
  answers(() => Promise.resolve(new Response("", { status: 503 })));
  shown(<Pane />);
  expect(await screen.findByText(/This message did not load\./)).toBeDefined();
  expect(text()).toContain("The server answered 503.");
});

it("an export says where it was cut, after how many rows it was cancelled, and how the server answered", async () => {
  const file = new TextEncoder().encode("id\n1\n2\ncut after 2 rows: narrow the filters\n");
  const menu = <ExportMenu path="/api/v1/admin/exports/operations" search="?tenant=acme" whyNot={undefined} />;
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }));
  const headers = { "content-disposition": 'attachment; filename="ops.csv"' };
  answers(() => Promise.resolve(new Response(file, { headers })));
  shown(menu);
  exportNow();
  expect(await screen.findByText(/ops\.csv: cut after 2 rows\. Narrow the filters for the rest\./)).toBeDefined();
  cleanup();
  answers(() => Promise.resolve(new Response("", { status: 500 })));
  shown(menu);
  exportNow();
  expect(await screen.findByText(/No file: The server answered 500\./)).toBeDefined();
  cleanup();
  vi.stubGlobal("fetch", (_path: string, { signal }: RequestInit) =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(file.slice(0, 7));
            signal?.addEventListener("abort", () => {
              controller.error(new Error("aborted"));
            });
          },
        }),
      ),
    ),
  );
  shown(menu);
  exportNow();
  await screen.findByText(/2 rows so far/);
  fireEvent.click(screen.getByText("Cancel"));
  expect(await screen.findByText(/Cancelled after 2 rows\. No file was kept\./)).toBeDefined();
});

it("a sign-in elsewhere names who does not answer, and a chosen password whose it is", async () => {
  answers(() => Promise.reject(new Error("away")));
  shown(<SignInElsewhere name="Acme ID" next="/" refused={false} />);
  press("Sign in with Acme ID");
  expect(await screen.findByText("Acme ID does not answer. Try again in a moment.")).toBeDefined();
  cleanup();
  answers(() => Promise.resolve(Response.json({ email: "ada@acme.example" })));
  window.history.replaceState(null, "", "/join#token");
  shown(<JoinForm />);
  fireEvent.change(screen.getByLabelText(/New password/), { target: { value: "long enough" } });
  fireEvent.submit(screen.getByLabelText(/New password/));
  expect(await screen.findByText("The password of ada@acme.example is set.")).toBeDefined();
});
