// @vitest-environment happy-dom
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { AskedDialog } from "./action-dialog";

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
