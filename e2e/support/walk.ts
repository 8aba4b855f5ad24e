import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

/** What opens in place is no page: a dialog, an opened row, a place on the page. */
const IN_PLACE = ["dialog", "open", "row"];

export interface Counted {
  /** Pointer and key actions; typing a text is one with the click into its field. */
  readonly clicks: number;
  /** Pages that Back would lead to, and the one that is there: an address that leads on by itself is none. */
  readonly loads: number;
}

/** Addresses that a page went to since it was watched, without those that were replaced. */
const visited = new WeakMap<Page, string[]>();

/** Before the page goes anywhere: notes each address that it comes to. */
export async function watch(page: Page): Promise<void> {
  const pages: string[] = [];
  visited.set(page, pages);
  await page.exposeFunction("walked", (replaces: boolean, href: string) => {
    const url = new URL(href);
    for (const name of IN_PLACE) url.searchParams.delete(name);
    const address = `${url.pathname}?${url.searchParams.toString()}`;
    if (replaces) pages.pop();
    if (pages.at(-1) !== address) pages.push(address);
  });
  await page.addInitScript(`for (const name of ["pushState", "replaceState"]) {
    const original = history[name].bind(history);
    history[name] = (...given) => { original(...given); window.walked(name === "replaceState", location.href); };
  }
  if (location.protocol !== "about:") window.walked(false, location.href);`);
}

/** A person at a task: everything that they press goes through here and is counted. */
export class Walk {
  private readonly page: Page;
  private readonly pagesBefore: number;
  #clicks = 0;

  /** @param page watched, and on the first page of the task already */
  constructor(page: Page) {
    this.page = page;
    this.pagesBefore = (visited.get(page)?.length ?? 0) - 1;
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
    return { clicks: this.#clicks, loads: (visited.get(this.page)?.length ?? 0) - this.pagesBefore };
  }
}

/** @returns what docs/TOUR.md says of a task */
export function documented(task: number): Counted {
  const row = new RegExp(`^\\| ${String(task)} \\|.*\\| (\\d+) \\| (\\d+) \\|$`, "m");
  const [, clicks, loads] = row.exec(readFileSync("docs/TOUR.md", "utf8")) ?? [];
  return { clicks: Number(clicks), loads: Number(loads) };
}
