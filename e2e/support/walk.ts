import { readFileSync } from "node:fs";
import type { Locator, Page, Request } from "@playwright/test";
import { expect } from "./fixtures";

/** What opens in place is no page: a dialog, an opened row, a place on the page. */
const IN_PLACE = ["dialog", "open", "row"];

export interface Counted {
  /** Pointer and key actions; typing a text is one with the click into its field. */
  readonly clicks: number;
  /** Pages that were drawn, the one that is there first included; an address that led on by itself is one too. */
  readonly loads: number;
}

interface Asked {
  readonly address: string;
  /** Answered by a page: not by another address before anything was drawn, and not given up. */
  drawn: boolean;
}

/** Pages of a browser tab one after the other, as the person saw them and as the server drew them. */
interface Seen {
  /** Addresses that the tab came to, also those that another replaced at once. */
  readonly addresses: string[];
  /** Documents, and pages inside the document, that the server was asked for, but for those fetched ahead of a click. */
  readonly asked: Asked[];
}

const seenBy = new WeakMap<Page, Seen>();

function addressOf(href: string): string {
  const url = new URL(href);
  for (const name of [...IN_PLACE, "_rsc"]) url.searchParams.delete(name);
  return `${url.pathname}?${url.searchParams.toString()}`;
}

/** The same page read again, or something opened on it, is no other page. */
function distinct(pages: readonly string[]): string[] {
  return pages.filter((page, index) => page !== pages[index - 1]);
}

function pagesOf({ addresses, asked }: Seen): { readonly addresses: string[]; readonly drawn: string[] } {
  const drawn = asked.filter((one) => one.drawn).map(({ address }) => address);
  return { addresses: distinct(addresses), drawn: distinct(drawn) };
}

function asksForPage(request: Request): boolean {
  const headers = request.headers();
  const ahead = headers["next-router-prefetch"] !== undefined || headers["next-router-segment-prefetch"] !== undefined;
  return request.method() === "GET" && !ahead && (request.isNavigationRequest() || headers["rsc"] === "1");
}

/** Before the page goes anywhere: notes each page that it comes to. */
export async function watch(page: Page): Promise<void> {
  const seen: Seen = { addresses: [], asked: [] };
  const requests = new WeakMap<Request, Asked>();
  seenBy.set(page, seen);
  page.on("request", (request) => {
    if (!asksForPage(request)) return;
    const one = { address: addressOf(request.url()), drawn: false };
    seen.asked.push(one);
    requests.set(request, one);
  });
  page.on("response", (response) => {
    const one = requests.get(response.request());
    if (one !== undefined) one.drawn = response.ok();
  });
  await page.exposeFunction("walked", (href: string) => seen.addresses.push(addressOf(href)));
  await page.addInitScript(`for (const name of ["pushState", "replaceState"]) {
    const original = history[name].bind(history);
    history[name] = (...given) => { original(...given); window.walked(location.href); };
  }
  if (location.protocol !== "about:") window.walked(location.href);`);
}

/** A person at a task: everything that they press goes through here and is counted. */
export class Walk {
  private readonly page: Page;
  private readonly seen: Seen;
  private readonly before: { readonly addresses: number; readonly drawn: number };
  #clicks = 0;

  /** @param page watched, and on the first page of the task already */
  constructor(page: Page) {
    this.page = page;
    this.seen = seenBy.get(page) ?? { addresses: [], asked: [] };
    const { addresses, drawn } = pagesOf(this.seen);
    this.before = { addresses: addresses.length - 1, drawn: drawn.length - 1 };
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

  /** The larger number counts: a page out of the browser's cache is asked of no server, and a page that leads on while it is drawn may write no address. */
  counted(): Counted {
    const { addresses, drawn } = this.pages();
    return { clicks: this.#clicks, loads: Math.max(addresses.length, drawn.length) };
  }

  /** What was counted, each in its order. */
  pages(): { readonly addresses: readonly string[]; readonly drawn: readonly string[] } {
    const { addresses, drawn } = pagesOf(this.seen);
    return { addresses: addresses.slice(this.before.addresses), drawn: drawn.slice(this.before.drawn) };
  }
}

/** @returns what docs/TOUR.md says of a task */
export function documented(task: number): Counted {
  const row = new RegExp(`^\\| ${String(task)} \\|.*\\| (\\d+) \\| (\\d+) \\|$`, "m");
  const [, clicks, loads] = row.exec(readFileSync("docs/TOUR.md", "utf8")) ?? [];
  return { clicks: Number(clicks), loads: Number(loads) };
}
