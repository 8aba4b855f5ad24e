import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

/** What opens in place is no page: a dialog, an opened row, a place on the page. */
const IN_PLACE = ["dialog", "open", "row"];

export interface Counted {
  /** Pointer and key actions; typing a text is one with the click into its field. */
  readonly clicks: number;
  /** Pages that came, the first one included. */
  readonly loads: number;
}

/** A person at a task: everything that they press goes through here and is counted. */
export class Walk {
  #clicks = 0;
  readonly #pages: string[] = [];

  /** @param page on the first page of the task already */
  constructor(private readonly page: Page) {
    this.#arrived();
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.#arrived();
    });
  }

  /** @param opens what has to be there then; a press before the page listens is lost, and is made again without being counted */
  async click(target: Locator, opens?: Locator): Promise<void> {
    this.#clicks += 1;
    if (opens === undefined) return target.click();
    await expect(async () => {
      if (!(await opens.isVisible())) await target.click({ timeout: 5_000 });
      await expect(opens).toBeVisible({ timeout: 5_000 });
    }).toPass();
  }

  async press(key: string): Promise<void> {
    this.#clicks += 1;
    await this.page.keyboard.press(key);
  }

  async type(field: Locator, text: string): Promise<void> {
    this.#clicks += 1;
    await field.fill(text);
  }

  counted(): Counted {
    return { clicks: this.#clicks, loads: this.#pages.length };
  }

  #arrived(): void {
    const url = new URL(this.page.url());
    for (const name of IN_PLACE) url.searchParams.delete(name);
    const address = `${url.pathname}?${url.searchParams.toString()}`;
    if (this.#pages.at(-1) !== address) this.#pages.push(address);
  }
}

/** @returns what docs/TOUR.md says of a task */
export function documented(task: number): Counted {
  const row = new RegExp(`^\\| ${String(task)} \\|.*\\| (\\d+) \\| (\\d+) \\|$`, "m");
  const [, clicks, loads] = row.exec(readFileSync("docs/TOUR.md", "utf8")) ?? [];
  return { clicks: Number(clicks), loads: Number(loads) };
}
