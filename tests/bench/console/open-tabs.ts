import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { launchBrowser } from "@/tests/support/browser";
import { sessionCookies, type Served } from "./served";

/** As components/shell/use-live-status.ts has them. */
const SHORTEST_MS = 2_000;
const JITTER_MS = 3_000;
const SEEN_WITHIN_MS = 30_000;

export interface OpenTabs {
  /** Until each has read the page once, as a tab does that was just opened. */
  readonly opened: Promise<unknown>;
  /** @returns how often they asked for the live status, and how often they read the page again because of it */
  close(): Promise<{ readonly polls: number; readonly reads: number }>;
}

/** What a real tab of the overview asks for, as it asks: learnt from Chromium once. */
export interface TabRequests {
  readonly poll: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly read: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

/** @param change makes something happen that the overview shows */
export async function learnTab(served: Served, change: () => Promise<unknown>): Promise<TabRequests> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    await context.addCookies(sessionCookies(served));
    const page = await context.newPage();
    await page.goto(served.url);
    const polled = page.waitForRequest((request) => request.url().includes("/admin/pulse"), {
      timeout: SEEN_WITHIN_MS,
    });
    const [poll] = await Promise.all([polled, page.waitForLoadState("networkidle")]);
    const reading = page.waitForRequest((request) => request.headers()["rsc"] === "1" && isOverview(request.url()), {
      timeout: SEEN_WITHIN_MS,
    });
    const [read] = await Promise.all([reading, change()]);
    return { poll: await asked(poll), read: await asked(read) };
  } finally {
    await browser.close();
  }
}

/** Clicked one after the other, round and round: links of the page before, by their addresses. */
const CLICKED = [
  "/operations?state=COMPLETED",
  "/operations?state=IN_PROGRESS",
  "/conflicts",
  "/outbox",
  "/inbox",
  "/operations",
] as const;

/** What a browser asks for when somebody changes a filter or goes to another list by a click: learnt from Chromium once. */
export async function learnClicks(served: Served): Promise<readonly TabRequests["read"][]> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    await context.addCookies(sessionCookies(served));
    const page = await context.newPage();
    await page.goto(`${served.url}/operations`);
    const requests: TabRequests["read"][] = [];
    for (const path of CLICKED) {
      const going = page.waitForRequest(
        (request) => request.headers()["rsc"] === "1" && request.url().startsWith(served.url + path),
      );
      await page.locator(`a[href="${path}"]`).first().click();
      requests.push(await asked(await going));
      await page.waitForURL(served.url + path);
      await page.waitForLoadState("networkidle");
    }
    return requests;
  } finally {
    await browser.close();
  }
}

const isOverview = (url: string): boolean => new URL(url).pathname === "/";

async function asked(request: { url(): string; allHeaders(): Promise<Record<string, string>> }) {
  const all = await request.allHeaders();
  const own = Object.entries(all).filter(([name]) => !name.startsWith(":") && name !== "if-none-match");
  return { url: request.url(), headers: Object.fromEntries(own) };
}

/** So many tabs of the overview, on which somebody is: each polls, and reads its page again whenever the answer has another mark. */
export function openTabs(requests: TabRequests, count: number): OpenTabs {
  const over = new AbortController();
  setMaxListeners(2 * count + 2, over.signal);
  const seen = { polls: 0, reads: 0 };
  const tabs = Array.from({ length: count }, () => {
    let opened = (): void => undefined;
    const first = new Promise<void>((resolve) => (opened = resolve));
    return { first, ended: watch(requests, seen, over.signal, opened) };
  });
  return {
    opened: Promise.all(tabs.map(({ first }) => first)).then(() => Object.assign(seen, { polls: 0, reads: 0 })),
    async close() {
      over.abort();
      await Promise.all(tabs.map(({ ended }) => ended));
      return seen;
    },
  };
}

async function watch(
  requests: TabRequests,
  seen: { polls: number; reads: number },
  over: AbortSignal,
  opened: () => void,
): Promise<void> {
  let tag: string | undefined;
  let mark: string | undefined;
  await pause(Math.random() * SHORTEST_MS, over);
  while (!over.aborted) {
    seen.polls += 1;
    const known: Record<string, string> = tag === undefined ? {} : { "if-none-match": tag };
    const answer = await fetch(requests.poll.url, { headers: { ...requests.poll.headers, ...known } });
    if (answer.status === 200) {
      tag = answer.headers.get("etag") ?? undefined;
      const status = (await answer.json()) as { mark: string };
      if (status.mark !== mark) {
        mark = status.mark;
        seen.reads += 1;
        const page = await fetch(requests.read.url, { headers: requests.read.headers });
        await page.arrayBuffer();
        if (page.status !== 200) throw new Error(`the overview was answered ${String(page.status)}`);
      }
    } else if (answer.status !== 304) throw new Error(`the live status was answered ${String(answer.status)}`);
    opened();
    await pause(SHORTEST_MS + Math.random() * JITTER_MS, over);
  }
}

/** Ends early, without an error, when the signal says so. @param ms how long */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
