// @vitest-environment happy-dom
import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { AREAS } from "./all";
import { inApp } from "./in-app";
import type { PartState } from "./part";

const LOADED_WITHIN_MS = 10_000;

function draw({ shows, search = "" }: PartState): HTMLElement {
  window.history.replaceState(null, "", search === "" ? "/" : `/?${search}`);
  return render(inApp(shows)).container;
}

/** All that a reader of it can learn: words, and names and titles that are attributes. */
function textOf(root: HTMLElement): string {
  const named = [...root.querySelectorAll("[aria-label], [title], [data-exact]")].flatMap((element) =>
    ["aria-label", "title", "data-exact"].map((name) => element.getAttribute(name) ?? ""),
  );
  return [root.textContent, ...named].join("\n").replace(/ +/g, " ");
}

type Control = HTMLButtonElement | HTMLInputElement;

const isOff = (control: Control): boolean => control.disabled;

function wordsOf(control: Control): string {
  if (control.tagName === "BUTTON") return control.textContent;
  if (control.type === "radio") return control.value;
  const label = control.labels?.[0]?.textContent ?? "";
  return control.tagName === "TEXTAREA" ? label : control.name === "" ? label : control.name;
}

function controlsOf(root: HTMLElement): readonly Control[] {
  return [...root.querySelectorAll<Control>("button, input, textarea, select")];
}

/** Accessible names of what says "Decide", row for row. */
function decideNames(root: HTMLElement): readonly string[] {
  return [...root.querySelectorAll("a, button")]
    .filter(({ textContent }) => textContent.trim() === "Decide")
    .map((control) => control.getAttribute("aria-label") ?? "Decide");
}

afterEach(cleanup);

describe.each(AREAS)("parts of $name", ({ parts }) => {
  describe.each(parts)("$name", ({ states }) => {
    it.each(states)("$name", async (state) => {
      const root = draw(state);
      const missing = () => state.says?.filter((words) => !textOf(root).includes(words)) ?? [];
      // A part that is loaded when it is asked for comes a moment later.
      if (missing().length > 0)
        await waitFor(
          () => {
            expect(missing()).toEqual([]);
          },
          { timeout: LOADED_WITHIN_MS },
        );
      const text = textOf(root);
      for (const words of state.says ?? []) expect(text).toContain(words);
      for (const words of state.lacks ?? []) expect(text).not.toContain(words);
      for (const selector of state.has ?? []) expect(root.querySelector(selector), selector).not.toBeNull();
      for (const selector of state.hasNot ?? []) expect(root.querySelector(selector), selector).toBeNull();
      const decides = decideNames(root);
      expect(decides, "each Decide names what it decides on").not.toContain("Decide");
      expect(new Set(decides).size).toBe(decides.length);
      const off = controlsOf(root).filter(isOff).map(wordsOf);
      if (state.off?.[0] === "*") expect(off).toHaveLength(controlsOf(root).length);
      else expect(off.sort()).toEqual([...(state.off ?? [])].sort());
    });
  });
});

it("every state claims something", () => {
  const empty = AREAS.flatMap(({ parts }) => parts.flatMap(({ states }) => states)).filter(
    ({ says, lacks, has, hasNot, off }) => [says, lacks, has, hasNot, off].every((claims) => claims === undefined),
  );
  expect(empty).toEqual([]);
});
