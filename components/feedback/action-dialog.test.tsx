// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { AskedDialog, type DialogWords } from "./action-dialog";

const START: DialogWords = {
  title: "Start 15 rows?",
  effect: "15 rows are asked about.",
  notDone: "",
  verb: "Start 15",
  path: "/start",
  reason: "none",
};
const over = (words: DialogWords | undefined) =>
  inAppAt("dialog=start", inLive(<AskedDialog name="start" words={words} />));
const heading = () => screen.getByRole("heading", { level: 2 }).textContent;
const verb = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const asked = (name: string) =>
  inAppAt(
    `dialog=${name}`,
    inLive(
      <AskedDialog
        name={name}
        words={{ title: name, effect: "", notDone: "", verb: `Do ${name}`, path: `/${name}`, reason: "none" }}
      />,
    ),
  );

it("sends one key for every click in a dialog, and another one for the next dialog that opens in its place", async () => {
  const sent = vi.fn((_path: string, _init: RequestInit) => Promise.resolve(Response.json({ message: "It is done." })));
  vi.stubGlobal("fetch", sent);
  const { rerender } = render(asked("one"));
  fireEvent.click(screen.getByRole("button", { name: "Do one" }));
  fireEvent.click(await screen.findByRole("button", { name: "Do one" }));
  await screen.findByText("It is done.");
  rerender(asked("other"));
  expect(screen.queryByText("It is done.")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Do other" }));
  await screen.findByText("It is done.");
  const keys = sent.mock.calls.map(([, { headers }]) => new Headers(headers).get("Idempotency-Key"));
  expect(keys).toHaveLength(3);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
  vi.unstubAllGlobals();
});

describe("a dialog whose subject changes", () => {
  it.each<[string, DialogWords | undefined, string]>([
    ["cannot be done any more", { ...START, title: "Start 0 rows?", notOffered: "It is running." }, "It is running."],
    [
      "is about another number",
      { ...START, title: "Start 3 rows?", verb: "Start 3" },
      "Now it would ask: Start 3 rows?",
    ],
    ["would send something else", { ...START, body: { ids: ["1"] } }, "What it would do has changed."],
    ["has left the list", undefined, "It is no longer here."],
    ["may be done again", START, "It can be done now."],
  ])("and %s: it keeps its question, says so once and sends nothing", (_, now, said) => {
    const sent = vi.fn();
    vi.stubGlobal("fetch", sent);
    const off = now === START ? "It is running." : undefined;
    const { rerender } = render(over({ ...START, notOffered: off }));
    expect(screen.queryByText("This changed since you opened it.")).toBeNull();
    rerender(over(now));
    expect(screen.getByText("This changed since you opened it.")).toBeDefined();
    expect(screen.queryAllByText("Close it and look again.")).toHaveLength(off === undefined ? 1 : 0);
    expect(heading()).toBe("Start 15 rows?");
    expect(screen.getAllByText(said, { exact: false })).toHaveLength(1);
    expect(verb("Start 15").disabled).toBe(true);
    fireEvent.submit(verb("Start 15"));
    expect(sent).not.toHaveBeenCalled();
  });

  it("is as it was when the same comes again, and new when it is opened again", () => {
    const { rerender } = render(over(START));
    rerender(over({ ...START, effect: "it takes 2 s" }));
    expect(screen.queryByText("This changed since you opened it.")).toBeNull();
    rerender(inAppAt("", inLive(<AskedDialog name="start" words={undefined} />)));
    rerender(over({ ...START, title: "Start 3 rows?" }));
    expect(heading()).toBe("Start 3 rows?");
    expect(screen.queryByText(/This changed/)).toBeNull();
  });

  it("by its own press: the question and its answer stay, and nothing contradicts them", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ message: "Started." })));
    const { rerender } = render(over(START));
    fireEvent.click(verb("Start 15"));
    await screen.findByText("Started.");
    rerender(over({ ...START, title: "Start 0 rows?", verb: "Start 0", notOffered: "It has ended." }));
    expect(heading()).toBe("Start 15 rows?");
    expect(screen.getByText("Started.")).toBeDefined();
    expect(screen.queryByText(/It has ended|This changed/)).toBeNull();
  });

  it.each([
    [503, "dependency.unavailable", "Not known to be done."],
    [409, "idempotency.in_progress", "Not known to be done."],
    [409, "operation.not_open", "Not done."],
  ])("after %i %s may be sent again where it may have been done", async (status, code, said) => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ code, title: "So it is." }, { status })));
    const { rerender } = render(over(START));
    fireEvent.click(verb("Start 15"));
    await screen.findByText(said);
    rerender(over({ ...START, notOffered: "It is running." }));
    expect(verb("Start 15").disabled).toBe(said === "Not done.");
  });

  it("says that a second click changes nothing only while the next press is not the first that may act", async () => {
    const answers = [
      Response.json({ code: "operation.not_open" }, { status: 409 }),
      Response.json({ message: "Started." }),
    ];
    vi.stubGlobal("fetch", () => Promise.resolve(answers.shift()));
    render(over(START));
    const foot = "A second click changes nothing.";
    expect(screen.queryByText(foot)).not.toBeNull();
    fireEvent.click(verb("Start 15"));
    await screen.findByText("Not done.");
    expect(screen.queryByText(foot)).toBeNull();
    expect(screen.getByText("The same key is sent again: it acts at most once.")).toBeDefined();
    fireEvent.click(verb("Start 15"));
    await screen.findByText("Started.");
    expect(screen.queryByText(foot)).not.toBeNull();
  });

  it("while no answer came may be sent again: the same key acts once", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new Error("cut")));
    const { rerender } = render(over(START));
    fireEvent.click(verb("Start 15"));
    await screen.findByText("No answer came back.");
    rerender(over({ ...START, notOffered: "It is running." }));
    expect(verb("Start 15").disabled).toBe(false);
  });

  it("of somebody who was signed out keeps what they wrote, and sends it under the same key once they are back", async () => {
    const sent = vi.fn((_path: string, _init: RequestInit) => Promise.resolve(Response.json({ message: "Started." })));
    sent.mockImplementationOnce(() => Promise.resolve(Response.json({ code: "auth.required" }, { status: 401 })));
    vi.stubGlobal("fetch", sent);
    render(over({ ...START, reason: "required" }));
    const reason = screen.getByLabelText<HTMLTextAreaElement>("Reason, kept in the audit");
    fireEvent.change(reason, { target: { value: "the provider is back" } });
    fireEvent.click(verb("Start 15"));
    await screen.findByText("You are signed out. Sign in in another tab, then press again: what you wrote stays.");
    expect(reason.value).toBe("the provider is back");
    fireEvent.click(verb("Start 15"));
    await screen.findByText("Started.");
    const [first, again] = sent.mock.calls.map(([, init]) => [
      init.body,
      new Headers(init.headers).get("Idempotency-Key"),
    ]);
    expect(again).toEqual(first);
  });

  it("that asks for a proof says how that was answered, and no more of the command than is known", async () => {
    const proofs = [
      () => Promise.reject(new Error("cut")),
      () => Promise.resolve(new Response("<html>", { status: 502 })),
    ];
    vi.stubGlobal("fetch", (path: string) =>
      path.endsWith("/step-up")
        ? proofs.shift()?.()
        : Promise.resolve(Response.json({ code: "auth.step_up_required", confirmBy: ["password"] }, { status: 403 })),
    );
    render(over(START));
    fireEvent.click(verb("Start 15"));
    const prove = async () => {
      fireEvent.change(await screen.findByLabelText("Your password"), { target: { value: "a password" } });
      fireEvent.click(screen.getByRole("button", { name: "Confirm: Start 15" }));
    };
    await prove();
    await screen.findByText("No answer came back. Press again.");
    await prove();
    await screen.findByText("The server answered 502.");
  });
});
