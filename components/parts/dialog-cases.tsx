import { render } from "@testing-library/react";
import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { inAppAt } from "./in-app";
import { inLive } from "./in-live";

interface DialogCase {
  /** Value of `?dialog=`. */
  readonly dialog: string;
  readonly says: readonly string[];
  readonly lacks?: readonly string[];
  /** The reason why the verb is off; without one it is on. */
  readonly off?: string;
}

/** For tests: what the dialogs of a component say at an address, and whether their verb is on. */
export function dialogCases(name: string, shows: ReactElement, rows: readonly DialogCase[]): void {
  describe(name, () => {
    it.each(rows)("$dialog: $says", ({ dialog, says, lacks = [], off }) => {
      render(inAppAt(`dialog=${encodeURIComponent(dialog)}`, inLive(shows)));
      const open = document.querySelector("dialog[open]");
      for (const words of says) expect(open?.textContent).toContain(words);
      for (const words of lacks) expect(open?.textContent).not.toContain(words);
      const verb = open?.querySelector<HTMLButtonElement>('button[type="submit"]');
      expect(verb?.disabled).toBe(off !== undefined);
      if (off !== undefined) expect(verb?.title).toBe(off);
    });
    it("shows none where the address names none of them", () => {
      render(inAppAt("dialog=other:nobody", inLive(shows)));
      expect(document.querySelector("dialog[open]")).toBeNull();
    });
  });
}
