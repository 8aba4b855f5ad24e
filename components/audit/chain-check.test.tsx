// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { ChainCheck } from "./chain-check";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const STOPPED = "The check stopped: a part of it failed. What was checked stays checked.";
const part = (from: string, checkedTo: string, result: string) => () =>
  Promise.resolve(
    Response.json({ at: "2026-11-22T14:30:00Z", result, from, checkedTo, head: "250", checkpoints: { kept: "none" } }),
  );

it("says that a part failed, keeps what was checked and goes on behind it", async () => {
  const answers = [part("1", "100", "unfinished"), () => Promise.reject(new Error("cut")), part("101", "250", "holds")];
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(new URL(path, "http://localhost").searchParams.get("from") ?? "");
    return answers.shift()?.();
  });
  render(inApp(inLive(<ChainCheck begin={false} notOffered={undefined} />)));
  expect(screen.queryByText(STOPPED)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Verify the whole chain" }));
  await screen.findByText(STOPPED);
  expect(screen.getByText("Checked up to entry #100")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Continue from #101" }));
  await screen.findByText("Unchanged, 250 entries checked");
  expect(
    screen.getByText("No checkpoints are made here: who owns the database can rewrite this unseen."),
  ).toBeDefined();
  expect(screen.queryByText(STOPPED)).toBeNull();
  expect(asked).toEqual(["1", "101", "101"]);
});
