// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { onConnection } from "@/components/parts/live-samples";
import { RevealDialog } from "./reveal-dialog";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Opens the dialog, gives a reason and sends it to a server that answers so. */
function reveal(status: number, body: object) {
  const sent = vi.fn((_path: string, _init: RequestInit) => Promise.resolve(Response.json(body, { status })));
  vi.stubGlobal("fetch", sent);
  window.history.replaceState(null, "", "/?dialog=reveal");
  render(inApp(onConnection(<RevealDialog path="/api/v1/admin/operations/1/reveal" />)));
  fireEvent.change(screen.getByLabelText("Reason, kept in the audit"), { target: { value: " a dispute " } });
  fireEvent.click(screen.getByRole("button", { name: "Show 1 command" }));
  return sent;
}

it("sends the reason, shows what is stored, and says where nothing is", async () => {
  const sent = reveal(200, { command: '{"card":"4242"}' });
  expect(await screen.findByText('"4242"')).not.toBeNull();
  expect(screen.queryByText("none is stored")).not.toBeNull();
  expect(screen.queryByRole("heading", { name: "Bodies of 1 operation" })).not.toBeNull();
  expect(screen.queryByText("Closing forgets them here.")).not.toBeNull();
  expect(screen.queryByRole("button", { name: "Show 1 command" })).toBeNull();
  expect(sent.mock.calls.map(([path, { body }]) => [path, body])).toEqual([
    ["/api/v1/admin/operations/1/reveal", '{"reason":"a dispute"}'],
  ]);
});

it("forgets them when it is left", async () => {
  reveal(200, { command: '{"card":"4242"}' });
  fireEvent.click(await screen.findByRole("button", { name: "Close" }));
  expect(screen.queryByText('"4242"')).toBeNull();
  expect(window.location.search).toBe("");
});

it("shows a refusal, and may be sent again", async () => {
  reveal(404, { detail: "There is no such operation." });
  expect(await screen.findByText(/There is no such operation/)).not.toBeNull();
  expect(screen.queryByRole("button", { name: "Show 1 command" })).not.toBeNull();
});

it("asks who it is before it shows anything", async () => {
  reveal(403, { code: "auth.step_up_required", confirmBy: ["password"] });
  expect(await screen.findByLabelText("Your password")).not.toBeNull();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Show 1 command" }).disabled).toBe(true);
});
