import { expect, test as base, type BrowserContext, type Page } from "@playwright/test";
import type * as Library from "@/client/index";
import type { PendingStore } from "@/client/pending-store";
import { plainModules } from "@/client/testing/plain-modules";
import { startRawServer } from "@/client/testing/raw-server";
import { pendingAction, STORE_CONTRACT, type StoreBench } from "@/client/testing/store-contract";

/** An origin of its own with nothing but the library; every address of it is answered here. */
const LAB = "https://store.lab/";

declare global {
  interface Window {
    openStore(namespace: string): PendingStore;
  }
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(LAB);
  await page.evaluate(async () => {
    const { createIndexedDbStore } = (await import(`${location.origin}/index.js`)) as typeof Library;
    window.openStore = (namespace) => createIndexedDbStore({ namespace });
  });
  return page;
}

/** A store that lives in a tab, used from here. */
function storeIn(page: Page, namespace = "mira"): PendingStore {
  return {
    open: async (action) =>
      (await page.evaluate(
        async ([namespace, action]) => {
          const kept = await window.openStore(namespace).open(action);
          return kept === action ? undefined : kept;
        },
        [namespace, action] as const,
      )) ?? action,
    remove: (action) =>
      page.evaluate(([namespace, action]) => window.openStore(namespace).remove(action), [namespace, action] as const),
    list: () => page.evaluate((namespace) => window.openStore(namespace).list(), namespace),
  };
}

const test = base.extend<{ tabs: readonly [Page, Page]; bench: StoreBench }>({
  tabs: async ({ context }, use) => {
    const modules = plainModules();
    await context.route(`${LAB}**`, async (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      if (name === "") await route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Lab</title>" });
      else await route.fulfill({ contentType: "text/javascript", body: modules.get(name) ?? "" });
    });
    await use([await openTab(context), await openTab(context)]);
  },
  bench: async ({ tabs }, use) => {
    const server = await startRawServer();
    let opened = 0;
    await use({ server, openStore: () => storeIn(tabs[opened++ % 2 === 0 ? 0 : 1]) });
    await server.close();
  },
});

test.describe("CLIENT-1 a key in the IndexedDB store of two tabs", () => {
  for (const { title, check } of STORE_CONTRACT) test(title, ({ bench }) => check(bench));

  test("is another person's under another namespace", async ({ tabs: [one, other] }) => {
    await storeIn(one).open(pendingAction({ name: "checkout" }));
    const noors = await storeIn(other, "noor").open(pendingAction({ name: "checkout", key: "key-2" }));
    expect(noors.key).toBe("key-2");
    expect(await storeIn(other, "mir").list()).toEqual([]);
    expect((await storeIn(other).list()).map(({ key }) => key)).toEqual(["key-1"]);
  });

  test("outlives its page", async ({ tabs: [one, other], context }) => {
    const kept = await storeIn(one).open(pendingAction());
    await Promise.all([one.close(), other.close()]);
    expect(await storeIn(await openTab(context)).list()).toEqual([kept]);
  });

  test("goes on after the data of the site was cleared", async ({ tabs: [one, other] }) => {
    await one.evaluate(async (action) => {
      const store = window.openStore("mira");
      await store.open(action);
      Object.assign(window, { openStore: () => store });
    }, pendingAction());
    // An open connection would block this for ever.
    await other.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.deleteDatabase("onceboard-pending");
          request.onsuccess = () => {
            resolve();
          };
          request.onerror = () => {
            reject(new Error("the database was not deleted"));
          };
        }),
    );
    expect(await storeIn(one).list()).toEqual([]);
    const again = pendingAction({ key: "key-2" });
    expect(await storeIn(one).open(again)).toEqual(again);
    expect(await storeIn(other).list()).toEqual([again]);
  });

  test("an item that is no action is never gone over", async ({ tabs: [one] }) => {
    await storeIn(one).open(pendingAction({ name: "checkout" }));
    await one.evaluate(
      () =>
        new Promise<void>((resolve) => {
          indexedDB.open("onceboard-pending").onsuccess = ({ target }) => {
            const items = (target as IDBOpenDBRequest).result
              .transaction("actions", "readwrite")
              .objectStore("actions");
            items.openCursor().onsuccess = (found) => {
              const cursor = (found.target as IDBRequest<IDBCursorWithValue>).result;
              cursor.update("{ half").onsuccess = () => {
                resolve();
              };
            };
          };
        }),
    );
    const second = storeIn(one).open(pendingAction({ name: "checkout", key: "key-2" }));
    await expect(second).rejects.toThrow("is no pending action");
    await expect(storeIn(one).list()).rejects.toThrow("is no pending action");
  });
});
